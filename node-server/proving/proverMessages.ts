/** Message types between a program and its prover thread. */
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import type { ProverKind } from "@svc/shared/core/planProver.ts";

/** The start parameters of a prover thread. */
export type ProverWorkerData = {
  readonly prover: ProverKind;
  /** Threads that share a proof, the prover thread included; null takes what suits the machine. */
  readonly proofThreads: number | null;
  /** Folder for tables that the next start reads, or null. */
  readonly cacheFolder: string | null;
};

/** A call into the prover thread; `id` comes back with every report about it. `proof` is the id of the call that proved. */
export type ProverCall =
  | { readonly kind: "warm" }
  | { readonly kind: "prove"; readonly plan: string }
  | { readonly kind: "finalize"; readonly proof: number; readonly signatures: string }
  | {
      readonly kind: "verify";
      readonly profile: string;
      readonly raw: Uint8Array;
      readonly format: number;
    };

/**
 * Messages to the prover thread: a numbered call; that nobody waits for the proof of this number any more, made or not; or the
 * request to end.
 */
export type ProverRequest =
  | ({ readonly id: number } & ProverCall)
  | { readonly kind: "drop"; readonly proof: number }
  | { readonly kind: "stop" };

/** What the thread reports. Times are milliseconds of the work itself, key setup apart. */
export type ProverReport =
  | {
      readonly id: number;
      readonly kind: "progress";
      readonly stage: string;
      readonly fraction: number;
    }
  | {
      readonly id: number;
      readonly kind: "proved";
      readonly bundle: Uint8Array;
      readonly disclosure: string;
      readonly alphas: string;
      readonly ms: number;
    }
  | { readonly id: number; readonly kind: "warmed" }
  | { readonly id: number; readonly kind: "finalized"; readonly raw: Uint8Array }
  | { readonly id: number; readonly kind: "verified"; readonly error: string; readonly ms: number }
  | { readonly id: number; readonly kind: "refused"; readonly error: ErrorJson };
