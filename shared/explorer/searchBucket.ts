/**
 * Search that shows no hash: the page asks for all hashes that begin with a short prefix, of which there are at least 256, and finds the one
 * that it looks for itself (docs/privacy.md).
 */
/** Hashes that a bucket holds on average at least, so that one with few still has 256. */
const CANDIDATES = 350;
/** Hashes that a bucket must have, unless it is the bucket of all. */
export const CANDIDATES_LEAST = 256;
/**
 * Most bits that a prefix may have, whatever number of hashes a server speaks of: 2^20 buckets of 350 are 367 million hashes, which a
 * chain of one block in a second has after some ten years. A hash has 256 bits, so 20 name none.
 */
const BITS_MOST = 20;
const DIGIT_BITS = 4;
const BYTE_BITS = 8;
/** Bytes of an entry: the first 8 of the hash, what it is, 5 of its DAA score. */
const [HASH_BYTES, SCORE_BYTES] = [8, 5];
const ENTRY_BYTES = HASH_BYTES + 1 + SCORE_BYTES;

/** What an entry of a bucket is, by its byte. */
export const BUCKET_KINDS = [
  "block-chain",
  "block-blue",
  "block-red",
  "block-other",
  "applied",
  "dropped",
  "included",
  "waiting",
] as const;
export type BucketKind = (typeof BUCKET_KINDS)[number];

/** A hash that was found. */
export type BucketEntry = { readonly kind: BucketKind; readonly daaScore: bigint };

/** The longest prefix that so many indexed hashes allow, at most 20 bits; 0 when it is all of them. */
export function bucketBits(hashes: number): number {
  let bits = 0;
  while (bits < BITS_MOST && hashes / 2 ** (bits + 1) >= CANDIDATES) bits += 1;
  return bits;
}

/** The path of the bucket of a hash, below `/api`. */
export function bucketPath(hash: string, bits: number): string {
  return `/search/${bits}/${prefixOf(hash, bits)}`;
}

/** The first bits of a hash as hexadecimal digits, the bits behind them zero; a hyphen for none. */
export function prefixOf(hash: string, bits: number): string {
  if (bits === 0) return "-";
  const digits = Math.ceil(bits / DIGIT_BITS);
  const spare = BigInt(digits * DIGIT_BITS - bits);
  const value = (BigInt(`0x${hash.slice(0, digits)}`) >> spare) << spare;
  return value.toString(16).padStart(digits, "0");
}

/** The entries of a bucket that this hash may be: more than one only if two hashes have the same first 8 bytes. Bytes that are no entry are passed over. Throws what `atob` throws for a text that is no Base64. */
export function findInBucket(entries: string, hash: string): readonly BucketEntry[] {
  const wanted = headOf(hash);
  const found: BucketEntry[] = [];
  for (const view of entriesOf(entries)) {
    if (view.getBigUint64(0) !== wanted) continue;
    const kind = BUCKET_KINDS[view.getUint8(HASH_BYTES)];
    const high = BigInt(view.getUint8(HASH_BYTES + 1));
    const daaScore = (high << 32n) | BigInt(view.getUint32(HASH_BYTES + 2));
    if (kind !== undefined) found.push({ kind, daaScore });
  }
  return found;
}

/** How many hashes of a bucket begin with the first bits of this one: equal ones count once, since they hide nothing. Throws as `findInBucket` does. */
export function candidatesIn(entries: string, hash: string, bits: number): number {
  const behind = BigInt(HASH_BYTES * BYTE_BITS - bits);
  const wanted = headOf(hash) >> behind;
  const heads = new Set<bigint>();
  for (const view of entriesOf(entries)) {
    const head = view.getBigUint64(0);
    if (head >> behind === wanted) heads.add(head);
  }
  return heads.size;
}

function headOf(hash: string): bigint {
  return BigInt(`0x${hash.slice(0, HASH_BYTES * 2)}`);
}

function entriesOf(entries: string): readonly DataView[] {
  const bytes = Uint8Array.from(atob(entries), (character) => character.charCodeAt(0));
  const count = Math.floor(bytes.length / ENTRY_BYTES);
  return Array.from(
    { length: count },
    (_, at) => new DataView(bytes.buffer, bytes.byteOffset + at * ENTRY_BYTES, ENTRY_BYTES),
  );
}
