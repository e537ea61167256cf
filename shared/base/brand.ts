/**
 * Branded types for the quantities of the domain, and the only casts into them.
 *
 * A brand exists for the compiler alone: at run time a `Sompi` is a bigint and a `Hash32` a
 * string of 64 lower-case hex digits. Checked constructors are for foreign input; the `as…`
 * functions are for values that our own code produced and therefore trusts.
 */
import { SvcError } from "./svcError.ts";

declare const brand: unique symbol;

/** `T` that only the casts of this file can produce. Brands compose: a `TxId` is a `Hash32`. */
export type Brand<T, Name extends string> = T & {
  readonly [brand]: { readonly [K in Name]: true };
};

/** 32 bytes as 64 lower-case hex digits, in the byte order of the wire. */
export type Hash32 = Brand<string, "Hash32">;
/** Hash of a block header. */
export type BlockHash = Hash32 & Brand<string, "BlockHash">;
/** Identity of a transaction (specification consensus 9.2). */
export type TxId = Hash32 & Brand<string, "TxId">;
/** Mark that a spent note leaves behind (specification shielded 9). */
export type Nullifier = Hash32 & Brand<string, "Nullifier">;
/** Root of the note commitment tree that a spend proves against. */
export type Anchor = Hash32 & Brand<string, "Anchor">;
/** Commitment of a note: one leaf of the tree. */
export type NoteCommitment = Hash32 & Brand<string, "NoteCommitment">;
/** Text form of a shielded address, prefix included, checked by the core. */
export type AddressText = Brand<string, "AddressText">;
/** 43 raw bytes of a shielded address as 86 hex digits. */
export type RawAddress = Brand<string, "RawAddress">;

/** Smallest unit of money: 10⁸ make one coin. */
export type Sompi = Brand<bigint, "Sompi">;
/** Number of blue blocks in a block's past. */
export type BlueScore = Brand<bigint, "BlueScore">;
/** Number of blocks that count for difficulty in a block's past; activation heights use it. */
export type DaaScore = Brand<bigint, "DaaScore">;
/** Place of a block on the selected chain; genesis is 0. */
export type ChainIndex = Brand<bigint, "ChainIndex">;
/** Place of a leaf in the note commitment tree; the first leaf is 0. */
export type LeafPosition = Brand<bigint, "LeafPosition">;
/** Milliseconds since the Unix epoch. */
export type TimestampMs = Brand<bigint, "TimestampMs">;
/** Name of an invoice: `inv_` and 32 hex digits. */
export type InvoiceId = Brand<string, "InvoiceId">;
/** Name of a refund: `ref_` and 32 hex digits. */
export type RefundId = Brand<string, "RefundId">;
/** What a payer claims a refund with, and nothing else: `clm_` and 128 random bits as hex. */
export type ClaimId = Brand<string, "ClaimId">;
/** Name of a merchant of a gateway: 1 to 32 small letters, digits and `-`. */
export type MerchantId = Brand<string, "MerchantId">;
/** Name of a viewing key at a gateway: `key_` and 16 hex digits of the key's hash. */
export type ViewingKeyId = Brand<string, "ViewingKeyId">;

const HASH_FORM = /^[0-9a-f]{64}$/;
const ADDRESS_FORM = /^[0-9a-f]{86}$/;
const DECIMAL_FORM = /^(0|[1-9][0-9]{0,19})$/;

/** Largest value of an unsigned 64-bit field. */
export const U64_MAX = 0xffff_ffff_ffff_ffffn;

/** Checks foreign text as a hash. Throws `codec/bad-hex`. */
export function parseHash32(text: string): Hash32 {
  if (!HASH_FORM.test(text)) throw new SvcError("codec/bad-hex", { text: clip(text) });
  return text as Hash32;
}

/**
 * Checks foreign text as the 43 bytes of an address; whether they are a valid receiver is the core's question. Throws
 * `codec/bad-hex`.
 */
