import { setImmediate as settle } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import {
  asBlockHash,
  asBlueScore,
  asDaaScore,
  asHash32,
  asTimestampMs,
} from "@svc/shared/base/brand.ts";
import { ENGINE_LIMITS } from "../engineLimits.ts";
import type { Header } from "@svc/shared/chain/header.ts";
import { FORM_BOUNDS } from "@svc/shared/protocol/raw/formBounds.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { createLog } from "../../platform/log/log.ts";
import { BlockIngest } from "./blockIngest.ts";
import { WorkRateLimiter } from "../verify/workRateLimiter.ts";
import type { InsertOutcome } from "../calls/engineFacts.ts";

/** An inlet whose engine answers blocks when the test says so, and headers with `answers`. */
function openIngest(answers: readonly InsertOutcome[] = [taken]) {
  const open: ((outcome: InsertOutcome) => void)[] = [];
  const firsts: boolean[] = [];
  const headers: Uint8Array[] = [];
  const clock = new ManualClock(0n);
  const ingest = new BlockIngest({
    engine: {
      insertBlock: (_raw, _now, how) => {
        firsts.push(how?.first === true);
        return new Promise((resolve) => open.push(resolve));
      },
      insertHeaders: (raw) => {
        headers.push(raw);
        return Promise.resolve(answers);
      },
    },
    work: new WorkRateLimiter(clock),
    clock,
    log: createLog("silent"),
  });
  return { ingest, open, firsts, headers, clock };
}

const raw = new Uint8Array(100);
const hash = asBlockHash("00".repeat(32));
const header: Header = {
  version: 2,
  parentsByLevel: [[hash]],
  hashMerkleRoot: asHash32(hash),
  acceptedIdMerkleRoot: asHash32(hash),
  utxoCommitment: asHash32(hash),
  timestamp: asTimestampMs(1n),
  bits: 1,
  nonce: 1n,
  daaScore: asDaaScore(1n),
  blueWork: 1n,
  blueScore: asBlueScore(1n),
  pruningPoint: hash,
};
const taken: InsertOutcome = {
  kind: "accepted",
  hash,
  new: true,
  needVerdicts: [],
};

