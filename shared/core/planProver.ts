/** From a payment plan to a proved payment: with our own engine over a pool, or with the upstream library. */
import { throwIfAborted } from "../base/abort.ts";
import { callCore } from "./callCore.ts";
import type { PhaseProgress, ProofPool } from "./proofPool.ts";
import type { ProverGlue, RawEngineKeys, RawPayment, RawProver } from "./proverGlue.ts";

/** Which implementation makes and checks proofs. Both make and accept the same ones. */
export const PROVER_KINDS = ["engine", "upstream"] as const;

/** One of them. */
export type ProverKind = (typeof PROVER_KINDS)[number];

/** Whether a text names an implementation. */
export function isProverKind(text: string): text is ProverKind {
  return PROVER_KINDS.some((kind) => kind === text);
}

/** Makes proofs, one at a time. */
export interface PlanProver {
  /** Makes everything ready that the first proof would wait for. */
  warm(signal: AbortSignal): Promise<void>;
  /**
   * Proves a plan; the payment belongs to the caller, who frees it. Throws `prove/*`, `shielded/*`, `keys/*`,
   * `profile/*`, `run/aborted`.
   */
  prove(planJson: string, progress: PhaseProgress, signal: AbortSignal): Promise<RawPayment>;
  /** Ends what was started. */
  stop(): void;
}

/** Our engine. The plan is built into actions in this thread, which is where the pool's coordinator lives. */
export function engineProver(keys: RawEngineKeys, pool: ProofPool): PlanProver {
  return {
    warm: (signal) => pool.warm(signal),
    async prove(planJson, progress, signal) {
      throwIfAborted(signal);
      progress("building", 0);
      const proof = callCore(() => keys.proof(planJson, pool.size));
      try {
        await pool.prove(proof, progress, signal);
        return callCore(() => proof.payment());
      } finally {
        proof.free();
      }
    },
    stop: () => pool.stop(),
  };
}

/** The upstream library in this thread; keys are built when they are first needed. */
export function upstreamProver(glue: ProverGlue): PlanProver {
  let keys: RawProver | null = null;
  const ready = () => (keys ??= callCore(() => new glue.Prover()));
  return {
    async warm() {
      ready();
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
