/** 256 payments with false proofs beside an honest one, with a verifier that judges for real. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { ENGINE_LIMITS } from "@svc/node-server/engine/engineLimits.ts";
import { MEMPOOL_LIMITS } from "@svc/node-server/mempool/mempoolLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { never, startJudgingNode } from "../node/nodeFixture.ts";
import { fixture, withFalseProof } from "./poolFixture.ts";

const JUNK = 256;
const { raw: model } = fixture.payment("later");

let node: RunningNode;
beforeAll(async () => {
  node = await startJudgingNode(null, { proofs: { prover: "own", threads: 1 } });
  for (const raw of fixture.trunk.slice(0, fixture.forkIndex)) {
    await node.api.submitBlock(raw, never);
  }
  await node.keysReady;
});
afterAll(() => node.stop());

/** How many of each answer there were. */
function count(codes: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

type Scene = {
  /** The honest payment and who hands it in. */
  readonly payment: string;
  readonly payer: string;
  /** Who hands in which false proof, the same ones for each number. */
  readonly numbers: readonly number[];
  readonly sourceOf: (number: number) => string;
};

/** Hands the junk in, then an honest payment; says what was judged before it was admitted. */
async function beside({ payment, payer, numbers, sourceOf }: Scene) {
  let judged = 0;
  const junk = numbers.map(async (number) => {
    try {
      const raw = withFalseProof(model, number);
      return await node.api.submitTransaction(raw, never, sourceOf(number));
    } catch (thrown) {
      const { code } = SvcError.from(thrown);
      if (code === "shielded/proof-invalid") judged += 1;
      return code;
    }
  });
  const { raw, txid } = fixture.payment(payment);
  expect(await node.api.submitTransaction(raw, never, payer)).toBe(txid);
  const before = judged;
  const codes = count(await Promise.all(junk));
  console.info(
    `honest payment admitted after ${before} false proofs; all junk: ${JSON.stringify(codes)}`,
  );
  return { before, codes };
}

const numbered = (from: number, length: number): readonly number[] =>
  Array.from({ length }, (_, at) => from + at);

test("256 slow junk payments of one source: the honest one is admitted behind two batches of eight at most", async () => {
  const sourceOf = (): string => "attacker";
  const numbers = numbered(0, JUNK);
  const { before, codes } = await beside({
    payment: "waiting",
    payer: "wallet",
    numbers,
    sourceOf,
  });
  // One batch in work when it came, and its own.
  expect(before).toBeLessThanOrEqual(2 * ENGINE_LIMITS.verifyBatchStrangers);
  expect(codes["mempool/verification-queue-full"]).toBeGreaterThanOrEqual(
    JUNK - MEMPOOL_LIMITS.mempoolSourceAdmissions,
  );
  expect(codes["shielded/proof-invalid"]).toBeGreaterThan(0);
  // What it owes keeps it from coming again at once.
  const again = node.api.submitTransaction(withFalseProof(model, 9_999), never, "attacker");
  await expect(again).rejects.toThrow("queue/too-fast");
});

test("256 slow junk payments of as many hosts: a source that is known is admitted behind one batch of eight", async () => {
  const sourceOf = (number: number): string => `host ${number}`;
  const numbers = numbered(1_000, JUNK);
  const { before, codes } = await beside({ payment: "plain", payer: "wallet", numbers, sourceOf });
  expect(before).toBeLessThanOrEqual(2 * ENGINE_LIMITS.verifyBatchStrangers);
  expect(codes).toEqual({ "shielded/proof-invalid": JUNK });
});

test("64 slow junk payments of as many hosts: a newcomer waits for its turn behind them, and is admitted", async () => {
  const sourceOf = (number: number): string => `host ${number}`;
  const numbers = numbered(2_000, 64);
  const { codes } = await beside({ payment: "first", payer: "newcomer", numbers, sourceOf });
  expect(codes).toEqual({ "shielded/proof-invalid": 64 });
});
