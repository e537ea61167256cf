/**
 * A file cache of tables that are computed from the program's own assets, so that the next start is faster.
 *
 * Nothing depends on them: a missing, old or damaged file is computed anew by whoever reads it, and a file
 * that cannot be written is done without. Set-up leaves some for every node of this checkout.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { threadId } from "node:worker_threads";
import { PROJECT_ROOT } from "../projectRoot.ts";

/** Name of the cache folder below a network's folder: tables that can be computed anew at any time. */
export const DERIVED_FOLDER = "derived";
/** Folder of the tables that set-up leaves, which no node writes to. */
export const SET_UP_TABLES: string = fileURLToPath(new URL(".cache/derived", PROJECT_ROOT));

/** The cached tables of one kind. The tag changes with their content, so no file is ever read as another. */
export class DerivedFiles {
  readonly #folder: string | null;
  readonly #kind: string;
  readonly #name: string;
  readonly #setUpFolder: string | null;

  /** `folder: null` stores nothing. What is not in it may be in the other, which is read alone. */
  constructor(folder: string | null, kind: string, tag: string, setUpFolder: string | null = null) {
    this.#folder = folder;
    this.#setUpFolder = setUpFolder;
    this.#kind = kind;
    this.#name = `${kind}-${tag}`;
  }

  /** The stored bytes; null when there are none. Their reader checks them. */
  read(): Uint8Array<ArrayBuffer> | null {
    return readFile(this.#folder, this.#name) ?? readFile(this.#setUpFolder, this.#name);
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

function readFile(folder: string | null, name: string): Uint8Array<ArrayBuffer> | null {
  if (folder === null) return null;
  try {
    return new Uint8Array(readFileSync(join(folder, name)));
  } catch {
    return null;
  }
}
