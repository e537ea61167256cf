/**
 * Cache of fixtures that take long to make, below `.cache`: each is kept until what makes it changes, and then made anew. Two
 * processes may make the same one at once.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const CACHE = fileURLToPath(new URL("../../.cache", import.meta.url));

/** A fixture of the cache. */
export type KeptThingParts = {
  /** Folder below the cache. */
  readonly folder: string;
  /** What it is: things of one name replace each other. */
  readonly name: string;
  /** Digest in hex of what makes it, such as `coreFingerprint`. */
  readonly maker: string;
  /** Ending of a file's name, with its point; left out for a folder. */
  readonly ending?: string;
};

/** A file or a folder that may have been made before. */
export class KeptThing {
  /** Where it is when all of it is there. */
  readonly path: string;
  readonly #parts: KeptThingParts;

  constructor(parts: KeptThingParts, cache = CACHE) {
    const { folder, name, maker, ending = "" } = parts;
    this.#parts = parts;
    this.path = join(cache, folder, `${name}-${maker}${ending}`);
  }

  /** Whether it has been made. */
  get isThere(): boolean {
    return existsSync(this.path);
  }

  /** Removes what other makers left of this name. Returns where it is to be made now: `keep` puts it in its place. */
  begin(): string {
    const folder = dirname(this.path);
    mkdirSync(folder, { recursive: true });
    for (const other of readdirSync(folder)) {
      if (this.#isOutdated(other)) rmSync(join(folder, other), { recursive: true, force: true });
    }
    return this.#unfinished;
  }

  /** It is made: from now on all of it is there. */
  keep(): void {
    try {
      renameSync(this.#unfinished, this.path);
    } catch (error) {
      // Another process was first with a folder, which stays.
      if (!this.isThere) throw error;
      rmSync(this.#unfinished, { recursive: true, force: true });
    }
  }

  get #unfinished(): string {
    return `${this.path}.${process.pid}`;
  }

  /** What another process makes ends with its number. */
  #isOutdated(other: string): boolean {
    const { name, ending = "" } = this.#parts;
    if (other === basename(this.path)) return false;
    if (!other.startsWith(`${name}-`) || !other.endsWith(ending)) return false;
    return /^[0-9a-f]+$/.test(other.slice(name.length + 1, other.length - ending.length));
  }
}
