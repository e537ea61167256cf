/**
 * Envelope of version 2: the form of a prepared payment that older devices read. A daemon puts it beside the answer that newer ones
 * read. Its checksum shows damage on the way and protects from nobody.
 */
import { blake3 } from "@noble/hashes/blake3.js";
import * as v from "valibot";
import type { DaaScore, RawAddress, Sompi } from "../base/brand.ts";
import { fields } from "../base/fields.ts";
import { encodeHex } from "../base/hex.ts";
import { SvcError } from "../base/svcError.ts";
import { parseExactJson } from "./wire/exactJson.ts";
import { listForActions, preparedFields, readPrepared } from "./wire/preparedFields.ts";
import { PREPARED_VERSION, type DisclosedAction, type PreparedPayment } from "./preparedPayment.ts";
import { sessionOf } from "./preparedSession.ts";

const FORMAT = "svc-prepared-payment";
const VERSION = 2;
/** The one context that is signed (specification shielded 4): version 2, then zeros. */
const TX_CONTEXT = `02${"00".repeat(37)}`;

const { hex32, bundle } = preparedFields;
/** The keys in the order in which the checksum covers them. */
const schema = v.strictObject({
  format: v.literal(FORMAT),
  version: v.literal(VERSION),
  networkDomain: hex32,
  recipient: v.string(),
  amount: fields.sompi,
  fee: fields.sompi,
  txContext: v.string(),
  bundle,
  disclosure: listForActions(
    v.strictObject({
      spendValue: fields.sompi,
      outValue: fields.sompi,
      outRecipient: fields.rawAddress,
      outRseed: hex32,
      rcv: hex32,
    }),
  ),
  spendAuth: listForActions(v.strictObject({ actionIndex: fields.u32, alpha: hex32 })),
  checksum: hex32,
});
const versioned = v.looseObject({ format: v.literal(FORMAT), version: v.number() });
const KEYS = Object.keys(schema.entries);

/** What an envelope of version 2 says. */
export type EnvelopeV2 = {
  /** Genesis hash, hex. */
  readonly networkDomain: string;
  /** Address of the payee. */
  readonly recipient: string;
  readonly amount: Sompi;
  readonly fee: Sompi;
  readonly bundle: Uint8Array;
  readonly disclosure: readonly DisclosedAction[];
  readonly spendAuth: readonly { readonly actionIndex: number; readonly alpha: string }[];
};

/**
 * Reads an envelope from its text or from parsed JSON. Throws `signer/bad-prepared`, `signer/unsupported-version`,
 * `signer/bad-checksum`, and `signer/claim-differs` for another context than the pinned one.
 */
export function readEnvelopeV2(source: unknown): EnvelopeV2 {
  const json = typeof source === "string" ? parseExactJson(source) : source;
  const { version } = readPrepared(versioned, json);
  if (version !== VERSION) throw new SvcError("signer/unsupported-version", { version });
  const { txContext, checksum, ...envelope } = readPrepared(schema, json);
  if (checksumOf(json) !== checksum) throw new SvcError("signer/bad-checksum", {});
  if (txContext !== TX_CONTEXT) throw new SvcError("signer/claim-differs", { field: "txContext" });
  return envelope;
}

/** The fields of an envelope, as its JSON has them and in that order. */
export type EnvelopeV2Json = {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly networkDomain: string;
  readonly recipient: string;
  readonly amount: string;
  readonly fee: string;
  readonly txContext: string;
  readonly bundle: string;
  readonly disclosure: readonly {
    readonly spendValue: string;
    readonly outValue: string;
    readonly outRecipient: string;
    readonly outRseed: string;
    readonly rcv: string;
  }[];
  readonly spendAuth: readonly { readonly actionIndex: number; readonly alpha: string }[];
  readonly checksum: string;
};

/** Writes an envelope. */
export function writeEnvelopeV2(envelope: EnvelopeV2): EnvelopeV2Json {
  const json = {
    format: FORMAT,
    version: VERSION,
    networkDomain: envelope.networkDomain,
    recipient: envelope.recipient,
    amount: String(envelope.amount),
    fee: String(envelope.fee),
    txContext: TX_CONTEXT,
    bundle: encodeHex(envelope.bundle),
    disclosure: envelope.disclosure.map((entry) => ({
      spendValue: String(entry.spendValue),
      outValue: String(entry.outValue),
      outRecipient: entry.outRecipient,
      outRseed: entry.outRseed,
      rcv: entry.rcv,
    })),
    spendAuth: envelope.spendAuth.map(({ actionIndex, alpha }) => ({ actionIndex, alpha })),
    checksum: "",
  } as const;
  return { ...json, checksum: checksumOf(json) };
}

/** What the owner of the device knows and the envelope does not say. */
export type EnvelopeTerms = {
  /** The envelope's recipient, decoded for the local network. */
  readonly recipient: RawAddress;
  /** Hex of the memo that the payee is to read. */
  readonly memo: string;
  readonly daaScore: DaaScore;
};

/** The envelope as a prepared payment; its session is made here, since the form has none. */
export function preparedFromEnvelope(envelope: EnvelopeV2, terms: EnvelopeTerms): PreparedPayment {
  const { recipient, memo, daaScore } = terms;
  const payment = {
    version: PREPARED_VERSION,
    network: envelope.networkDomain,
    daaScore,
    payments: [{ recipient, value: envelope.amount, memo }],
    fee: envelope.fee,
    bundle: envelope.bundle,
    disclosure: envelope.disclosure,
    alphas: envelope.spendAuth.map(({ actionIndex, alpha }) => ({ index: actionIndex, alpha })),
  } as const;
  return { ...payment, session: sessionOf(payment) };
}

/** BLAKE3 of the compact JSON with an empty checksum. */
function checksumOf(json: unknown): string {
  const source = new Map(Object.entries(Object(json)));
  const covered = KEYS.map((key) => [key, key === "checksum" ? "" : source.get(key)]);
  const text = JSON.stringify(Object.fromEntries(covered));
  return encodeHex(blake3(new TextEncoder().encode(text)));
}
