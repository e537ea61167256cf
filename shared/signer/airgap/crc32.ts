/** CRC-32 (ISO-HDLC, reflected polynomial 0xedb88320): the checksum of frames and of the messages that they carry. */

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb8_8320 : 0);
  return rest;
});

/** Computes the checksum of the bytes, as an unsigned 32-bit number. */
export function crc32(bytes: Uint8Array): number {
  let rest = ~0;
  for (const byte of bytes) rest = (rest >>> 8) ^ (TABLE[(rest ^ byte) & 0xff] ?? 0);
  return ~rest >>> 0;
}

/** A 32-bit number as its bytes, most significant first. */
export function u32Bytes(value: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}
