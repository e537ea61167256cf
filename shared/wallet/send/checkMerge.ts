/** Check of a merge that nobody confirmed: the signer's own, before it signs (decision 53). */
import { formatCoins } from "../../base/money.ts";
import { SvcError } from "../../base/svcError.ts";
import type { IntendedPart } from "../state/provePlan.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";

/**
 * Checks that all of it goes to addresses of the wallet itself, without a memo, for a fee within `mergeBackgroundFee`. `isOwn` knows
 * the addresses of the signer's own key, in hex. Throws `signer/unnamed-payee`, `signer/memo-differs` and
 * `signer/fee-above-maximum`.
 */
export function checkMerge(
  { payments, fee }: IntendedPart,
  isOwn: (address: string) => boolean,
): void {
  for (const [index, { address, memo }] of payments.entries()) {
    if (!isOwn(address)) throw new SvcError("signer/unnamed-payee", { index });
    if (memo !== "") throw new SvcError("signer/memo-differs", { index });
  }
  const max = WALLET_LIMITS.mergeBackgroundFee;
  if (BigInt(fee) <= max) return;
  const told = { fee: formatCoins(BigInt(fee)), max: formatCoins(max) };
  throw new SvcError("signer/fee-above-maximum", told);
}
