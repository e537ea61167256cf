/**
 * Authenticated encryption of stored records: version 1 ‖ nonce 24 ‖ ciphertext ‖ tag 16, XChaCha20-Poly1305 with a fresh
 * nonce (specification wallet 4.1). Purpose and place of the record are authenticated as associated data, so a record that
 * was moved elsewhere does not open.
 */
import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";

const VERSION = 1;
const NONCE = 24;
const TAG = 16;

/** Encrypts `plain`. Two calls never give the same bytes. */
export function sealRecord(
  key: Uint8Array,
  context: Uint8Array,
  plain: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE));
  const sealed = xchacha20poly1305(key, nonce, context).encrypt(plain);
  return concatBytes(Uint8Array.of(VERSION), nonce, sealed);
}

/**
 * Decrypts a record; null when the key is another, the context differs or a byte was changed.
 * Throws `store/version` for a form this program does not know.
 */
export function openRecord(
  key: Uint8Array,
  context: Uint8Array,
  record: Uint8Array,
): Uint8Array<ArrayBuffer> | null {
  const [version] = record;
  if (version !== VERSION) {
    throw new SvcError("store/version", { expected: VERSION, found: version ?? "nothing" });
  }
  if (record.length < 1 + NONCE + TAG) return null;
  const nonce = record.subarray(1, 1 + NONCE);
  try {
    const plain = xchacha20poly1305(key, nonce, context).decrypt(record.subarray(1 + NONCE));
    return new Uint8Array(plain);
  } catch {
    // The library throws the same error for every way of not being authentic.
    return null;
  }
}
