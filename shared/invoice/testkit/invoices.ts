/** Test helper: invoices, outputs and blocks with few words. */
import {
  asAddressText,
  asBlockHash,
  asBlueScore,
  asDaaScore,
  asInvoiceId,
  asMerchantId,
  asNoteCommitment,
  asRawAddress,
  asSompi,
  asTimestampMs,
  asTxId,
  asViewingKeyId,
} from "../../base/brand.ts";
import {
  newInvoice,
  type AcceptingBlock,
  type Invoice,
  type InvoicePolicy,
  type PaymentOutput,
} from "../invoice.ts";
import type { InvoiceMoment } from "../invoiceInput.ts";

/** Time of the invoice's making and of its expiry, ms. */
export const MADE_MS = asTimestampMs(1_000_000n);
/** 15 minutes later. */
export const EXPIRES_MS = asTimestampMs(1_900_000n);

/** A policy without tolerances that asks for ten blocks. */
export const TEST_POLICY: InvoicePolicy = {
  requiredBlueScore: asBlueScore(10n),
  toleranceUnder: asSompi(0n),
  toleranceOver: asSompi(0n),
  graceMs: 0n,
  late: "hold",
  monitorMs: 86_400_000n,
  poolLimit: asSompi(0n),
};

/** An invoice over 100 sompi. */
export function testInvoice(policy: Partial<InvoicePolicy> = {}, amount = 100n): Invoice {
  return newInvoice({
    id: asInvoiceId(`inv_${"0".repeat(31)}1`),
    merchant: asMerchantId("shop"),
    orderId: "order 1",
    address: {
      key: asViewingKeyId(`key_${"1".repeat(16)}`),
      index: 0x8000_0000,
      raw: asRawAddress("22".repeat(43)),
      text: asAddressText(`svctest:${"q".repeat(79)}`),
    },
    amount: asSompi(amount),
    createdMs: MADE_MS,
    createdBlueScore: asBlueScore(1_000n),
    expiresMs: EXPIRES_MS,
    lifeMs: EXPIRES_MS - MADE_MS,
    policy: { ...TEST_POLICY, ...policy },
    redirectUrl: null,
    language: null,
    metadata: {},
    quote: null,
  });
}

/** An output of its own transaction. */
export function outputOf(number: number, amount: bigint): PaymentOutput {
  const digits = number.toString(16).padStart(64, "0");
  return {
    txid: asTxId(digits),
    outputIndex: 0,
    cmx: asNoteCommitment(digits),
    amount: asSompi(amount),
  };
}

/** A block at a blue score, mined at a time. `branch` tells blocks of one score apart. */
export function blockAt(blueScore: bigint, timestampMs: bigint, branch = 0): AcceptingBlock {
  return {
    hash: asBlockHash((blueScore * 0x1_0000n + BigInt(branch)).toString(16).padStart(64, "0")),
    blueScore: asBlueScore(blueScore),
    daaScore: asDaaScore(blueScore + 7n),
    timestampMs: asTimestampMs(timestampMs),
  };
}

/** A moment: so many ms after the invoice was made, with the sink at this blue score. */
export function momentAt(afterMs: bigint, tip: bigint | null): InvoiceMoment {
  return {
    nowMs: asTimestampMs(MADE_MS + afterMs),
    tip: tip === null ? null : asBlueScore(tip),
  };
}
