/** Schemas of stored payments and orders: a wallet's state holds them, and so does the store of a program that keeps them apart. */
import * as v from "valibot";
import { fields } from "../../base/fields.ts";
import { isCode, type ErrorJson } from "../../base/svcError.ts";
import {
  PAYMENT_ORDER_VERSION,
  type Payee,
  type Payment,
  type PaymentOrder,
  type PaymentStatus,
} from "./payment.ts";

/** An error that was kept. */
export const errorSchema: v.GenericSchema<unknown, ErrorJson> = v.object({
  code: v.pipe(v.string(), v.guard(isCode)),
  data: v.record(v.string(), v.string()),
});

/** Chain states nest at most expired → accepted → settled on top of a local one. */
const status: v.GenericSchema<unknown, PaymentStatus> = v.variant("state", [
  v.object({
    state: v.picklist(["draft", "planned", "proving", "signing", "signed", "cancelled"]),
  }),
  v.object({
    state: v.picklist(["broadcasting", "mempool"]),
    attempts: fields.u32,
    lastAttemptMs: fields.timestampMs,
    lastError: v.nullable(errorSchema),
  }),
  v.object({ state: v.literal("failed"), error: errorSchema }),
  v.object({
    state: v.picklist(["accepted", "settled"]),
    at: fields.chainIndex,
    blueScore: fields.blueScore,
    previous: v.nullable(v.lazy(() => status)),
  }),
  v.object({
    state: v.literal("conflicted"),
    at: fields.chainIndex,
    txid: fields.txId,
    previous: v.nullable(v.lazy(() => status)),
  }),
  v.object({
    state: v.literal("expired"),
    at: fields.chainIndex,
    previous: v.nullable(v.lazy(() => status)),
  }),
]);

/** A checked payee. */
export const payeeSchema: v.GenericSchema<unknown, Payee> = v.object({
  address: fields.addressText,
  recipient: fields.rawAddress,
  value: fields.sompi,
  memo: fields.hex,
  own: v.boolean(),
});

/** A payment with its status and its signed bytes. */
export const paymentSchema: v.GenericSchema<unknown, Payment> = v.object({
  id: v.string(),
  createdMs: fields.timestampMs,
  payees: v.array(payeeSchema),
  fee: fields.sompi,
  change: fields.sompi,
  anchor: v.nullable(
    v.object({ hash: fields.blockHash, root: fields.anchor, blueScore: fields.blueScore }),
  ),
  reserved: v.array(
    v.object({
      position: fields.leafPosition,
      nullifier: fields.nullifier,
      value: fields.sompi,
    }),
  ),
  txid: v.nullable(fields.txId),
  raw: v.nullable(fields.hex),
  outputs: v.exactOptional(
    v.array(
      v.object({
        index: fields.u32,
        recipient: fields.rawAddress,
        value: fields.sompi,
        rseed: fields.hex,
        rho: v.exactOptional(fields.hash32),
      }),
    ),
  ),
  status,
});

/** A payment over several transactions as it was confirmed. A record of another version is damage: no build wrote one. */
export const paymentOrderSchema: v.GenericSchema<unknown, PaymentOrder> = v.object({
  version: v.literal(PAYMENT_ORDER_VERSION),
  id: v.string(),
  createdMs: fields.timestampMs,
  payees: v.pipe(v.array(payeeSchema), v.minLength(1)),
  maxFee: fields.sompi,
  separate: v.boolean(),
  recoverable: v.boolean(),
  stopped: v.nullable(errorSchema),
});
