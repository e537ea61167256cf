/** Payment proof: shows a third party without keys whom one output of a payment pays (specification shielded 18). */
import * as v from "valibot";
import type { DaaScore, TxId } from "../base/brand.ts";
import { fields } from "../base/fields.ts";
import { SvcError } from "../base/svcError.ts";
import { callCore } from "../core/callCore.ts";
import type { CoreGlue } from "../core/generated/coreGlue.ts";
import { parseExactJson } from "./wire/exactJson.ts";
import type { DisclosedAction } from "./preparedPayment.ts";
import { preparedFields, readPrepared } from "./wire/preparedFields.ts";

const { hex32 } = preparedFields;
const schema = v.strictObject({
  txid: fields.txId,
  index: fields.u32,
  recipient: fields.rawAddress,
  value: fields.sompi,
  rseed: hex32,
  spent: v.optional(v.strictObject({ value: fields.sompi, rcv: hex32 })),
});
const proven = v.object({
  recipient: fields.rawAddress,
  value: fields.sompi,
  memo: fields.hex,
});

/** What a payer publishes. With `spent` it also shows the value of the note that the same action spends. */
export type PaymentProof = v.InferOutput<typeof schema>;

/** What a proof shows: payee, sompi, and the memo as hex without padding. */
export type ProvenPayment = v.InferOutput<typeof proven>;

/** The proof of one action of a payment, without what it spends. Throws `signer/unknown-action`. */
export function paymentProofOf(
  txid: TxId,
  disclosure: readonly DisclosedAction[],
  index: number,
): PaymentProof {
  const entry = disclosure[index];
  if (entry === undefined) throw new SvcError("signer/unknown-action", { index });
  const { outRecipient, outValue, outRseed } = entry;
  return { txid, index, recipient: outRecipient, value: outValue, rseed: outRseed };
}

/** The proof as JSON. */
export function writePaymentProof(proof: PaymentProof): string {
  return JSON.stringify(proof, (_key, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
}

/** Reads a proof. Throws `signer/bad-prepared`. */
export function readPaymentProof(text: string): PaymentProof {
  return readPrepared(schema, parseExactJson(text));
}

/** A payment as a node gives it, and the DAA score of the block that carries it. */
export type CarriedPayment = { readonly raw: Uint8Array; readonly daaScore: DaaScore };

/**
 * Checks a proof against the payment. Whether that is in the chain is asked of a node. Throws `signer/other-transaction`,
 * `signer/unknown-action`, `signer/bad-disclosure`, `signer/note-differs`, `signer/value-differs`, `signer/output-unreadable`,
 * `codec/*`, `shielded/*`, `tx/*`.
 */
export function checkPaymentProof(
  core: Pick<CoreGlue, "checkDisclosure">,
  profileJson: string,
  payment: CarriedPayment,
  proof: PaymentProof,
): ProvenPayment {
  const { raw, daaScore } = payment;
  const text = writePaymentProof(proof);
  const answer = callCore(() => core.checkDisclosure(profileJson, raw, daaScore, text));
  return v.parse(proven, JSON.parse(answer));
}
