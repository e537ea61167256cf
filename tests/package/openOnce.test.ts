/** The one instance of a thread, as the package's entries make it. */
import { expect, test } from "vitest";
import { openOnce } from "../../package/openOnce.ts";

test("is made once, also for two that ask at the same time", async () => {
  let made = 0;
  const open = openOnce(async () => ({ number: (made += 1) }));
  const [first, second] = await Promise.all([open(), open()]);
  expect(second).toBe(first);
  expect(await open()).toBe(first);
  expect(made).toBe(1);
});

test("is tried again after a failure", async () => {
  let tries = 0;
  const open = openOnce(async () => {
    tries += 1;
    if (tries === 1) throw new Error("the file is away");
    return tries;
  });
  await expect(open()).rejects.toThrow("the file is away");
  expect(await open()).toBe(2);
});
