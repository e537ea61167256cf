/** A bucket of the search by prefix, from the history: the form that a node's bucket has. */
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { etagOf } from "../answers/etagOf.ts";
import type { KeptAnswer } from "../answers/keptAnswer.ts";
import type { HistoryStore, RememberedHash } from "./historyStore.ts";

const HASH_BYTES = 8;
const ENTRY_BYTES = 14;
const DIGIT_BITS = 4;
const HASH_BITS = 256;
/** The byte that says what an entry is. */
const KINDS: Readonly<Record<string, number>> = {
  "block chain": 0,
  "block blue": 1,
  "block red": 2,
  "block none": 3,
  "payment applied": 4,
  "payment dropped": 5,
  "payment included": 6,
};

/**
 * Reads it. `path`: of the call, `/search/{bits}/{prefix}`; `asOfMs`: Unix ms, until when the history is whole. Throws `api/bad-field` for one with too few candidates, or more than fit.
 * Rejects as the database does.
 */
export async function historyBucket(
  store: Pick<HistoryStore, "hashes">,
  path: string,
  asOfMs: number,
): Promise<KeptAnswer> {
  const [, , bitsText = "", prefix = ""] = path.split("/");
  const bits = Number(bitsText);
  const [from, before] = rangeOf(bits, prefix);
  const found = await store.hashes(from, before);
  if (bits > 0 && found.length < PROTOCOL_LIMITS.restBucketLeast) throw badPrefix("shorter");
  if (found.length * ENTRY_BYTES > PROTOCOL_LIMITS.restBucketBytes) throw badPrefix("longer");
  const entries = btoa(String.fromCharCode(...entriesOf(found)));
  const bytes = new TextEncoder().encode(JSON.stringify({ bits, prefix, entries }));
  return {
    status: 200,
    bytes,
    type: "application/json",
    cacheControl: "public, max-age=5",
    etag: await etagOf(bytes),
    asOfMs,
  };
}

/** The first hash that begins with these bits, and the first behind them. */
function rangeOf(bits: number, prefix: string): readonly [from: string, before: string] {
  if (bits === 0) return ["", "g"];
  const digits = Math.ceil(bits / DIGIT_BITS);
  if (prefix.length !== digits) throw badPrefix("whole");
  const spare = BigInt(digits * DIGIT_BITS - bits);
  const first = BigInt(`0x${prefix}`);
  if ((first >> spare) << spare !== first) throw badPrefix("zero behind its bits");
  const next = (first >> spare) + 1n;
  const isEnd = next === 1n << BigInt(bits);
  const before = (next << spare).toString(16).padStart(digits, "0");
  return [prefix, isEnd ? "g" : before.padEnd(HASH_BITS / DIGIT_BITS, "0")];
}

function entriesOf(found: readonly RememberedHash[]): Uint8Array {
  const bytes = new Uint8Array(found.length * ENTRY_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [index, { hash, kind, isChain, standing, daaScore }] of found.entries()) {
    const at = index * ENTRY_BYTES;
    bytes.set(decodeHex(hash.slice(0, HASH_BYTES * 2)), at);
    view.setUint8(at + HASH_BYTES, KINDS[`${kind} ${isChain ? "chain" : standing}`] ?? 3);
    view.setUint8(at + HASH_BYTES + 1, Math.floor(daaScore / 2 ** 32));
    view.setUint32(at + HASH_BYTES + 2, daaScore % 2 ** 32);
  }
  return bytes;
}

function badPrefix(expected: string): SvcError {
  return new SvcError("api/bad-field", { field: "prefix", expected });
}
