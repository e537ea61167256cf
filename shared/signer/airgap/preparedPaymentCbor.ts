/**
 * Codec of a prepared payment on the air gap: deterministic CBOR without the proof and the signatures (specification airgap 2). What
 * is decoded has been checked for its form alone; whether it is what its owner wants is the signer's question.
 */
import { asDaaScore, asRawAddress, asSompi, U64_MAX } from "../../base/brand.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { WALLET_LIMITS } from "../../wallet/walletLimits.ts";
import { AIRGAP_LIMITS } from "../airgapLimits.ts";
import type { PreparedPayment } from "../preparedPayment.ts";
import {
  actionCount,
  BALANCE_MAX,
  EFFECTS_BYTES,
  joinBundle,
  splitBundle,
  type BundleEffects,
} from "./bundleEffects.ts";
import { CborReader } from "./cborReader.ts";
import { CborWriter } from "./cborWriter.ts";

/** Version of both messages of the air gap. */
export const AIRGAP_VERSION = 3;
/** Bytes of a session's name. */
export const SESSION_BYTES = 24;

const HASH_BYTES = 32;
const ADDRESS_BYTES = 43;
const { walletActionsMax: ACTIONS_MAX, memoBytes: MEMO_BYTES } = WALLET_LIMITS;
/** Keys of the maps, and numbers of items of the lists inside them. */
const KEY = {
  version: 0,
  network: 1,
  session: 2,
  daaScore: 3,
  payments: 4,
  fee: 5,
  bundle: 6,
  disclosure: 7,
  alphas: 8,
} as const;
const BUNDLE_KEY = { flags: 0, valueBalance: 1, anchor: 2, actions: 3, anchorBlock: 4 } as const;
const PAYMENT_ITEMS = 3;
const DISCLOSED_ITEMS = 5;
const ALPHA_ITEMS = 2;

type Payments = PreparedPayment["payments"];
type Disclosure = PreparedPayment["disclosure"];
type Alphas = PreparedPayment["alphas"];

/**
 * Writes a prepared payment; a proof and signatures in its bundle are left out. Throws `airgap/bad-bundle`, `codec/bad-hex`, and for
 * what no device would take the codes of `decodePreparedPayment`.
 */
export function encodePreparedPayment(prepared: PreparedPayment): Uint8Array<ArrayBuffer> {
  const writer = new CborWriter().map(Object.keys(KEY).length);
  writer.number(KEY.version).number(AIRGAP_VERSION);
  writer.number(KEY.network).bytes(decodeHex(prepared.network));
  writer.number(KEY.session).bytes(decodeHex(prepared.session));
  writer.number(KEY.daaScore).number(prepared.daaScore);
  writer.number(KEY.payments).list(prepared.payments.length);
  for (const { recipient, value, memo } of prepared.payments) {
    writer.list(PAYMENT_ITEMS).bytes(decodeHex(recipient)).number(value).bytes(decodeHex(memo));
  }
  writer.number(KEY.fee).number(prepared.fee);
  writer.number(KEY.bundle);
  writeEffects(writer, splitBundle(prepared.bundle));
  writer.number(KEY.disclosure).list(prepared.disclosure.length);
  for (const entry of prepared.disclosure) {
    writer.list(DISCLOSED_ITEMS).number(entry.spendValue).number(entry.outValue);
    writer.bytes(decodeHex(entry.outRecipient)).bytes(decodeHex(entry.outRseed));
    writer.bytes(decodeHex(entry.rcv));
  }
  const alphas = prepared.alphas.toSorted((a, b) => a.index - b.index);
  writer.number(KEY.alphas).list(alphas.length);
  for (const { index, alpha } of alphas) {
    writer.list(ALPHA_ITEMS).number(index).bytes(decodeHex(alpha));
  }
  const bytes = writer.toBytes();
  decodePreparedPayment(bytes);
  return bytes;
}

/**
 * Reads a prepared payment to its last byte; encoding it again gives the same bytes. Throws `airgap/message-too-long`,
 * `airgap/bad-version`, `airgap/cbor-…`, `airgap/bad-bundle`, `airgap/bad-alphas`.
 */
export function decodePreparedPayment(bytes: Uint8Array): PreparedPayment {
  const reader = openMessage(bytes, Object.keys(KEY).length);
  reader.key(KEY.network);
  const network = encodeHex(reader.bytes(HASH_BYTES));
  reader.key(KEY.session);
  const session = encodeHex(reader.bytes(SESSION_BYTES));
  reader.key(KEY.daaScore);
  const daaScore = asDaaScore(reader.number(U64_MAX));
  reader.key(KEY.payments);
  const payments = readPayments(reader);
  reader.key(KEY.fee);
  const fee = asSompi(reader.number(U64_MAX));
  reader.key(KEY.bundle);
  const effects = readEffects(reader);
  const count = actionCount(effects);
  const bundle = joinBundle(effects);
  reader.key(KEY.disclosure);
  const disclosure = readDisclosure(reader, count);
  reader.key(KEY.alphas);
  const alphas = readAlphas(reader, count);
  reader.finish();
  const version = AIRGAP_VERSION;
  return { version, network, session, daaScore, payments, fee, bundle, disclosure, alphas };
}

