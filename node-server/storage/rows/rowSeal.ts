/** Interface of what hides the content of rows from somebody who reads the disk. */

/** Seals bytes with a key of its own. What it opens was sealed under the same context, or it throws. */
export interface RowSeal {
  /** Encrypts and authenticates; the context is authenticated alone. */
  seal(plain: Uint8Array, context: Uint8Array): Uint8Array;
  /** Decrypts. Throws for bytes that were changed, or moved to another row. */
  open(sealed: Uint8Array, context: Uint8Array): Uint8Array;
}
