/** The stored form of a refund: 64-bit numbers as decimal text. */
import * as v from "valibot";
import { fields } from "../base/fields.ts";
import { REFUND_AMOUNTS, REFUND_STATES } from "../protocol/gateway/refundRecord.ts";
import { errorSchema } from "../wallet/state/paymentSchema.ts";
import type { Refund } from "./refund.ts";

const terms = v.object({
  id: fields.refundId,
  claim: fields.claimId,
  invoice: fields.invoiceId,
  merchant: fields.merchantId,
  orderId: v.string(),
  kind: v.picklist(REFUND_AMOUNTS),
  amount: fields.sompi,
  reason: v.nullable(v.string()),
  requiredBlueScore: fields.blueScore,
  createdMs: fields.timestampMs,
  expiresMs: fields.timestampMs,
});

/** Schema of a refund. */
export const refundSchema: v.GenericSchema<unknown, Refund> = v.object({
  terms,
  state: v.picklist(REFUND_STATES),
  address: v.nullable(fields.addressText),
  maxFee: v.nullable(fields.sompi),
  attempt: v.nullable(
    v.object({ wallet: v.string(), isOpen: v.boolean(), job: v.nullable(v.string()) }),
  ),
  txids: v.array(fields.txId),
  moved: fields.sompi,
  error: v.nullable(errorSchema),
  tries: fields.u32,
  dueMs: v.nullable(fields.timestampMs),
  updatedMs: fields.timestampMs,
});