/**
 * Begins to read a message with this number of entries, up to the version, which is the first of both kinds. Throws
 * `airgap/message-too-long`, `airgap/bad-version` and as `CborReader` does.
 */
export function openMessage(bytes: Uint8Array, entries: number): CborReader {
  const max = AIRGAP_LIMITS.airgapMessageBytes;
  if (bytes.length > max)
    throw new SvcError("airgap/message-too-long", { length: bytes.length, max });
  const reader = new CborReader(bytes);
  reader.map(entries);
  reader.key(KEY.version);
  const found = reader.number(U64_MAX);
  const expected = AIRGAP_VERSION;
  if (found !== BigInt(expected)) throw new SvcError("airgap/bad-version", { found, expected });
  return reader;
}

/** The index of an action behind the one `before` (−1: none), below `count`. Throws `airgap/bad-alphas`. */
export function readNextIndex(reader: CborReader, before: number, count: number): number {
  const index = Number(reader.number(0xffff_ffffn));
  if (index <= before || index >= count) throw new SvcError("airgap/bad-alphas", { index });
  return index;
}

function readPayments(reader: CborReader): Payments {
  return Array.from({ length: reader.list(ACTIONS_MAX, 1) }, () => {
    reader.list(PAYMENT_ITEMS);
    const recipient = asRawAddress(encodeHex(reader.bytes(ADDRESS_BYTES)));
    const value = asSompi(reader.number(U64_MAX));
    return { recipient, value, memo: encodeHex(reader.bytes(MEMO_BYTES, 0)) };
  });
}

function readDisclosure(reader: CborReader, count: number): Disclosure {
  return Array.from({ length: reader.list(count) }, () => {
    reader.list(DISCLOSED_ITEMS);
    const spendValue = asSompi(reader.number(U64_MAX));
    const outValue = asSompi(reader.number(U64_MAX));
    const outRecipient = asRawAddress(encodeHex(reader.bytes(ADDRESS_BYTES)));
    const outRseed = encodeHex(reader.bytes(HASH_BYTES));
    return {
      spendValue,
      outValue,
      outRecipient,
      outRseed,
      rcv: encodeHex(reader.bytes(HASH_BYTES)),
    };
  });
}

function readAlphas(reader: CborReader, count: number): Alphas {
  let before = -1;
  return Array.from({ length: reader.list(count, 1) }, () => {
    reader.list(ALPHA_ITEMS);
    const index = readNextIndex(reader, before, count);
    before = index;
    return { index, alpha: encodeHex(reader.bytes(HASH_BYTES)) };
  });
}

function writeEffects(writer: CborWriter, effects: BundleEffects): void {
  const { flags, valueBalance, anchor, actions, anchorBlock } = effects;
  writer.map(anchorBlock === null ? BUNDLE_KEY.anchorBlock : BUNDLE_KEY.anchorBlock + 1);
  writer.number(BUNDLE_KEY.flags).number(flags);
  writer.number(BUNDLE_KEY.valueBalance).number(valueBalance);
  writer.number(BUNDLE_KEY.anchor).bytes(anchor);
  writer.number(BUNDLE_KEY.actions).bytes(actions);
  if (anchorBlock !== null) writer.number(BUNDLE_KEY.anchorBlock).bytes(anchorBlock);
}

function readEffects(reader: CborReader): BundleEffects {
  const entries = reader.map(BUNDLE_KEY.anchorBlock + 1, BUNDLE_KEY.anchorBlock);
  reader.key(BUNDLE_KEY.flags);
  const flags = Number(reader.number(0xffn));
  reader.key(BUNDLE_KEY.valueBalance);
  const valueBalance = reader.number(BALANCE_MAX);
  reader.key(BUNDLE_KEY.anchor);
  const anchor = reader.bytes(HASH_BYTES);
  reader.key(BUNDLE_KEY.actions);
  const actions = reader.bytes(EFFECTS_BYTES * ACTIONS_MAX, EFFECTS_BYTES);
  if (actions.length % EFFECTS_BYTES !== 0) {
    throw new SvcError("airgap/bad-bundle", { reason: "an action is cut short" });
  }
  if (entries === BUNDLE_KEY.anchorBlock) {
    return { flags, valueBalance, anchor, actions, anchorBlock: null };
  }
  reader.key(BUNDLE_KEY.anchorBlock);
  return { flags, valueBalance, anchor, actions, anchorBlock: reader.bytes(HASH_BYTES) };
}
