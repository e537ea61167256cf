/** Relay policy (standardness): what the pool asks of a transaction beyond consensus (specification shielded 13.1, 13.2). */
import { MEMPOOL_LIMITS } from "./mempoolLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { TxCheck } from "../engine/calls/engineFacts.ts";

/** Checks a transaction against the relay policy. Errors: `mempool/mass-too-high`, `mempool/fee-too-low`. */
export function requireStandard(
  check: Pick<TxCheck, "computeMass" | "transientMass" | "fee" | "minimumFee">,
): void {
  requireMass(check.computeMass, MEMPOOL_LIMITS.standardComputeMass);
  requireMass(check.transientMass, MEMPOOL_LIMITS.standardTransientMass);
  if (check.fee < check.minimumFee) {
    throw new SvcError("mempool/fee-too-low", { fee: check.fee, minimum: check.minimumFee });
  }
}

function requireMass(mass: bigint, max: number): void {
  if (mass > BigInt(max)) throw new SvcError("mempool/mass-too-high", { mass, max });
}
