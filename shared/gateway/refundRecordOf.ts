/** The records of a refund: what its merchant reads, and what its payer is shown. */
import { publicSentenceOf } from "../base/errors.ts";
import { SvcError } from "../base/svcError.ts";
import type { Refund } from "../invoice/refund.ts";
import { seconds, type RecordPlace } from "./invoiceRecordOf.ts";

/** The merchant's record, as JSON. */
export function refundRecordOf(refund: Refund, place: Pick<RecordPlace, "publicUrl">) {
  const { terms, state, address, txids, error } = refund;
  return {
    id: terms.id,
    invoiceId: terms.invoice,
    orderId: terms.orderId,
    amount: terms.kind,
    amountSompi: String(terms.amount),
    state,
    claimUrl: `${place.publicUrl}/claim/${terms.claim}`,
    address,
    reason: terms.reason,
    txid: txids[0] ?? null,
    error:
      error === null
        ? null
        : { error: publicSentenceOf(SvcError.fromJson(error)), code: error.code },
    expiresAt: seconds(terms.expiresMs),
    createdAt: seconds(terms.createdMs),
    updatedAt: seconds(refund.updatedMs),
  } as const;
}

/** The payer's record, as JSON: nothing of the order, the merchant's reason or a transaction. */
export function claimRecordOf(
  { terms, state, address }: Refund,
  { network, nowMs }: Pick<RecordPlace, "network" | "nowMs">,
  storeName: string,
) {
  return {
    state,
    amountSompi: String(terms.amount),
    address,
    storeName,
    network,
    expiresAt: seconds(terms.expiresMs),
    serverTime: seconds(nowMs),
  } as const;
}
