/** Formats records of the store for people: decoded where that is simple, else the bytes around what differs. */
import { ByteReader } from "@svc/shared/base/bytes.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { consensusTable } from "../../storage/layout.ts";
import { readCounters, readStatus } from "./storedRecords.ts";

const STAGES = ["", "invalid", "header only", "pending", "valid", "disqualified"];
const HASH_BYTES = 32;
const U64_BYTES = 8;
/** What is shown as it is: a damaged store may hold anything, and a terminal obeys some of it. */
const FACT_NAME = /^[a-zA-Z]{1,32}$/;
const REASON = /^[a-z0-9/-]{0,64}$/;

const LISTS: ReadonlySet<number> = new Set(
  ["daa_excluded", "children", "depths", "nullifier_diffs"].map(consensusTable),
);

/** Formats both records of a key; `undefined` is a record that is not there. */
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

/** Formats a key: the name of a fact, the index of a block, else hex. */
export function keyText(table: number, key: Uint8Array): string {
  const name = table === consensusTable("meta") ? new TextDecoder().decode(key) : "";
  if (FACT_NAME.test(name)) return name;
  if (table === consensusTable("chain_by_index") && key.length === U64_BYTES) {
    return String(new DataView(key.buffer, key.byteOffset).getBigUint64(0));
  }
  return encodeHex(key);
}

function decoded(table: number, key: Uint8Array, bytes: Uint8Array): string | null {
  if (bytes.length === 0) return "an empty record";
  try {
    if (table === consensusTable("status")) return statusText(bytes);
    if (table === consensusTable("chain_by_index")) return hashesText(bytes);
    if (table === consensusTable("chain_by_hash")) return indexText(bytes);
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
  const { headers, bodies } = readCounters(bytes);
  return `${headers} headers, ${bodies} bodies`;
}

function indexText(bytes: Uint8Array): string {
  const reader = new ByteReader(bytes);
  const text = `index ${reader.u64()}`;
  reader.finish();
  return text;
}

function statusText(bytes: Uint8Array): string | null {
  const { stage, verdicts, reason } = readStatus(bytes);
  if (verdicts.length > ENGINE_LIMITS.shownBytes || !REASON.test(reason)) return null;
  const proofs = verdicts.length === 0 ? "" : `, verdicts ${encodeHex(verdicts)}`;
  return `${STAGES[stage] ?? stage}${proofs}${reason === "" ? "" : `, ${reason}`}`;
}

function hashesText(bytes: Uint8Array): string | null {
  if (bytes.length % HASH_BYTES !== 0 || bytes.length > HASH_BYTES * ENGINE_LIMITS.shownHashes)
    return null;
  const hashes: string[] = [];
  for (let at = 0; at < bytes.length; at += HASH_BYTES) {
    hashes.push(encodeHex(bytes.subarray(at, at + HASH_BYTES)));
  }
  return hashes.join(" ");
}

function bounded(bytes: Uint8Array, from: number): string {
  const begin = Math.max(0, Math.min(from, bytes.length) - ENGINE_LIMITS.shownBytesBefore);
  const part = bytes.subarray(begin, begin + ENGINE_LIMITS.shownBytes);
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
