/**
 * Tables that are computed from the program's own assets, kept on disk so that the next start is faster.
 *
 * Nothing depends on them: a missing, old or damaged file is computed anew by whoever reads it, and a file
 * that cannot be written is done without.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";

/** The stored tables of one kind. The tag changes with their content, so no file is ever read as another. */
export class DerivedFiles {
  readonly #folder: string | null;
  readonly #kind: string;
  readonly #name: string;

  /** `folder: null` stores nothing. */
  constructor(folder: string | null, kind: string, tag: string) {
    this.#folder = folder;
    this.#kind = kind;
    this.#name = `${kind}-${tag}`;
  }

  /** The stored bytes; null when there are none. Their reader checks them. */
  read(): Uint8Array<ArrayBuffer> | null {
    if (this.#folder === null) return null;
    try {
      return new Uint8Array(readFileSync(join(this.#folder, this.#name)));
    } catch {
      return null;
    }
  }

  /** Stores the bytes in place of whatever was there, and removes those of other tags. No bytes: does nothing. */
  write(bytes: Uint8Array): void {
    const folder = this.#folder;
    if (folder === null || bytes.length === 0) return;
    try {
      mkdirSync(folder, { recursive: true });
      // Several threads may write at once: each has a file of its own until it is whole.
      const whole = join(folder, `.${this.#name}-${process.pid}-${threadId}`);
      writeFileSync(whole, bytes);
      renameSync(whole, join(folder, this.#name));
      for (const name of readdirSync(folder)) {
        const old = name.startsWith(`${this.#kind}-`) && name !== this.#name;
        if (old) rmSync(join(folder, name), { force: true });
      }
    } catch {
      // The next start computes the tables again.
    }
  }
}
