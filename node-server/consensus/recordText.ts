/** Records of the store as text for people: decoded where that is simple, else the bytes around what differs. */
import { ByteReader } from "@svc/shared/base/bytes.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { consensusTable } from "../storage/layout.ts";

const STAGES = ["", "invalid", "header only", "pending", "valid", "disqualified"];
const HASH_BYTES = 32;

const LISTS: ReadonlySet<number> = new Set(
  ["daa_excluded", "children", "depths", "nullifier_diffs"].map(consensusTable),
);

/** Both records of a key, each as text; `undefined` is a record that is not there. */
export function recordTexts(
  { table, key }: { readonly table: number; readonly key: Uint8Array },
  stored: Uint8Array | undefined,
  computed: Uint8Array | undefined,
): { stored: string; computed: string } {
  const from = firstDifference(stored, computed);
  const text = (bytes: Uint8Array | undefined): string =>
    bytes === undefined ? "nothing" : (decoded(table, key, bytes) ?? bounded(bytes, from));
  return { stored: text(stored), computed: text(computed) };
}

/** A key as text: the name of a fact, else hex. */
export function keyText(table: number, key: Uint8Array): string {
  if (table === consensusTable("meta")) return new TextDecoder().decode(key);
  if (table === consensusTable("chain_by_index")) return String(bigEndian(key));
  return encodeHex(key);
}

function bigEndian(bytes: Uint8Array): bigint {
  let number = 0n;
  for (const byte of bytes) number = number * 256n + BigInt(byte);
  return number;
}

function decoded(table: number, key: Uint8Array, bytes: Uint8Array): string | null {
  if (bytes.length === 0) return "an empty record";
  try {
    if (table === consensusTable("status")) return statusText(bytes);
    if (table === consensusTable("chain_by_index")) return encodeHex(bytes);
    if (table === consensusTable("chain_by_hash")) return `index ${new ByteReader(bytes).u64()}`;
    if (table === consensusTable("meta")) return metaText(keyText(table, key), bytes);
    return LISTS.has(table) ? hashesText(bytes) : null;
  } catch {
    // Damaged: its bytes say more.
    return null;
  }
}

function metaText(name: string, bytes: Uint8Array): string | null {
  if (name === "tips" || name === "virtual" || name === "position") return hashesText(bytes);
  if (name !== "counters") return null;
  const reader = new ByteReader(bytes);
  return `${reader.u64()} headers, ${reader.u64()} bodies`;
}

function statusText(bytes: Uint8Array): string {
  const { stage, verdicts, reason } = readStatus(bytes);
  const proofs = verdicts.length === 0 ? "" : `, verdicts ${encodeHex(verdicts)}`;
  return `${STAGES[stage] ?? stage}${proofs}${reason === "" ? "" : `, ${reason}`}`;
}

function hashesText(bytes: Uint8Array): string | null {
  if (bytes.length % HASH_BYTES !== 0 || bytes.length > HASH_BYTES * LIMITS.shownHashes)
    return null;
  const hashes: string[] = [];
  for (let at = 0; at < bytes.length; at += HASH_BYTES) {
    hashes.push(encodeHex(bytes.subarray(at, at + HASH_BYTES)));
  }
  return hashes.join(" ");
}

function bounded(bytes: Uint8Array, from: number): string {
  const begin = Math.max(0, Math.min(from, bytes.length) - LIMITS.shownBytesBefore);
  const part = bytes.subarray(begin, begin + LIMITS.shownBytes);
  return `${bytes.length} bytes, from ${begin}: ${encodeHex(part)}`;
}

function firstDifference(
  a: Uint8Array = new Uint8Array(),
  b: Uint8Array = new Uint8Array(),
): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  return at;
}

/** A record of the status table. */
export type StatusRecord = {
  /** 1 invalid, 2 header only, 3 pending, 4 valid, 5 disqualified. */
  readonly stage: number;
  /** One per transaction after the coinbase: 0 unknown, 1 valid, 2 invalid. */
  readonly verdicts: Uint8Array;
  /** The code of a refusal, else empty. */
  readonly reason: string;
};

/** The form of status records. */
const STATUS_VERSION = 1;

/** Reads a record of the status table. Errors: `codec/…`. */
export function readStatus(bytes: Uint8Array): StatusRecord {
  const reader = new ByteReader(bytes);
  const version = reader.u8();
  if (version !== STATUS_VERSION) {
    throw new SvcError("codec/version", { expected: STATUS_VERSION, found: version });
  }
  const stage = reader.u8();
  const verdicts = reader.block();
  const reason = new TextDecoder().decode(reader.take(reader.u16()));
  reader.finish();
  return { stage, verdicts, reason };
}
