/** Parser of a typed viewing key. */
import { decodeHex } from "@svc/shared/base/hex.ts";

const FULL_DIGITS = 192;
const INCOMING_DIGITS = 128;

/** The result: the bytes of a full viewing key, or what is wrong. Whether it is a key of the curve the core decides. */
export type ViewingKeyText =
  | { readonly kind: "full"; readonly key: Uint8Array<ArrayBuffer> }
  | { readonly kind: "incoming" | "malformed" };

/** Parses 192 hexadecimal digits. Capitals, blanks and line breaks do not matter. */
export function readViewingKey(text: string): ViewingKeyText {
  const digits = text.replaceAll(/\s/g, "").toLowerCase();
  if (!/^[0-9a-f]*$/.test(digits)) return { kind: "malformed" };
  if (digits.length === INCOMING_DIGITS) return { kind: "incoming" };
  if (digits.length !== FULL_DIGITS) return { kind: "malformed" };
  return { kind: "full", key: new Uint8Array(decodeHex(digits)) };
}
