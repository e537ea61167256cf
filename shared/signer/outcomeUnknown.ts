/** Error of a payment whose signatures were handed in and whose answer was lost: it may have been sent. */
import type { Sompi } from "../base/brand.ts";
import { SvcError } from "../base/svcError.ts";
import type { SubmitBody } from "./walletDaemon.ts";

/** A transaction of which nobody said whether it went out. */
export type PartInDoubt = { readonly session: string; readonly amount: Sompi; readonly fee: Sompi };

/**
 * `signer/outcome-unknown`. To hand `body` in again is safe at any time: the daemon sends a session once and gives the same answer.
 * To pay anew is not: other notes would be chosen.
 */
export type OutcomeUnknown = SvcError<"signer/outcome-unknown"> & {
  readonly inDoubt: PartInDoubt;
  readonly body: SubmitBody;
};

/** The error of a payment of which no answer says what became of it. */
export function outcomeUnknown(
  inDoubt: PartInDoubt,
  body: SubmitBody,
  cause: unknown,
): OutcomeUnknown {
  const { code } = SvcError.from(cause);
  const error = new SvcError("signer/outcome-unknown", { ...inDoubt, reason: code }, cause);
  return Object.assign(error, { inDoubt, body });
}

/** Whether an error leaves open what became of a payment. */
export function isOutcomeUnknown(error: unknown): error is OutcomeUnknown {
  return SvcError.is(error, "signer/outcome-unknown") && "inDoubt" in error && "body" in error;
}