describe("block ingest", () => {
  test("a block counts until the engine answers, also when its caller has cancelled", async () => {
    const { ingest, open } = openIngest();
    const cancel = new AbortController();
    const waiting = Array.from({ length: ENGINE_LIMITS.ingestBlocks }, (_, n) =>
      ingest.submit(raw, { source: `s${n}`, signal: cancel.signal }),
    );
    cancel.abort();
    for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe("rejected");
    await expect(ingest.submit(raw, { source: "late" })).rejects.toThrow("queue/full");
    expect(open.length).toBe(ENGINE_LIMITS.ingestBlocks);
    open[0]?.(taken);
    await settle();
    const next = ingest.submit(raw, { source: "late" });
    open.at(-1)?.(taken);
    expect(await next).toEqual(taken);
  });

  test("own blocks go in when the queue is full, before others", async () => {
    const { ingest, open, firsts } = openIngest();
    const waiting = Array.from({ length: ENGINE_LIMITS.ingestBlocks }, (_, n) =>
      ingest.submit(raw, { source: `s${n}` }),
    );
    await expect(ingest.submit(raw, { source: "late" })).rejects.toThrow("queue/full");
    const own = ingest.submit(raw);
    expect(firsts).toEqual([...waiting.map(() => false), true]);
    open.at(-1)?.(taken);
    expect(await own).toEqual(taken);
    for (const answer of open) answer(taken);
    await Promise.all(waiting);
  });

  test("one source leaves room", async () => {
    const { ingest, open } = openIngest();
    const waiting = Array.from({ length: ENGINE_LIMITS.ingestSourceBlocks }, () =>
      ingest.submit(raw, { source: "a" }),
    );
    await expect(ingest.submit(raw, { source: "a" })).rejects.toThrow("queue/full");
    waiting.push(ingest.submit(raw, { source: "b" }));
    for (const answer of open) answer(taken);
    await Promise.all(waiting);
    const large = new Uint8Array(ENGINE_LIMITS.ingestSourceBytes / 2);
    const two = [1, 2].map(() => ingest.submit(large, { source: "a" }));
    await expect(ingest.submit(raw, { source: "a" })).rejects.toThrow("queue/full");
    two.push(ingest.submit(raw, { source: "b" }));
    for (const answer of open) answer(taken);
    await Promise.all(two);
    const again = ingest.submit(raw, { source: "a" });
    open.at(-1)?.(taken);
    expect(await again).toEqual(taken);
  });

  test("a block is paid for by its size", async () => {
    const { ingest, open } = openIngest();
    const tokens = 32;
    const large = new Uint8Array(ENGINE_LIMITS.headerTokenBytes * (tokens - 1) + 1);
    const most = Math.floor(ENGINE_LIMITS.headersBurst / tokens);
    for (let n = 0; n < most; n += 1) {
      const submitted = ingest.submit(large, { source: "a" });
      open.at(-1)?.(taken);
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as a stream hands them in
      await submitted;
    }
    await expect(ingest.submit(large, { source: "a" })).rejects.toThrow("queue/too-fast");
  });

  test("a header that is refused only by its window is paid for a hundred times", async () => {
    const wrong = ["header/wrong-bits", "header/wrong-daa-score", "header/related-parents"];
    const refusal = (code: string): InsertOutcome => ({ kind: "rejected", hash, code, data: {} });
    const each = ENGINE_LIMITS.refusedWindowHeaders;
    for (const [codes, left] of [
      [wrong, ENGINE_LIMITS.headersBurst - 3 - 3 * each],
      [["header/known-invalid", "header/bad-version"], ENGINE_LIMITS.headersBurst - 2],
    ] as const) {
      const { ingest, open } = openIngest(codes.map(refusal));
      const call = codes.map(() => ({ header }));
      // oxlint-disable-next-line no-await-in-loop
      expect((await ingest.submitHeaders(call, { source: "a" })).length).toBe(call.length);
      for (let n = 0; n < left; n += 1) {
        const submitted = ingest.submit(new Uint8Array([1]), { source: "a" });
        open.at(-1)?.(taken);
        // oxlint-disable-next-line no-await-in-loop
        await submitted;
      }
      // oxlint-disable-next-line no-await-in-loop
      await expect(ingest.submit(raw, { source: "a" })).rejects.toThrow("queue/too-fast");
    }
  });

  test("a caller that has cancelled before hands nothing in", async () => {
    const { ingest, open } = openIngest();
    await expect(ingest.submit(raw, { signal: AbortSignal.abort() })).rejects.toThrow(
      "run/aborted",
    );
    expect(open).toEqual([]);
  });

  test("one source's blocks are limited, others and our own are not", async () => {
    const { ingest, open, clock } = openIngest();
    const flood = async (source: string | undefined, form: number): Promise<string> => {
      const block = new Uint8Array([form]);
      for (let n = 0; n < ENGINE_LIMITS.headersBurst; n += 1) {
        const submitted = ingest.submit(block, { source });
        open.at(-1)?.(taken);
        const code = await rejectionCode(submitted, "");
        if (code !== "") return `${code} after ${n}`;
      }
      return "all";
    };
    expect(await flood("a", 1)).toBe("all");
    expect(await flood("a", 1)).toBe("queue/too-fast after 0");
    expect(await flood("b", 2)).toBe(`queue/too-fast after ${ENGINE_LIMITS.witnessesBurst}`);
    expect(await flood(undefined, 2)).toBe("all");
    clock.advance(1_000);
    expect(await flood("a", 1)).toBe(`queue/too-fast after ${ENGINE_LIMITS.headersPerSecond}`);
  });

  test("headers are paid for one by one", async () => {
    const { ingest, headers } = openIngest();
    const call = Array.from({ length: FORM_BOUNDS.headers }, () => ({ header }));
    expect(await ingest.submitHeaders(call, { source: "a" })).toEqual([taken]);
    expect(new DataView(headers[0]?.buffer ?? new ArrayBuffer(4)).getUint32(0, true)).toBe(
      call.length,
    );
    const calls = Math.floor(ENGINE_LIMITS.headersBurst / call.length);
    for (let n = 1; n < calls; n += 1) await ingest.submitHeaders(call, { source: "a" });
    await expect(ingest.submitHeaders(call, { source: "a" })).rejects.toThrow("queue/too-fast");
    expect(headers.length).toBe(calls);
    await ingest.submitHeaders(call, { source: "b" });
    await expect(ingest.submitHeaders([...call, { header }])).rejects.toThrow(
      "codec/count-too-large",
    );
  });
});
