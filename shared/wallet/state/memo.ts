/**
 * Codec of memos: the 512 bytes that travel with every note, visible to payer and payee only.
 *
 * Text is UTF-8, padded with zeros. A first byte above 0xF4 marks something else; 0xF6 alone is
 * the empty memo (specification wallet 3.4, shielded 20).
 */
import { WALLET_LIMITS } from "../walletLimits.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";

const LARGEST_TEXT_BYTE = 0xf4;
const EMPTY_MARK = 0xf6;

/** A decoded memo. */
export type Memo =
  | { readonly kind: "empty" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "bytes"; readonly hex: string };

/** Encodes a text as a memo: hex, unpadded; "" for no memo. Throws `wallet/memo-too-long`. */
export function encodeMemo(text: string): string {
  return encodeMemoBytes(new TextEncoder().encode(text));
}

/** Encodes any bytes as a memo: hex, unpadded. Throws `wallet/memo-too-long`. */
export function encodeMemoBytes(bytes: Uint8Array): string {
  if (bytes.length > WALLET_LIMITS.memoBytes) {
    throw new SvcError("wallet/memo-too-long", {
      length: bytes.length,
      max: WALLET_LIMITS.memoBytes,
    });
  }
  return encodeHex(bytes);
}

/** Decodes a memo from hex, padded or not. Bytes that are no text are given as hex. */
export function readMemo(hex: string): Memo {
  const bytes = withoutTrailingZeros(decodeHex(hex));
  const [first] = bytes;
  if (first === undefined || (bytes.length === 1 && first === EMPTY_MARK)) return { kind: "empty" };
  const text = first > LARGEST_TEXT_BYTE ? undefined : decodeText(bytes);
  return text === undefined ? { kind: "bytes", hex: encodeHex(bytes) } : { kind: "text", text };
}

function withoutTrailingZeros(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  return bytes.subarray(0, end);
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
