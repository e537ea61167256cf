import { describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { ProvePlan } from "@svc/shared/wallet/state/provePlan.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import type { HeldPayment } from "../../proving/proverThread.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { ProofQueue, proversFor, type QueuedProver } from "./proofQueue.ts";

const quiet = () => undefined;
const { signal: never } = new AbortController();
const held: HeldPayment = {
  bundle: new Uint8Array(),
  disclosure: "[]",
  alphas: "[]",
  finalize: async () => new Uint8Array(),
  drop: quiet,
};

/** A plan that is told by a name; so many notes. */
function planOf(name: string, spends = 1): ProvePlan {
  const spend = { recipient: "", value: "1", rho: "", rseed: "", position: "0", path: "" };
  return {
    profile: name,
    fvk: "",
    daaScore: "0",
    anchor: "" as never,
    anchorBlock: "",
    spends: Array.from({ length: spends }, () => spend),
    outputs: [],
    fee: "0",
    recoverable: false,
  };
}

/** A prover that proves when it is told to. */
class StepProver implements QueuedProver {
  readonly began: unknown[] = [];
  warmed = 0;
  #end: { resolve: (held: HeldPayment) => void; reject: (error: Error) => void } | null = null;

  prove(plan: ProvePlan): Promise<HeldPayment> {
    this.began.push(plan.profile);
    return new Promise((resolve, reject) => {
      this.#end = { resolve, reject };
    });
  }

  async finish(failure?: Error): Promise<void> {
    if (failure === undefined) this.#end?.resolve(held);
    else this.#end?.reject(failure);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  }

  async warm(): Promise<void> {
    this.warmed += 1;
  }

  async stop(): Promise<void> {}
}

describe("the proof queue", () => {
  it("gives each wallet its turn, however many proofs another one wants", async () => {
    const prover = new StepProver();
    const queue = new ProofQueue({ provers: [prover], clock: new ManualClock(0n) });
    const all = ["a1", "a2", "a3", "b1", "c1", "b2"].map((name) =>
      queue.proverFor(name.slice(0, 1)).prove(planOf(name), quiet, never),
    );
    await Promise.resolve();
    expect(queue.waiting).toBe(5);
    for (let proofs = 0; proofs < 6; proofs += 1) await prover.finish();
    await Promise.all(all);
    expect(prover.began).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
    expect([queue.waiting, queue.proving]).toEqual([0, 0]);
  });

  it("gives a wallet that is alone all provers", async () => {
    const provers = [new StepProver(), new StepProver()];
    const queue = new ProofQueue({ provers, clock: new ManualClock(0n) });
    const port = queue.proverFor("a");
    const both = ["1", "2"].map((name) => port.prove(planOf(name), quiet, never));
    await Promise.resolve();
    expect(provers.map(({ began }) => began)).toEqual([["1"], ["2"]]);
    for (const prover of provers) await prover.finish();
    await Promise.all(both);
  });

  it("lets those go that no longer wait", async () => {
    const prover = new StepProver();
    const queue = new ProofQueue({ provers: [prover], clock: new ManualClock(0n) });
    const stop = new AbortController();
    const first = queue.proverFor("a").prove(planOf("a"), quiet, never);
    const gone = queue.proverFor("b").prove(planOf("b"), quiet, stop.signal);
    const last = queue.proverFor("c").prove(planOf("c"), quiet, never);
    stop.abort();
    await expect(gone).rejects.toThrow("run/aborted");
    await expect(queue.proverFor("b").prove(planOf("b"), quiet, stop.signal)).rejects.toThrow(
      "run/aborted",
    );
    await prover.finish();
    await prover.finish();
    await Promise.all([first, last]);
    expect(prover.began).toEqual(["a", "c"]);
  });

  it("loses one proof with a thread that dies, and warms the one in its place", async () => {
    const prover = new StepProver();
    const queue = new ProofQueue({ provers: [prover], clock: new ManualClock(0n) });
    const died = queue.proverFor("a").prove(planOf("a"), quiet, never);
    const next = queue.proverFor("b").prove(planOf("b"), quiet, never);
    await Promise.resolve();
    await Promise.all([
      expect(died).rejects.toThrow("engine/panic"),
      prover.finish(new SvcError("engine/panic", { message: "a test" })),
    ]);
    expect(prover.warmed).toBe(1);
    await prover.finish();
    expect(await next).toBe(held);
  });

  it("refuses more than its bound", async () => {
    const prover = new StepProver();
    const queue = new ProofQueue({ provers: [prover], clock: new ManualClock(0n) });
    const stop = new AbortController();
    const port = queue.proverFor("a");
    const limit = WALLETD_LIMITS.spendProofsWaiting;
    const all = Array.from({ length: limit + 1 }, () =>
      port.prove(planOf("a"), quiet, stop.signal),
    );
    await expect(port.prove(planOf("a"), quiet, never)).rejects.toThrow(
      `queue/full (queue=proofs, limit=${limit})`,
    );
    stop.abort();
    await prover.finish(new SvcError("run/aborted", {}));
    const settled = await Promise.allSettled(all);
    expect(settled.every(({ status }) => status === "rejected")).toBe(true);
    expect(queue.waiting).toBe(0);
  });

  it("learns how long a note takes", async () => {
    const prover = new StepProver();
    const clock = new ManualClock(0n);
    const queue = new ProofQueue({ provers: [prover], clock });
    expect(queue.pace.secondsFor(10)).toBe(null);
    const proof = queue.proverFor("a").prove(planOf("a", 4), quiet, never);
    await Promise.resolve();
    clock.advance(8_000);
    await prover.finish();
    await proof;
    expect(queue.pace.secondsFor(10)).toBe(20);
  });

  it("has as many provers as the machine has cores for", () => {
    expect([1, 2, 16].map((cores) => proversFor(cores))).toEqual([1, 2, 2]);
  });
});
