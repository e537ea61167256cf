/** Shared fixture: something expensive that is made once for many tests of a file. */
import { afterAll, afterEach } from "vitest";

/** A thing that tests share. */
export type Shared<Thing> = {
  /** The thing; made for the first test that asks. */
  get(): Promise<Thing>;
  /** For a test that uses it up: the next one gets another. */
  drop(): Promise<void>;
};

/** Has the tests of the calling file share one thing. A test that fails takes it along, so that no other one fails for it. */
export function shareAmongTests<Thing>(
  make: () => Promise<Thing>,
  end: (thing: Thing) => Promise<void> = async () => undefined,
): Shared<Thing> {
  let made: Promise<Thing> | null = null;
  const drop = async (): Promise<void> => {
    const thing = await made?.catch(() => undefined);
    made = null;
    if (thing !== undefined) await end(thing);
  };
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") await drop();
  });
  afterAll(drop);
  return { get: () => (made ??= make()), drop };
}
