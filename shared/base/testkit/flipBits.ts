/** Test helper for damaged bytes. */

/** Changes bits of one byte in place; one outside of the bytes is an error of the test. */
export function flipBits(bytes: Uint8Array, at: number, bits = 1): void {
  const byte = bytes[at];
  if (byte === undefined) throw new Error(`there is no byte ${at} among ${bytes.length}`);
  bytes[at] = byte ^ bits;
}

/** A copy with one bit of a byte changed. */
export function withFlippedBit(bytes: Uint8Array, at: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes);
  flipBits(copy, at);
  return copy;
}
