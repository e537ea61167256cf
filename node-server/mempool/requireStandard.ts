/** What the pool relays beyond what consensus allows (specification shielded 13.1, 13.2). */
import { LIMITS } from "@svc/shared/base/limits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { TxCheck } from "../consensus/engineFacts.ts";

/** Errors: `mempool/mass-too-high`, `mempool/fee-too-low`. */
export function requireStandard(
  check: Pick<TxCheck, "computeMass" | "transientMass" | "fee" | "minimumFee">,
): void {
  requireMass(check.computeMass, LIMITS.standardComputeMass);
  requireMass(check.transientMass, LIMITS.standardTransientMass);
  if (check.fee < check.minimumFee) {
    throw new SvcError("mempool/fee-too-low", { fee: check.fee, minimum: check.minimumFee });
  }
}

function requireMass(mass: bigint, max: number): void {
  if (mass > BigInt(max)) throw new SvcError("mempool/mass-too-high", { mass, max });
}
