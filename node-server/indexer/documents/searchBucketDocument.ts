/**
 * The document of `/search/{bits}/{prefix}`: every hash that begins with a prefix, so that nobody learns which of them is looked
 * for. A bucket that is too small to hide in is refused.
 */
import { asBlockHash, asTxId } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import type { RestAnswer } from "@svc/shared/protocol/rest/restRoutes.ts";
import { KEYS_END } from "../../storage/kv.ts";
import { INDEXER_LIMITS } from "../indexerLimits.ts";
import { COLORS } from "../tables/blockRow.ts";
import {
  appliedPlace,
  blockRowOf,
  hashesBetween,
  lastPlace,
  transactionRowOf,
} from "../tables/derivedTables.ts";
import type { TransactionRow } from "../tables/transactionRow.ts";
import { aTurn, type AnswerView } from "./answerView.ts";

/** Bytes of an entry: the beginning of the hash, what it is, the DAA score. */
const ENTRY_BYTES = 14;
const HASH_BYTES_SHOWN = 8;
const SCORE_AT = 9;
const HASH_BITS = 256;
const DIGIT_BITS = 4;
const MOST = Math.floor(PROTOCOL_LIMITS.restBucketBytes / ENTRY_BYTES);

/** What an entry is. */
const KIND = { openBlock: 3, applied: 4, dropped: 5, included: 6, waiting: 7 } as const;

/** A bucket: so many bits, and the digits that they are written with. */
export type Bucket = { readonly bits: number; readonly prefix: string };

type Entry = { readonly hash: string; readonly kind: number; readonly daaScore: bigint };

/**
 * Makes the document. `waiting`: ids of waiting transactions. Throws `api/bad-field` for a prefix that is not written as its bits
 * are, and for a bucket that is too small or too large.
 */
export async function searchBucketDocument(
  view: AnswerView,
  bucket: Bucket,
  waiting: Iterable<string>,
): Promise<RestAnswer<"searchBucket">> {
  const { from, to } = rangeOf(bucket);
  const { reader, signal } = view;
  const entries = new Map<string, Entry>();
  const add = (entry: Entry): void => {
    // What a table says goes before what waits.
    if (!entries.has(entry.hash)) entries.set(entry.hash, entry);
    if (entries.size > MOST) throw badBucket("prefix", "a longer prefix");
  };
  const range = { from, to, limit: MOST + 1 };
  for (const hash of hashesBetween(reader, "blocks", range)) {
    const row = blockRowOf(reader, asBlockHash(hash));
    if (row === undefined) continue;
    add({ hash, kind: COLORS.indexOf(row.color), daaScore: row.daaScore });
    if (entries.size % INDEXER_LIMITS.indexTurnRows === 0) await aTurn(signal);
  }
  for (const hash of hashesBetween(reader, "transactions", range)) {
    const row = transactionRowOf(reader, asTxId(hash));
    if (row !== undefined) add({ hash, ...effectOf(reader, row) });
    if (entries.size % INDEXER_LIMITS.indexTurnRows === 0) await aTurn(signal);
  }
  for (const entry of unmerged(view, waiting)) {
    const key = decodeHex(entry.hash);
    if (Buffer.compare(key, from) >= 0 && Buffer.compare(key, to) < 0) add(entry);
  }
  const isHidden = entries.size >= PROTOCOL_LIMITS.restBucketLeast || bucket.bits === 0;
  if (!isHidden) throw badBucket("bits", "fewer bits, which leave more candidates");
  return { ...bucket, entries: packed([...entries.values()]) };
}

function badBucket(field: string, expected: string): SvcError {
  return new SvcError("api/bad-field", { field, expected });
}

/** The hashes with these first bits. */
function rangeOf({ bits, prefix }: Bucket): { readonly from: Uint8Array; readonly to: Uint8Array } {
  const digits = Math.ceil(bits / DIGIT_BITS);
  const written = prefix === "-" ? "" : prefix;
  if (written.length !== digits) throw badBucket("prefix", `${digits} hexadecimal digits`);
  if (bits === 0) return { from: new Uint8Array(), to: KEYS_END };
  const unused = BigInt(digits * DIGIT_BITS - bits);
  const value = BigInt(`0x${written}`);
  if ((value >> unused) << unused !== value) throw badBucket("prefix", "unused bits of zero");
  const shift = BigInt(HASH_BITS - bits);
  const first = (value >> unused) << shift;
  const next = first + (1n << shift);
  const hexOf = (number: bigint): string =>
    number.toString(16).padStart(HASH_BITS / DIGIT_BITS, "0");
  const isLast = next >> BigInt(HASH_BITS) > 0n;
  return { from: decodeHex(hexOf(first)), to: isLast ? KEYS_END : decodeHex(hexOf(next)) };
}

function effectOf(reader: AnswerView["reader"], row: TransactionRow): Omit<Entry, "hash"> {
  const applied = appliedPlace(reader, row);
  const shown = applied ?? lastPlace(reader, row);
  const kind = applied === undefined ? KIND.dropped : KIND.applied;
  return { kind, daaScore: shown?.blockDaaScore ?? 0n };
}

function* unmerged({ open }: AnswerView, waiting: Iterable<string>): Generator<Entry> {
  for (const { hash, daaScore } of open.all()) yield { hash, kind: KIND.openBlock, daaScore };
  for (const [txid, carriers] of open.transactions()) {
    yield { hash: txid, kind: KIND.included, daaScore: carriers[0]?.daaScore ?? 0n };
  }
  let looked = 0;
  for (const txid of waiting) {
    if (looked >= INDEXER_LIMITS.indexWaiting) return;
    looked += 1;
    yield { hash: txid, kind: KIND.waiting, daaScore: 0n };
  }
}

function packed(entries: readonly Entry[]): string {
  const bytes = Buffer.alloc(entries.length * ENTRY_BYTES);
  const ordered = entries.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  for (const [at, { hash, kind, daaScore }] of ordered.entries()) {
    const start = at * ENTRY_BYTES;
    bytes.set(decodeHex(hash).subarray(0, HASH_BYTES_SHOWN), start);
    bytes[start + HASH_BYTES_SHOWN] = kind;
    bytes.write(scoreHex(daaScore), start + SCORE_AT, "hex");
  }
  return bytes.toString("base64");
}

/** Five bytes, big endian. */
function scoreHex(daaScore: bigint): string {
  return BigInt.asUintN(40, daaScore).toString(16).padStart(10, "0");
}
