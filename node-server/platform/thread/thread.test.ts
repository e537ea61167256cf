import { expect, it } from "vitest";
import { PLATFORM_LIMITS } from "../platformLimits.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { startThread } from "./thread.ts";

/** Of a million numbers. */
const ARRAY_MIB = 8_000_000 / 1_048_576;

it("a thread that needs more than its heap ends, its owner hears why, and the program goes on", async () => {
  const thread = startThread<string, number>(
    new URL("../testkit/hoarder.ts", import.meta.url),
    null,
  );
  let arrays = 0;
  thread.onMessage((count) => {
    arrays = count;
  });
  const ended = Promise.withResolvers<SvcError>();
  thread.onExit(ended.resolve);
  thread.post("begin");
  const reason = await ended.promise;
  expect(reason.cause).toMatchObject({ code: "ERR_WORKER_OUT_OF_MEMORY" });
  expect(arrays * ARRAY_MIB).toBeGreaterThan(PLATFORM_LIMITS.threadHeapMib / 2);
  expect(arrays * ARRAY_MIB).toBeLessThan(PLATFORM_LIMITS.threadHeapMib * 1.5);
});
