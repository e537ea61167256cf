/** Codec of lower-case hex. */
import { SvcError } from "./svcError.ts";

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const HEX_FORM = /^(?:[0-9a-f]{2})*$/;

/** Encodes bytes as two lower-case digits each. */
export function encodeHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += DIGITS[byte];
  return text;
}

/** Decodes lower-case hex of `length` bytes, or of any length when it is left out. Throws `codec/bad-hex`. */
export function decodeHex(text: string, length?: number): Uint8Array<ArrayBuffer> {
  const fits = length === undefined || text.length === length * 2;
  if (!fits || !HEX_FORM.test(text)) {
    throw new SvcError("codec/bad-hex", { text: text.slice(0, 80) });
  }
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i += 1) {
    bytes[i] = Number.parseInt(text.slice(i * 2, i * 2 + 2), 16);
  }
  return bytes;
}
