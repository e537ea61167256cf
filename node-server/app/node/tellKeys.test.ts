import { expect, it } from "vitest";
import { tellKeys } from "./tellKeys.ts";

/** What is printed of a node whose keys are there at once, or come. */
async function printed(proverReady: boolean, signal = new AbortController().signal) {
  const lines: string[] = [];
  const keys = Promise.withResolvers<void>();
  tellKeys(
    { keysReady: keys.promise, api: { status: () => ({ proverReady }) } },
    { print: (line) => lines.push(line), signal },
  );
  keys.resolve();
  await keys.promise;
  return lines;
}

it("says that keys are built, and that they are ready", async () => {
  expect(await printed(false)).toEqual([
    "building the verifying keys in the background …",
    "verifying keys ready: payments are accepted",
  ]);
});

it("says that keys are ready which were so before", async () => {
  expect(await printed(true)).toEqual(["verifying keys ready: payments are accepted"]);
});

it("says nothing of them when the node is ending", async () => {
  expect(await printed(true, AbortSignal.abort())).toEqual([]);
});
