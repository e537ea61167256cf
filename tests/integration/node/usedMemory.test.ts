/**
 * Out of memory in WebAssembly, in the real threads of engine and verifiers: the error says so, no valid proof is called
 * invalid, and retries are bounded.
 */
import { expect, onTestFinished, test } from "vitest";
import { EngineHost } from "@svc/node-server/engine/host/engineHost.ts";
import type {
  EngineReport,
  EngineRequest,
  ProofJob,
} from "@svc/node-server/engine/calls/engineMessages.ts";
import type { VerifyReport, VerifyRequest } from "@svc/node-server/engine/verify/verifyMessages.ts";
import { VerifyPool, type VerifyPoolParts } from "@svc/node-server/engine/verify/verifyPool.ts";
import { startBatchedThread } from "@svc/node-server/platform/thread/batchedThread.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { startThread } from "@svc/node-server/platform/thread/thread.ts";
import { infoOf, sentenceOf } from "@svc/shared/base/errors.ts";
import { PLATFORM_LIMITS } from "@svc/node-server/platform/platformLimits.ts";
import { ENGINE_LIMITS } from "@svc/node-server/engine/engineLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { core, NOW_MS, simnet } from "../engine/engineFixture.ts";

const MIB = 1024 * 1024;
const STARVED = new URL("starvedThread.ts", import.meta.url);
const SENTENCE =
  "There is not enough memory for this work; close other programs or give it a machine with more.";
/** What the memory of a verifier grows by until its key is made. */
const KEY_BYTES = 17 * MIB;
const log = createLog("silent");

function entryOf(name: string): string {
  return new URL(`../../../node-server/engine/${name}`, import.meta.url).href;
}

/** A pool of one verifier at a time, whose memory ends so far above what it begins with. */
function starvedPool(
  spareBytes: number,
  over: Partial<VerifyPoolParts> = {},
): { readonly pool: VerifyPool; readonly started: () => number; readonly fatal: string[] } {
  const fatal: string[] = [];
  let started = 0;
  const pool = new VerifyPool({
    spawn: () => {
      started += 1;
      const data = { profile: simnet, prover: "own", cacheFolder: null, setUpFolder: null };
      const starved = { ...data, entry: entryOf("verify/verifyWorker.ts"), spareBytes };
      return startThread<VerifyRequest, VerifyReport>(STARVED, starved);
    },
    last: null,
    threads: 1,
    batch: 64,
    clock: systemClock,
    log,
    onFatal: (error) => fatal.push(error.code),
    ...over,
  });
  onTestFinished(() => pool.stop());
  pool.start();
  return { pool, started: () => started, fatal };
}

/** One that the memory of such a verifier does not hold. */
const LARGE_JOB: ProofJob = { txid: "large", format: 1, raw: new Uint8Array(2 * KEY_BYTES) };

function plainJob(): ProofJob {
  const { raw } = readPaymentFixture().payment("plain");
  return { txid: core.transactionId(raw), format: 1, raw };
}

/** How a pool answers: `holds`, `false`, or the fault that kept it from judging. */
async function answerOf(pool: VerifyPool, job = plainJob()): Promise<string> {
  try {
    const verdict = await pool.verify(job, { urgent: true });
    return verdict === null ? "holds" : `false: ${verdict.code}`;
  } catch (error) {
    return SvcError.from(error).code;
  }
}

test("verifiers that cannot make their key judge nothing, and are given up after so many tries", async () => {
  const { pool, started, fatal } = starvedPool(2 * MIB);
  expect(await answerOf(pool)).toBe("engine/out-of-memory");
  expect(await answerOf(pool)).toBe("engine/out-of-memory");
  expect([started(), fatal]).toEqual([
    1 + PLATFORM_LIMITS.workerRestarts,
    ["engine/out-of-memory"],
  ]);
});

test("a verifier whose memory ends while it judges calls no proof false, and goes on with the others", async () => {
  const asked: string[] = [];
  const last = {
    verify: (job: ProofJob) => {
      asked.push(job.txid);
      return Promise.resolve(null);
    },
    stop: () => Promise.resolve(),
  };
  const { pool, started, fatal } = starvedPool(KEY_BYTES, { last });
  await pool.keysReady;
  const answers = [plainJob(), LARGE_JOB, plainJob()].map((job) => answerOf(pool, job));
  expect(await Promise.all(answers)).toEqual(["holds", "holds", "holds"]);
  // Tried twice, and then by the one that is asked when nobody else can tell.
  expect(asked).toEqual([LARGE_JOB.txid]);
  expect([started(), fatal]).toEqual([3, []]);
  // Where there is no other one, it is told what is missing, and the others are judged all the same.
  const alone = starvedPool(KEY_BYTES);
  await alone.pool.keysReady;
  const left = [LARGE_JOB, plainJob()].map((job) => answerOf(alone.pool, job));
  expect(await Promise.all(left)).toEqual(["engine/out-of-memory", "holds"]);
});

test("the same verifier with enough memory judges it", async () => {
  const { pool, started, fatal } = starvedPool(256 * MIB);
  expect(await answerOf(pool)).toBe("holds");
  expect([started(), fatal]).toEqual([1, []]);
});

test("an engine whose memory ends is opened anew, and after so many times the node is told to stop", async () => {
  const fatal = Promise.withResolvers<SvcError>();
  let started = 0;
  const host = new EngineHost({
    spawn: () => {
      started += 1;
      const data = { root: null, profile: simnet, archival: true };
      const starved = { ...data, entry: entryOf("host/engineWorker.ts"), spareBytes: 8 * MIB };
      return startBatchedThread<EngineRequest, EngineReport>(STARVED, starved);
    },
    judge: () => Promise.resolve(true),
    setBatchDelay: () => {},
    log,
    onFatal: fatal.resolve,
  });
  onTestFinished(() => host.stop());
  await host.start();
  for (let time = 1; time <= 1 + ENGINE_LIMITS.memoryRestarts; time += 1) {
    const tip = JSON.parse(await host.ask("tip", []));
    expect(tip.chainIndex).toBe("0");
    expect(started).toBe(time);
    const large = host.insertBlock(new Uint8Array(32 * MIB), NOW_MS);
    await expect(large).rejects.toThrow("engine/restarted");
  }
  const error = await fatal.promise;
  expect([error.code, sentenceOf(error)]).toEqual(["engine/out-of-memory", SENTENCE]);
  expect(started).toBe(1 + ENGINE_LIMITS.memoryRestarts);
  // No peer is charged for it.
  expect(infoOf(error).penalty).toBe("none");
});
