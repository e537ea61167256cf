import { describe, expect, test } from "vitest";
import { ownProver } from "./planProver.ts";
import { ProofPool } from "./proofPool.ts";
import type { ProofShard } from "./proofShard.ts";
import type { RawProvingKeys, RawPaymentProof, RawPayment } from "./generated/proverGlue.ts";

const never = new AbortController().signal;
const STEPS = 3;

const payment: RawPayment = {
  bundle: () => Uint8Array.of(1),
  disclosure: () => "[]",
  alphas: () => "[]",
  sighash: () => new Uint8Array(32),
  finalize: () => Uint8Array.of(2),
  free() {},
};

/** A proof of three steps for one shard. */
class FakeProof implements RawPaymentProof {
  readonly name: string;
  readonly #log: string[];
  #step = 0;

  constructor(name: string, log: string[]) {
    this.name = name;
    this.#log = log;
  }

  next(): Uint8Array[] | undefined {
    this.#step += 1;
    if (this.#step > STEPS) return undefined;
    this.#log.push(`${this.name} ${this.#step}`);
    return [Uint8Array.of(this.#step)];
  }
  served = () => {};
  movable = () => false;
  phase = () => `step ${this.#step}`;
  fraction = () => this.#step / (STEPS + 1);
  payment = () => payment;
  free(): void {
    this.#log.push(`${this.name} freed`);
  }
}

/** A prover whose shard waits for `go` before each task, and what happened in order. */
function createProver() {
  const log: string[] = [];
  const keys: RawProvingKeys = {
    proof: (plan) => new FakeProof(plan, log),
    rehearsal: () => new FakeProof("rehearsal", log),
    shard: () => {
      throw new Error("not asked for");
    },
    verifier: () => {
      throw new Error("not asked for");
    },
    free() {},
  };
  const hooks = { task: () => Promise.resolve() };
  const shard: ProofShard = {
    ahead: 1,
    async run(task) {
      await hooks.task();
      return task;
    },
    forget: () => void log.push("forgotten"),
    ended: new Promise(() => {}),
    end() {},
  };
  const pool = new ProofPool({ size: 1, open: () => Promise.resolve(shard) });
  return { prover: ownProver(keys, pool), log, hooks };
}

const whole = (name: string) => [`${name} 1`, `${name} 2`, `${name} 3`, `${name} freed`];

describe("rehearsal", () => {
  test("runs once, and not after a wanted proof", async () => {
    const first = createProver();
    await first.prover.rehearse(never);
    await first.prover.rehearse(never);
    expect(first.log).toEqual(whole("rehearsal"));
    const second = createProver();
    await expect(second.prover.prove("wanted", () => {}, never)).resolves.toBe(payment);
    await second.prover.rehearse(never);
    expect(second.log).toEqual(whole("wanted"));
  });

  test("gives way to a wanted proof after the step at hand", async () => {
    const { prover, log, hooks } = createProver();
    let wanted: Promise<RawPayment> | undefined;
    hooks.task = async () => {
      wanted ??= prover.prove("wanted", () => {}, never);
    };
    await prover.rehearse(never);
    await expect(wanted).resolves.toBe(payment);
    expect(log).toEqual(["rehearsal 1", "forgotten", "rehearsal freed", ...whole("wanted")]);
  });

  test("does not begin while a proof is under way", async () => {
    const { prover, log, hooks } = createProver();
    const practised: Promise<void>[] = [];
    hooks.task = async () => void practised.push(prover.rehearse(never));
    await prover.prove("wanted", () => {}, never);
    await Promise.all(practised);
    expect(log).toEqual(whole("wanted"));
  });

  test("can be cancelled, and tried again", async () => {
    const { prover, log, hooks } = createProver();
    const abort = new AbortController();
    hooks.task = async () => abort.abort();
    await expect(prover.rehearse(abort.signal)).rejects.toThrow("run/aborted");
    await expect(prover.rehearse(abort.signal)).rejects.toThrow("run/aborted");
    hooks.task = () => Promise.resolve();
    await prover.rehearse(never);
    expect(log).toEqual(["rehearsal 1", "forgotten", "rehearsal freed", ...whole("rehearsal")]);
  });
});
