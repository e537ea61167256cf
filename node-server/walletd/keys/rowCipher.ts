/** Cipher of rows that lie in a database beside the wallet files: XChaCha20-Poly1305 under a random key of the folder. */
import { randomBytes } from "node:crypto";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { openBytes, sealBytes, sealContext } from "./sealedBytes.ts";

/** Bytes of the key. */
const STORE_KEY_BYTES = 32;
const VERSION = 1;
const PREFIX = concatBytes(sealContext("row", VERSION), new Uint8Array(1));

/** A fresh key for rows. */
export function newStoreKey(): Secret {
  return new Secret(new Uint8Array(randomBytes(STORE_KEY_BYTES)));
}

/** Seals and opens rows. The context says which row it is, and is authenticated with it. */
export class RowCipher {
  readonly #key: Secret;

  /** Takes ownership of the key. */
  constructor(key: Secret) {
    this.#key = key;
  }

  /** Encrypts. Two calls never give the same. */
  seal(plain: Uint8Array, context: Uint8Array): Uint8Array {
    return sealBytes(this.#key, concatBytes(PREFIX, context), plain);
  }

  /** Decrypts. Throws a `TypeError` for bytes that were changed, moved to another row, or sealed under another key. */
  open(sealed: Uint8Array, context: Uint8Array): Uint8Array {
    const plain = openBytes(this.#key, concatBytes(PREFIX, context), sealed);
    if (plain === null) throw new TypeError("it does not open under the folder's key");
    return plain;
  }

  /** Overwrites the key. Harmless when repeated. */
  erase(): void {
    this.#key.erase();
  }

  /** `using rows = …` erases at the end of the block. */
  [Symbol.dispose](): void {
    this.erase();
  }
}
