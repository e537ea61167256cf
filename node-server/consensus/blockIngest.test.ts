import { setImmediate as settle } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { ManualClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { BlockIngest } from "./blockIngest.ts";
import type { InsertOutcome } from "./engineFacts.ts";

/** An inlet whose engine answers when the test says so. */
function openIngest() {
  const open: ((outcome: InsertOutcome) => void)[] = [];
  const ingest = new BlockIngest({
    engine: { insertBlock: () => new Promise((resolve) => open.push(resolve)) },
    clock: new ManualClock(0n),
    log: createLog("silent"),
  });
  return { ingest, open };
}

const raw = new Uint8Array(100);
const taken: InsertOutcome = {
  kind: "accepted",
  hash: asBlockHash("00".repeat(32)),
  new: true,
  needVerdicts: [],
};

describe("block ingest", () => {
  test("a block counts until the engine answers, also when its caller has cancelled", async () => {
    const { ingest, open } = openIngest();
    const cancel = new AbortController();
    const waiting = Array.from({ length: LIMITS.ingestBlocks }, () =>
      ingest.submit(raw, cancel.signal),
    );
    cancel.abort();
    for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe("rejected");
    await expect(ingest.submit(raw)).rejects.toThrow("queue/full");
    expect(open.length).toBe(LIMITS.ingestBlocks);
    open[0]?.(taken);
    await settle();
    const next = ingest.submit(raw);
    open.at(-1)?.(taken);
    expect(await next).toEqual(taken);
  });

  test("a caller that has cancelled before hands nothing in", async () => {
    const { ingest, open } = openIngest();
    await expect(ingest.submit(raw, AbortSignal.abort())).rejects.toThrow("run/aborted");
    expect(open).toEqual([]);
  });
});
