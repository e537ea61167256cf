/** CRC-32C (Castagnoli, reflected polynomial 0x82f63b78): the checksum of containers, segment records and wallet files. */

/** Bytes that one step takes. */
const STEP = 8;

/**
 * What a byte does to the sum, by its distance from the end of a step: eight are looked up at once in place of one after the
 * other, so that a large file costs a fifth.
 */
const TABLES = tables();

function tables(): Uint32Array {
  const all = new Uint32Array(STEP * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let rest = byte;
    for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? 0x82f6_3b78 : 0);
    all[byte] = rest;
  }
  for (let at = 256; at < all.length; at += 1) {
    const before = all[at - 256] ?? 0;
    all[at] = (before >>> 8) ^ (all[before & 0xff] ?? 0);
  }
  return all;
}

/** Computes the checksum of the bytes, as an unsigned 32-bit number. `previous` continues an earlier checksum. */
export function crc32c(bytes: Uint8Array, previous = 0): number {
  const steps = bytes.length - (bytes.length % STEP);
  let rest = ~previous;
  for (let at = 0; at < steps; at += STEP) {
    const low = rest ^ wordAt(bytes, at);
    const high = wordAt(bytes, at + 4);
    rest =
      entry(7, low) ^
      entry(6, low >>> 8) ^
      entry(5, low >>> 16) ^
      entry(4, low >>> 24) ^
      entry(3, high) ^
      entry(2, high >>> 8) ^
      entry(1, high >>> 16) ^
      entry(0, high >>> 24);
  }
  for (let at = steps; at < bytes.length; at += 1) {
    rest = (rest >>> 8) ^ entry(0, rest ^ (bytes[at] ?? 0));
  }
  return ~rest >>> 0;
}

function entry(table: number, byte: number): number {
  return TABLES[table * 256 + (byte & 0xff)] ?? 0;
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)
  );
}
