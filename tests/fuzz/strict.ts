/** Round-trip property of canonical encodings, for decoders that accept one encoding of each value. */
import { equalBytes } from "@svc/shared/base/bytes.ts";

/** Decodes, encodes again, and throws when the bytes are others. */
export function strict<T>(
  decode: (bytes: Uint8Array) => T,
  encode: (value: T) => Uint8Array,
): (bytes: Uint8Array) => void {
  return (bytes) => {
    const again = encode(decode(bytes));
    if (!equalBytes(again, bytes)) throw new Error("another encoding was taken");
  };
}
