/** What the verification pool and its threads say to each other. */
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import type { ProofJob } from "./engineMessages.ts";

/** Pool → thread. */
export type VerifyRequest =
  | { readonly id: number; readonly job: ProofJob }
  | { readonly stop: true };

/** Thread → pool. */
export type VerifyReport =
  | { readonly kind: "ready" }
  /** `error` is null when proof and signatures hold. */
  | { readonly kind: "verdict"; readonly id: number; readonly error: ErrorJson | null }
  | { readonly kind: "failed"; readonly error: ErrorJson };

/** What a verifying thread is started with. */
export type VerifyWorkerData = { readonly profile: string };
