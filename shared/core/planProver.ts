/** Proves a payment plan: with our own prover over a pool, or with the upstream library. */
import { throwIfAborted } from "../base/abort.ts";
import { callCore } from "./callCore.ts";
import type { PhaseProgress, ProofPool } from "./proofPool.ts";
import type {
  ProverGlue,
  RawProvingKeys,
  RawPaymentProof,
  RawPayment,
  RawProver,
} from "./generated/proverGlue.ts";

/** The implementations that make and check proofs. Both make and accept the same ones. */
export const PROVER_KINDS = ["own", "upstream"] as const;

/** An implementation. */
export type ProverKind = (typeof PROVER_KINDS)[number];

/** Whether a text names an implementation. */
export function isProverKind(text: string): text is ProverKind {
  return PROVER_KINDS.some((kind) => kind === text);
}

/** A prover that makes proofs of payment plans, one at a time. */
export interface PlanProver {
  /** Makes everything ready that the first proof would wait for. */
  warm(signal: AbortSignal): Promise<void>;
  /**
   * Makes a proof that nobody wants, for idle time after `warm`: the host has compiled the code well when the first
   * wanted proof begins. Does nothing once a proof was made. A proof that is asked for meanwhile ends it, after the
   * step at hand. Throws `run/aborted` when it is cancelled, `prove/*`, `keys/*`.
   */
  rehearse(signal: AbortSignal): Promise<void>;
  /**
   * Proves a plan; the payment belongs to the caller, who frees it. Throws `prove/*`, `shielded/*`, `keys/*`,
   * `profile/*`, `run/aborted`.
   */
  prove(planJson: string, progress: PhaseProgress, signal: AbortSignal): Promise<RawPayment>;
  /** Ends what was started. */
  stop(): void;
}

/** Makes our own prover. The plan is built into actions in this thread, which is where the pool's coordinator lives. */
export function ownProver(keys: RawProvingKeys, pool: ProofPool): PlanProver {
  return new OwnProver(keys, pool);
}

class OwnProver implements PlanProver {
  readonly #keys: RawProvingKeys;
  readonly #pool: ProofPool;
  /** Ends the rehearsal under way. */
  #rehearsal: AbortController | null = null;
  #practised = false;
  #wanted = 0;

  constructor(keys: RawProvingKeys, pool: ProofPool) {
    this.#keys = keys;
    this.#pool = pool;
  }

  warm(signal: AbortSignal): Promise<void> {
    return this.#pool.warm(signal);
  }

  async rehearse(signal: AbortSignal): Promise<void> {
    throwIfAborted(signal);
    if (this.#practised || this.#wanted > 0 || this.#rehearsal !== null) return;
    const giveWay = new AbortController();
    this.#rehearsal = giveWay;
    try {
      const proof = callCore(() => this.#keys.rehearsal(this.#pool.size));
      await this.#run(proof, ignore, AbortSignal.any([signal, giveWay.signal]), ignore);
    } catch (error) {
      if (signal.aborted || !giveWay.signal.aborted) throw error;
    } finally {
      this.#rehearsal = null;
    }
  }

  async prove(planJson: string, progress: PhaseProgress, signal: AbortSignal): Promise<RawPayment> {
    throwIfAborted(signal);
    this.#rehearsal?.abort();
    this.#wanted += 1;
    try {
      progress("building", 0);
      const proof = callCore(() => this.#keys.proof(planJson, this.#pool.size));
      return await this.#run(proof, progress, signal, () => proof.payment());
    } finally {
      this.#wanted -= 1;
    }
  }

  stop(): void {
    this.#pool.stop();
  }

  async #run<Result>(
    proof: RawPaymentProof,
    progress: PhaseProgress,
    signal: AbortSignal,
    finish: () => Result,
  ): Promise<Result> {
    try {
      await this.#pool.prove(proof, progress, signal);
      this.#practised = true;
      return callCore(finish);
    } finally {
      proof.free();
    }
  }
}

function ignore(): void {
  // Nobody follows a rehearsal.
}

/** Makes a prover with the upstream library in this thread; keys are built when they are first needed. */
export function upstreamProver(glue: ProverGlue): PlanProver {
  let keys: RawProver | null = null;
  const ready = () => (keys ??= callCore(() => new glue.Prover()));
  return {
    async warm() {
      ready();
    },
    async rehearse() {
      // A proof of many seconds, which nothing can end, would make the first wanted one wait.
    },
    async prove(planJson, progress, signal) {
      throwIfAborted(signal);
      return callCore(() => ready().prove(planJson, progress));
    },
    stop() {
      keys?.free();
      keys = null;
    },
  };
}
