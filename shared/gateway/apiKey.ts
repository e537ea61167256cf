/**
 * API keys of merchants: their text, their checksum, and the hash that is stored in their place. Web Crypto alone, so they are the
 * same in Node and at an edge.
 *
 * A key is `svc_live_` or `svc_test_`, then 160 random bits as 32 characters, then 4 characters of checksum; the characters are
 * `a`–`z` and `2`–`7`. The checksum is the low 20 bits of the CRC-32C of all before it, so that a scanner for leaked keys can tell
 * a key from other text, and a mistyped key is refused without a look at any store.
 */
import { asHash32, type Hash32 } from "../base/brand.ts";
import { crc32c } from "../base/crc32c.ts";
import { decodeHex, encodeHex } from "../base/hex.ts";
import { SvcError } from "../base/svcError.ts";

/** Whether a key makes invoices that are paid in earnest, or on a test network. */
export type ApiKeyMode = "live" | "test";

/** Random bytes that a key is made of. */
export const API_KEY_BYTES = 20;

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const BITS = 5;
const CHECKSUM_CHARS = 4;
const FORM = /^svc_(live|test)_[a-z2-7]{36}$/;

/** Makes the text of a key out of `API_KEY_BYTES` bytes of the system's generator. Throws `codec/number-out-of-range` for another number of bytes. */
export function makeApiKey(mode: ApiKeyMode, random: Uint8Array): string {
  if (random.length !== API_KEY_BYTES) {
    const text = String(random.length);
    throw new SvcError("codec/number-out-of-range", { text, max: API_KEY_BYTES });
  }
  const body = `svc_${mode}_${toBase32(random)}`;
  return body + checksumOf(body);
}

/** The mode of a key; null for a text that is none, or is mistyped. It takes any text, and says nothing of who may use the key. */
export function apiKeyMode(text: string): ApiKeyMode | null {
  const mode = FORM.exec(text)?.[1];
  if (mode !== "live" && mode !== "test") return null;
  const body = text.slice(0, -CHECKSUM_CHARS);
  return checksumOf(body) === text.slice(-CHECKSUM_CHARS) ? mode : null;
}

/** The SHA-256 of a key's text: what is stored of it. */
export async function hashApiKey(text: string): Promise<Hash32> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return asHash32(encodeHex(new Uint8Array(digest)));
}

/** Whether two hashes are the same, in a time that does not depend on where they differ. */
export function sameKeyHash(a: Hash32, b: Hash32): boolean {
  const [left, right] = [decodeHex(a, 32), decodeHex(b, 32)];
  let difference = 0;
  for (const [place, byte] of left.entries()) difference |= byte ^ (right[place] ?? 0);
  return difference === 0;
}

function checksumOf(body: string): string {
  const sum = crc32c(new TextEncoder().encode(body));
  return Array.from({ length: CHECKSUM_CHARS }, (_, place) =>
    ALPHABET.charAt((sum >>> (BITS * (CHECKSUM_CHARS - 1 - place))) & 31),
  ).join("");
}

/** Eight characters for each five bytes. */
function toBase32(bytes: Uint8Array): string {
  let text = "";
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= BITS) {
      bits -= BITS;
      text += ALPHABET.charAt((held >>> bits) & 31);
    }
  }
  return text;
}
