import { ProverThread } from "@svc/node-server/proving/proverThread.ts";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import type { ProvePlan } from "@svc/shared/wallet/state/provePlan.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dummyPlan } from "./dummyPlan.ts";

const never = new AbortController().signal;
const prover = new ProverThread({ prover: "own", proofThreads: 1, cacheFolder: null });
let plan: ProvePlan;

beforeAll(async () => {
  plan = JSON.parse(dummyPlan(await loadCoreFile(), 2));
  await prover.warm();
});

afterAll(() => prover.stop());

/** Proves, and cancels at the first step that is told. */
async function cancelled(): Promise<void> {
  const cancel = new AbortController();
  const proof = prover.prove(plan, () => cancel.abort(), cancel.signal);
  await expect(proof).rejects.toThrow("run/aborted");
}

describe("a prover thread", () => {
  it("holds several proofs until each is finalized", async () => {
    const [first, second] = await Promise.all([
      prover.prove(plan, () => undefined, never),
      prover.prove(plan, () => undefined, never),
    ]);
    expect(first.bundle).not.toEqual(second.bundle);
    // Without a real spend nobody has to sign.
    const raw = await second.finalize("[]");
    expect((await first.finalize("[]")).length).toBe(raw.length);
    await expect(first.finalize("[]")).rejects.toThrow("engine/bad-call");
  });

  it("forgets a proof that is dropped", async () => {
    const proved = await prover.prove(plan, () => undefined, never);
    proved.drop();
    proved.drop();
    await expect(proved.finalize("[]")).rejects.toThrow("engine/bad-call");
  });

  it("ends a proof that nobody waits for, and makes the next one", async () => {
    await cancelled();
    const proved = await prover.prove(plan, () => undefined, never);
    expect((await proved.finalize("[]")).length).toBeGreaterThan(0);
  });

  it("goes on after a plan that is refused", async () => {
    const bad = { ...plan, spends: [{}] };
    const refused = prover.prove(JSON.parse(JSON.stringify(bad)), () => undefined, never);
    await expect(refused).rejects.toThrow("prove/bad-plan");
    const proved = await prover.prove(plan, () => undefined, never);
    proved.drop();
  });

  it("refuses what is asked after its end", async () => {
    const own = new ProverThread({ prover: "own", proofThreads: 1, cacheFolder: null });
    const waiting = own.prove(plan, () => undefined, never);
    await own.stop();
    await expect(waiting).rejects.toThrow("node/stopping");
    await expect(own.warm()).rejects.toThrow("node/stopping");
  });
});
