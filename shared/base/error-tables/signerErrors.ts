/** Error registry, rows of the device signer: why a prepared payment was not signed. */
import type { CodeOf } from "../generated/codes.ts";
import { caller, malformed, notNow, type ErrorInfo } from "./errorInfo.ts";

/** A refusal of the signer; nothing was signed then. */
function refused(sentence: string): ErrorInfo {
  return caller(`${sentence} Nothing was signed.`, 422);
}

/** The registry rows of area `signer`. */
export const signerErrors: { readonly [C in CodeOf<"signer">]: ErrorInfo } = {
  "signer/action-count": refused(
    "The prepared payment has {expected} actions and explains {found}.",
  ),
  "signer/amount-differs": refused(
    "The prepared payment pays {found} sompi to the payee, not {expected}.",
  ),
  "signer/bad-checksum": malformed(
    "The prepared payment was damaged on its way: its checksum does not fit.",
  ),
  "signer/bad-disclosure": refused(
    "The explanation of action {index} of the prepared payment is malformed: {reason}.",
  ),
  "signer/bad-prepared": malformed("The prepared payment is malformed: {reason}."),
  "signer/bad-randomized-key": refused("The key of action {index} is no key."),
  "signer/bad-randomizer": refused("The randomizer of action {index} is no canonical scalar."),
  "signer/balance-differs": refused(
    "The values of the prepared payment leave {expected} sompi over, and it declares {found}.",
  ),
  "signer/change-unreadable": refused(
    "Action {index} returns change that this wallet could not read.",
  ),
  "signer/claim-differs": refused(
    "What is said about the prepared payment is not what it does: {field}.",
  ),
  "signer/duplicate-action": refused("Action {index} has more than one randomizer."),
  "signer/extra-payment": refused(
    "Action {index} sends the payee more than the payment that was confirmed.",
  ),
  "signer/fee-above-maximum": refused(
    "The fee of {fee} sompi is above the approved maximum of {max}.",
  ),
  "signer/fee-differs": refused("The prepared payment has a fee of {found} sompi, not {expected}."),
  "signer/fee-not-positive": refused("The prepared payment has a fee of {fee} sompi."),
  "signer/memo-differs": refused("Action {index} carries another memo than the confirmed one."),
  "signer/missing-randomizer": refused("Action {index} spends value and has no randomizer."),
  "signer/not-unsigned": refused(
    "The prepared payment already has something in the place of signature {index}.",
  ),
  "signer/note-differs": refused(
    "Action {index} makes another note than the prepared payment explains.",
  ),
  "signer/not-ready": {
    ...notNow("The wallet's daemon does not say that it is ready to pay. Nothing was signed."),
    http: 503,
  },
  "signer/other-transaction": caller(
    "The proof is about payment {expected}, and this is {found}.",
    422,
  ),
  "signer/outcome-unknown": caller(
    "Payment {session} of {amount} sompi and a fee of {fee} was signed and handed in, and no answer says what became of it ({reason}). It may have been sent: hand it in again or look at the history before paying again.",
    409,
  ),
  "signer/output-recoverable": refused(
    "Action {index} could be read back with the viewing key, and no recoverable history was asked for.",
  ),
  "signer/output-unreadable": caller(
    "Action {index} pays in a way that the payee could not read.",
    422,
  ),
  "signer/output-unrecoverable": refused(
    "Action {index} could not be read back with the viewing key, and recoverable history was asked for.",
  ),
  "signer/partly-paid": caller(
    "{paid} of {asked} sompi were sent before the rest failed ({reason}). Look at what was sent before paying again.",
    409,
  ),
  "signer/payee-missing": refused("The prepared payment does not make payment {position}."),
  "signer/randomizer-mismatch": refused(
    "The randomizer of action {index} does not turn this wallet's key into the key of the action.",
  ),
  "signer/remaining": refused(
    "The prepared payment leaves {remaining} sompi unpaid, and it may not be split.",
  ),
  "signer/sighash-differs": refused(
    "The prepared payment claims the sighash {found}, and has {expected}.",
  ),
  "signer/too-many-parts": caller("The payment needs more than {max} transactions.", 422),
  "signer/unknown-action": caller("There is no action {index} in the payment.", 422),
  "signer/unnamed-payee": refused("Action {index} pays somebody who was not named."),
  "signer/unsupported-version": caller(
    "This signer does not know version {version} of prepared payments.",
    422,
  ),
  "signer/value-differs": caller("Action {index} moves another value than is explained.", 422),
  "signer/wrong-network": refused(
    "The prepared payment is for the network of genesis {found}, not {expected}.",
  ),
  "signer/wrong-session": refused("Session {found} is not that of this payment, {expected}."),
};
