/** The wallet daemon's proof queue over real prover threads. */
import { ProverThread } from "@svc/node-server/proving/proverThread.ts";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { ProofQueue } from "@svc/node-server/walletd/spend/proofQueue.ts";
import type { ProvePlan } from "@svc/shared/wallet/state/provePlan.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dummyPlan } from "./dummyPlan.ts";

const { signal: never } = new AbortController();
const quiet = () => undefined;
const data = { prover: "own", proofThreads: 1, cacheFolder: null } as const;
const queue = new ProofQueue({ provers: [new ProverThread(data)], clock: systemClock });
let plan: ProvePlan;

beforeAll(async () => {
  plan = JSON.parse(dummyPlan(await loadCoreFile(), 2));
  await queue.warm();
});

afterAll(() => queue.stop());

test("proves for one wallet after the other, whatever becomes of the proofs before", async () => {
  const cancel = new AbortController();
  const cancelled = queue.proverFor("a").prove(plan, () => cancel.abort(), cancel.signal);
  const bad: ProvePlan = { ...plan, daaScore: "none" };
  const refused = queue.proverFor("b").prove(bad, quiet, never);
  const proved = queue.proverFor("c").prove(plan, quiet, never);
  await expect(cancelled).rejects.toThrow("run/aborted");
  await expect(refused).rejects.toThrow("prove/bad-plan");
  // Without a real spend nobody has to sign.
  expect((await (await proved).finalize("[]")).length).toBeGreaterThan(2_000);
  expect([queue.waiting, queue.proving]).toEqual([0, 0]);
  expect(queue.pace.secondsFor(2)).toBeGreaterThan(0);
});
