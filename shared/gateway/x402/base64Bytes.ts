/** Base64 of bytes, by what every platform has. */
import { SvcError } from "../../base/svcError.ts";

/** Bytes that one call of the platform turns into characters: it takes each as an argument. */
const CHUNK = 8_192;

/** The bytes of a text; null for a text that is no base64. The caller bounds its length. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

/** The text of bytes. */
export function base64OfBytes(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}

/** A value as base64 of its JSON: the content of a header of x402. */
export function headerOf(value: unknown): string {
  return base64OfBytes(new TextEncoder().encode(JSON.stringify(value)));
}

/** The JSON of such a header. Throws `codec/bad-json` for one that is longer than `most` characters, or is none. */
export function valueOfHeader(text: string, most: number): unknown {
  const bytes = text.length > most ? null : bytesOfBase64(text);
  if (bytes === null)
    throw new SvcError("codec/bad-json", { reason: "no base64 of bounded length" });
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new SvcError("codec/bad-json", { reason: "no JSON in base64" }, error);
  }
}
