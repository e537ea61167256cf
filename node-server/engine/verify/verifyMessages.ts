/** Messages between the verification pool and its threads. */
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import type { ProverKind } from "@svc/shared/core/planProver.ts";
import type { ProofJob } from "../calls/engineMessages.ts";

/** Messages to a verifier thread. */
export type VerifyRequest =
  /** Proofs to be judged together. */
  { readonly id: number; readonly jobs: readonly ProofJob[] } | { readonly stop: true };

/** Messages from a verifier thread. */
export type VerifyReport =
  | { readonly kind: "ready" }
  /** One entry per job, null when proof and signatures hold. */
  | {
      readonly kind: "verdicts";
      readonly id: number;
      readonly errors: readonly (ErrorJson | null)[];
    }
  | { readonly kind: "failed"; readonly error: ErrorJson };

/** The start parameters of a verifier thread. */
export type VerifyWorkerData = {
  /** Canonical profile. */
  readonly profile: string;
  readonly prover: ProverKind;
  /** Folder of derived tables, or null: nothing is stored then. */
  readonly cacheFolder: string | null;
  /** Where set-up left them; they are read there when the other folder has none. */
  readonly setUpFolder: string | null;
};
