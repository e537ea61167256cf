/** What a refusal of a payment by core or node is called in answers of x402. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { PaymentFault } from "@svc/shared/gateway/x402/facilitatorPort.ts";

/** Refusals that say that a note is spent, or is about to be: by this payment or by another one. */
const SPENT: ReadonlySet<string> = new Set([
  "tx/nullifier-spent",
  "mempool/nullifier-conflict",
  "mempool/duplicate",
  "mempool/already-applied",
]);
const ANCHOR: ReadonlySet<string> = new Set([
  "tx/anchor-too-old",
  "tx/anchor-not-final",
  "tx/anchor-block-mismatch",
]);
/** Areas of what a node, or the line to it, has to say of itself. */
const OF_NODE = /^(?:engine|mempool|node|queue|tx|wallet)\//;
/** Areas of verdicts on the bytes of a payment. */
const OF_PAYMENT = /^(?:codec|mass|shielded|tx)\//;

/** What a caller hears where the node could not say anything of the payment; an error of the gateway's own stays what it is. */
export function unavailableFor(error: SvcError): SvcError {
  if (!OF_NODE.test(error.code)) return error;
  return new SvcError("http/unavailable", { reason: `the node: ${error.code}` }, error);
}

/** The fault of a payment; null for an error that is none of its own: the node is away, busy or full. */
export function paymentFaultOf(error: SvcError): PaymentFault | null {
  const { code } = error;
  if (SPENT.has(code)) return "invalid_exact_svc_already_used";
  if (ANCHOR.has(code)) return "invalid_exact_svc_anchor";
  if (code === "mempool/fee-too-low") return "invalid_exact_svc_fee";
  if (code === "tx/missing-verdict") return null;
  if (OF_PAYMENT.test(code) || code === "mempool/mass-too-high") {
    return "invalid_exact_svc_transaction";
  }
  return null;
}
