/** Message types between a program and its prover thread. */
import type { ErrorJson } from "@svc/shared/base/svcError.ts";

/** A call into the prover thread; `id` comes back with every report about it. */
export type ProverRequest =
  | { readonly id: number; readonly kind: "prove"; readonly plan: string }
  | { readonly id: number; readonly kind: "finalize"; readonly signatures: string }
  | {
      readonly id: number;
      readonly kind: "verify";
      readonly profile: string;
      readonly raw: Uint8Array;
      readonly format: number;
    }
  | { readonly id: number; readonly kind: "warm" };

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
