/** CRC-32C (Castagnoli, reflected polynomial 0x82f63b78): the checksum of containers and segment records. */

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? 0x82f6_3b78 : 0);
  return rest;
});

/** Computes the checksum of the bytes, as an unsigned 32-bit number. `previous` continues an earlier checksum. */
export function crc32c(bytes: Uint8Array, previous = 0): number {
  let rest = ~previous;
  for (const byte of bytes) rest = (rest >>> 8) ^ (TABLE[(rest ^ byte) & 0xff] ?? 0);
  return ~rest >>> 0;
}
