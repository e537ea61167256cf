/** Error of a payment over several transactions of which some went out: the sent ones have to be recorded. */
import type { Sompi, TxId } from "../base/brand.ts";
import { SvcError } from "../base/svcError.ts";
import { isOutcomeUnknown, type OutcomeUnknown } from "./outcomeUnknown.ts";

/** One transaction of a payment. */
export type PaidPart = { readonly txid: TxId; readonly amount: Sompi; readonly fee: Sompi };

/**
 * `signer/partly-paid`, with the transactions that the daemon took. Where the answer to the next one was lost, `unknown` names it and
 * holds what may be handed in again; else it is null and nothing more went out.
 */
export type PartlyPaid = SvcError<"signer/partly-paid"> & {
  readonly parts: readonly PaidPart[];
  readonly unknown: OutcomeUnknown | null;
};

/** The error of a payment of which these parts were sent before something failed. */
export function partlyPaid(parts: readonly PaidPart[], asked: Sompi, cause: unknown): PartlyPaid {
  const paid = parts.reduce((sum, part) => sum + part.amount, 0n);
  const { code } = SvcError.from(cause);
  const error = new SvcError("signer/partly-paid", { paid, asked, reason: code }, cause);
  return Object.assign(error, { parts, unknown: isOutcomeUnknown(cause) ? cause : null });
}

/** Whether an error tells of a payment that was made in part. */
export function isPartlyPaid(error: unknown): error is PartlyPaid {
  return SvcError.is(error, "signer/partly-paid") && "parts" in error && "unknown" in error;
}
