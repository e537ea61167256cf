/** Schemas of JSON fields from outside: hashes, hex, 64-bit numbers as decimal text. */
import * as v from "valibot";
import {
  asAddressText,
  asAnchor,
  asBlockHash,
  asBlueScore,
  asChainIndex,
  asClaimId,
  asDaaScore,
  asHash32,
  asInvoiceId,
  asLeafPosition,
  asMerchantId,
  asNoteCommitment,
  asNullifier,
  asRawAddress,
  asRefundId,
  asSompi,
  asTimestampMs,
  asTxId,
  asViewingKeyId,
  U64_MAX,
} from "./brand.ts";

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const u64 = v.pipe(
  v.string(),
  v.regex(/^(0|[1-9][0-9]{0,19})$/),
  v.transform((text: string) => BigInt(text)),
  v.maxValue(U64_MAX),
);

/** The schemas, by the type they give. */
export const fields = {
  hash32: v.pipe(hash, v.transform(asHash32)),
  blockHash: v.pipe(hash, v.transform(asBlockHash)),
  txId: v.pipe(hash, v.transform(asTxId)),
  nullifier: v.pipe(hash, v.transform(asNullifier)),
  anchor: v.pipe(hash, v.transform(asAnchor)),
  noteCommitment: v.pipe(hash, v.transform(asNoteCommitment)),
  rawAddress: v.pipe(v.string(), v.regex(/^[0-9a-f]{86}$/), v.transform(asRawAddress)),
  addressText: v.pipe(v.string(), v.transform(asAddressText)),
  hex: v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{2})*$/)),
  /** Work of at most 192 bits as hex digits without zeros before them. */
  blueWork: v.pipe(v.string(), v.regex(/^(?:0|[1-9a-f][0-9a-f]{0,47})$/)),
  u64,
  /** A sum of the chain, 128 bits as decimal text. */
  total: v.pipe(
    v.string(),
    v.regex(/^(?:0|[1-9][0-9]{0,38})$/),
    v.transform((text: string) => BigInt(text)),
  ),
  u32: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(0xffff_ffff)),
  /** A number below 2^32 that is written as text, like the 64-bit numbers around it. */
  count: v.pipe(u64, v.maxValue(0xffff_ffffn), v.transform(Number)),
  sompi: v.pipe(u64, v.transform(asSompi)),
  blueScore: v.pipe(u64, v.transform(asBlueScore)),
  daaScore: v.pipe(u64, v.transform(asDaaScore)),
  chainIndex: v.pipe(u64, v.transform(asChainIndex)),
  leafPosition: v.pipe(u64, v.transform(asLeafPosition)),
  timestampMs: v.pipe(u64, v.transform(asTimestampMs)),
  invoiceId: v.pipe(v.string(), v.regex(/^inv_[0-9a-f]{32}$/), v.transform(asInvoiceId)),
  refundId: v.pipe(v.string(), v.regex(/^ref_[0-9a-f]{32}$/), v.transform(asRefundId)),
  claimId: v.pipe(v.string(), v.regex(/^clm_[0-9a-f]{32}$/), v.transform(asClaimId)),
  merchantId: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,32}$/), v.transform(asMerchantId)),
  viewingKeyId: v.pipe(v.string(), v.regex(/^key_[0-9a-f]{16}$/), v.transform(asViewingKeyId)),
} as const;
