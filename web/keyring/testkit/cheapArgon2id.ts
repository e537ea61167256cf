/** Stand-in for the key stretching, for tests in which only its inputs matter: it takes microseconds at any cost. */
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Argon2id } from "../passphraseKey.ts";

/** 32 bytes that depend on passphrase, salt and both costs, as those of Argon2id do. Stored vectors are opened with the real one. */
export const cheapArgon2id: Argon2id = (passphrase, salt, memoryKib, passes) => {
  const cost = new TextEncoder().encode(`${memoryKib} ${passes}`);
  return hkdf(sha256, passphrase, salt, cost, 32);
};
