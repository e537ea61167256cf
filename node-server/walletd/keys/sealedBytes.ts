/**
 * Authenticated encryption of what a wallet folder holds: nonce 24 ‖ ciphertext ‖ tag 16, XChaCha20-Poly1305 with a fresh random
 * nonce. The associated data say what the bytes are and whose, so that bytes which were moved elsewhere do not open.
 */
import { randomBytes } from "node:crypto";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import type { Secret } from "@svc/shared/base/secret.ts";
import { decryptXchacha, encryptXchacha, NONCE_BYTES, TAG_BYTES } from "./xchachaPoly.ts";

/** What sealed bytes are for. */
export type SealPurpose = "wallet" | "scan" | "folder" | "store" | "row";

/** Associated data: purpose, version of the form, and texts of which only the last may hold a zero byte. */
export function sealContext(
  purpose: SealPurpose,
  version: number,
  ...texts: readonly string[]
): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode([`svc-walletd/${purpose}/${version}`, ...texts].join("\0"));
}

/** Encrypts bytes. Two calls never give the same. */
export function sealBytes(
  key: Secret,
  context: Uint8Array,
  plain: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  return concatBytes(
    nonce,
    key.reveal((bytes) => encryptXchacha(bytes, nonce, context, plain)),
  );
}

/** Decrypts bytes; null when the key or the context is another, or a byte was changed. The caller wipes what it gets. */
export function openBytes(key: Secret, context: Uint8Array, sealed: Uint8Array): Uint8Array | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const body = sealed.subarray(NONCE_BYTES);
  return key.reveal((bytes) => decryptXchacha(bytes, nonce, context, body));
}
