/** Error registry, rows of payments: transactions, their bundles, the mempool, proving. */
import type { CodeOf } from "../generated/codes.ts";
import {
  busy,
  caller,
  defect,
  malformed,
  notNow,
  ruleBroken,
  type ErrorInfo,
} from "./errorInfo.ts";

type Area = "tx" | "shielded" | "mempool" | "prove";

/** The registry rows of the areas above. */
export const paymentErrors: { readonly [C in CodeOf<Area>]: ErrorInfo } = {
  "tx/anchor-block-mismatch": ruleBroken(
    "Block {block} does not have the anchor {anchor} that the payment names.",
    "minor",
  ),
  // Right or wrong by the height at which it is judged: around the fork honest peers pass on both.
  "tx/anchor-block-missing": ruleBroken(
    "The payment does not name the block of its anchor.",
    "minor",
  ),
  "tx/anchor-block-unexpected": ruleBroken(
    "The payment names the block of its anchor before the network takes that.",
    "minor",
  ),
  "tx/anchor-not-final": notNow(
    "The payment was proved against a state that is not final here; prove it again.",
  ),
  "tx/anchor-too-old": notNow("The payment was proved too long ago; prove it again.", false),
  "tx/burn-disabled": ruleBroken("The payment burns coins, which this network does not allow."),
  "tx/gas-not-zero": ruleBroken("The payment pays for gas, which this network does not have."),
  "tx/has-inputs": ruleBroken("A shielded payment must not have transparent inputs."),
  "tx/has-outputs": ruleBroken("A shielded payment must not have transparent outputs."),
  "tx/invalid-proof": ruleBroken(
    "The payment's proof or one of its signatures is invalid: {reason}.",
  ),
  "tx/lock-time": notNow("The payment is locked until {lockTime}."),
  "tx/missing-verdict": defect("The proof of transaction {txid} was used before it was verified."),
  "tx/negative-fee": ruleBroken("The payment would create coins."),
  "tx/no-actions": ruleBroken("The payment does nothing."),
  "tx/not-shielded": ruleBroken("This is not a shielded payment."),
  "tx/nullifier-spent": notNow("A note of this payment is already spent.", false),
  "tx/script-too-long": ruleBroken(
    "A script of the transaction has {length} bytes; at most {max} are allowed.",
  ),
  "tx/storage-mass-not-zero": ruleBroken(
    "The payment commits to storage mass {mass}; it must be zero.",
  ),
  "tx/too-many-inputs": ruleBroken(
    "The transaction has {count} inputs; at most {max} are allowed.",
  ),
  "tx/too-many-outputs": ruleBroken(
    "The transaction has {count} outputs; at most {max} are allowed.",
  ),
  "tx/unsupported-subnetwork": ruleBroken("Transactions of subnetwork {subnetwork} are not taken."),
  "tx/unsupported-version": ruleBroken("Transactions of version {version} are not taken."),

  "shielded/bad-anchor-log": malformed("The anchor log is damaged: {reason}."),
  "shielded/bad-binding-length": malformed(
    "The binding signature has {found} bytes instead of 64.",
  ),
  "shielded/bad-field": malformed(
    "Action {action}: {field} is not a canonical number of its field.",
  ),
  "shielded/bad-flags": malformed("The bundle's flags {flags} are not a known combination."),
  "shielded/bad-frontier": malformed("The state of the note tree is damaged: {reason}."),
  "shielded/bad-note": malformed("A note cannot be made from these values: {reason}."),
  "shielded/bad-point": malformed("Action {action}: {field} is not a point of its curve."),
  "shielded/bad-position": malformed("Note {position} is not in a tree of {size} notes."),
  "shielded/bad-proof-length": malformed(
    "The proof has {found} bytes; its actions need {expected}.",
  ),
  "shielded/bad-recipient": malformed("The receiver is not a shielded address."),
  "shielded/bad-witness": malformed("The path of note {position} does not lead to the anchor."),
  "shielded/binding-signature-invalid": ruleBroken("The payment's binding signature is invalid."),
  "shielded/identity-point": malformed(
    "Action {action}: {field} is the identity, which is forbidden.",
  ),
  "shielded/no-actions": malformed("The bundle has no actions."),
  "shielded/proof-invalid": ruleBroken("The payment's zero-knowledge proof is invalid."),
  "shielded/spend-signature-invalid": ruleBroken(
    "The spend signature of action {action} is invalid.",
  ),
  "shielded/too-many-actions": malformed(
    "The bundle has {count} actions; the format ends at {max}.",
  ),
  "shielded/tree-full": defect("The note tree has no room left."),

  "mempool/already-applied": notNow("The payment is already in the chain.", false),
  "mempool/duplicate": notNow("The payment is already waiting.", false),
  "mempool/fee-too-low": ruleBroken("The fee of {fee} is below the minimum of {minimum}.", "none"),
  "mempool/full": busy("The node has no room for more waiting payments."),
  "mempool/mass-too-high": ruleBroken(
    "The payment's mass is {mass}; nodes relay at most {max}.",
    "minor",
  ),
  "mempool/nullifier-conflict": notNow("Another waiting payment spends the same note.", false),
  "mempool/verification-queue-full": busy(
    "The node is busy verifying other payments; try again in a moment.",
  ),

  "prove/assets-damaged": defect("The circuit data cannot be used: {reason}."),
  "prove/bad-plan": caller("The payment cannot be proved as planned: {reason}.", 422),
  "prove/check-failed": defect(
    "The proof that was made does not hold ({reason}), so nothing was sent: this program or this machine computes wrong.",
  ),
  "prove/failed": defect("Proving failed: {reason}."),
  "prove/missing-signature": caller("Spend {index} of the payment has no signature.", 422),
  "prove/unbalanced": caller(
    "Inputs of {inputs} do not cover outputs of {outputs} and the fee of {fee}.",
    422,
  ),
};
