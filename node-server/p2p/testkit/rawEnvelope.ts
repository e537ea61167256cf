/** Hand-made envelopes for tests, with contents that no encoder writes. */

/** A length-delimited field; as a whole envelope, the message of this number. */
export function lengthDelimited(field: number, content: Uint8Array): Uint8Array {
  const head = [...varint(field * 8 + 2), ...varint(content.length)];
  const bytes = new Uint8Array(head.length + content.length);
  bytes.set(head);
  bytes.set(content, head.length);
  return bytes;
}

/** A message with so many empty messages in its first field: two bytes each. */
export function emptyParts(count: number): Uint8Array {
  const bytes = new Uint8Array(2 * count);
  for (let at = 0; at < bytes.length; at += 2) bytes[at] = 0x0a;
  return bytes;
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
