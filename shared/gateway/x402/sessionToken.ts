/** Tokens of prepaid sessions: 32 random bytes that the client chooses. Nobody else ever has one; its SHA-256 names the session. */
import { asHash32, type Hash32 } from "../../base/brand.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";

const FORM = /^[0-9a-f]{64}$/;

/** The SHA-256 of a token of 64 hexadecimal digits; null for another text. */
export async function sessionHashOf(token: string): Promise<Hash32 | null> {
  if (!FORM.test(token)) return null;
  const digest = await crypto.subtle.digest("SHA-256", decodeHex(token));
  return asHash32(encodeHex(new Uint8Array(digest)));
}
