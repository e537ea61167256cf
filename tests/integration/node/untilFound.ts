/** Waits for what comes by itself: a wallet at the tip, a job that ends. */
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { never } from "./nodeFixture.ts";

const LOOK_MS = 20;

/**
 * What `look` finds, as soon as it finds something: null and false are nothing. It looks each `everyMs`. Who waits in vain is ended by the
 * test's limit.
 */
export async function untilFound<T>(
  look: () => T | null | false | Promise<T | null | false>,
  everyMs = LOOK_MS,
): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== null && found !== false) return found;
    await systemClock.sleep(everyMs, never);
  }
}