export function parseRawAddress(text: string): RawAddress {
  if (!ADDRESS_FORM.test(text)) throw new SvcError("codec/bad-hex", { text: clip(text) });
  return text as RawAddress;
}

/** Checks foreign text as an unsigned 64-bit number in plain decimal. Throws `codec/number-out-of-range`. */
export function parseU64(text: string): bigint {
  const value = DECIMAL_FORM.test(text) ? BigInt(text) : -1n;
  return checkU64(value, text);
}

/** Checks that a number fits an unsigned 64-bit field. Throws `codec/number-out-of-range`. */
export function checkU64(value: bigint, text = String(value)): bigint {
  if (value < 0n || value > U64_MAX) {
    throw new SvcError("codec/number-out-of-range", { text: clip(text), max: U64_MAX });
  }
  return value;
}

/** Trusts that the text is 64 hex digits. */
export function asHash32(text: string): Hash32 {
  return text as Hash32;
}

/** Trusts that the hash is a block's. */
export function asBlockHash(text: string): BlockHash {
  return text as BlockHash;
}

/** Trusts that the hash is a transaction's identity. */
export function asTxId(text: string): TxId {
  return text as TxId;
}

/** Trusts that the 32 bytes are a nullifier. */
export function asNullifier(text: string): Nullifier {
  return text as Nullifier;
}

/** Trusts that the 32 bytes are a tree root. */
export function asAnchor(text: string): Anchor {
  return text as Anchor;
}

/** Trusts that the 32 bytes are a note commitment. */
export function asNoteCommitment(text: string): NoteCommitment {
  return text as NoteCommitment;
}

/** Trusts that the core has checked this address. */
export function asAddressText(text: string): AddressText {
  return text as AddressText;
}

/** Trusts that the text is 86 hex digits. */
export function asRawAddress(text: string): RawAddress {
  return text as RawAddress;
}

/** Takes a number of smallest units. Throws `codec/number-out-of-range` outside 64 bits. */
export function asSompi(value: bigint): Sompi {
  return checkU64(value) as Sompi;
}

/** Takes a blue score. Throws `codec/number-out-of-range` outside 64 bits. */
export function asBlueScore(value: bigint): BlueScore {
  return checkU64(value) as BlueScore;
}

/** Takes a DAA score. Throws `codec/number-out-of-range` outside 64 bits. */
export function asDaaScore(value: bigint): DaaScore {
  return checkU64(value) as DaaScore;
}

/** Takes a place on the selected chain. Throws `codec/number-out-of-range` outside 64 bits. */
export function asChainIndex(value: bigint): ChainIndex {
  return checkU64(value) as ChainIndex;
}

/** Takes a leaf position. Throws `codec/number-out-of-range` outside 64 bits. */
export function asLeafPosition(value: bigint): LeafPosition {
  return checkU64(value) as LeafPosition;
}

/** Takes a time. Throws `codec/number-out-of-range` outside 64 bits. */
export function asTimestampMs(value: bigint): TimestampMs {
  return checkU64(value) as TimestampMs;
}

/** Trusts that the text is `inv_` and 32 hex digits. */
export function asInvoiceId(text: string): InvoiceId {
  return text as InvoiceId;
}

/** Trusts that the text is `ref_` and 32 hex digits. */
export function asRefundId(text: string): RefundId {
  return text as RefundId;
}

/** Trusts that the text is `clm_` and 32 hex digits. */
export function asClaimId(text: string): ClaimId {
  return text as ClaimId;
}

/** Trusts that the text names a merchant. */
export function asMerchantId(text: string): MerchantId {
  return text as MerchantId;
}

/** Trusts that the text is `key_` and 16 hex digits. */
export function asViewingKeyId(text: string): ViewingKeyId {
  return text as ViewingKeyId;
}

/** Foreign text in an error stays short, whatever its sender wrote. */
function clip(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
