/** The database of the derived tables, which can be thrown away and made anew while the node serves. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Kv, KvReader } from "../../storage/kv.ts";
import type { DatabaseLayout } from "../../storage/layout.ts";
import { openStore } from "../../storage/openStore.ts";
import { DERIVED_LAYOUT } from "../tables/indexLayout.ts";

/** Where a database lies, and how it is opened. */
export type DerivedStoreParts = {
  /** Folder of the index; null in memory. */
  readonly root: string | null;
  readonly log: Pick<Log, "warn">;
  /** Opens it; left out, `openStore`. */
  readonly open?: (root: string | null, layout: DatabaseLayout) => Promise<Kv>;
};

/** The derived tables' database. */
export class DerivedStore {
  readonly #parts: DerivedStoreParts;
  #kv: Kv | null = null;
  #drops = 0;
  #readers = 0;
  #idle: PromiseWithResolvers<void> = Promise.withResolvers();

  constructor(parts: DerivedStoreParts) {
    this.#parts = parts;
  }

  /** Opens it; one that is damaged or of another version is made anew. Rejects with `store/read-failed` and its kin. */
  async open(): Promise<void> {
    try {
      this.#kv = await this.#open();
    } catch (thrown) {
      const error = SvcError.from(thrown);
      if (!this.isLost(error)) throw error;
      this.#parts.log.warn({ err: error }, "the index cannot be read and is made anew");
      this.#delete();
      this.#kv = await this.#open();
    }
  }

  /** Whether the tables are made anew after an error: damage, a layout of another version, or a file of theirs that cannot be read. */
  isLost(error: SvcError): boolean {
    if (SvcError.is(error, "store/damaged", "store/corrupt", "store/version")) return true;
    // The engine and what was observed have files of their own: those do not come back with these tables.
    return SvcError.is(error, "store/unreadable") && error.data.folder === this.#folder;
  }

  get #folder(): string | null {
    const { root } = this.#parts;
    return root === null ? null : join(root, DERIVED_LAYOUT.name);
  }

  /** The database. Throws `http/unavailable` while there is none. */
  get kv(): Kv {
    if (this.#kv === null)
      throw new SvcError("http/unavailable", { reason: "the index is made anew" });
    return this.#kv;
  }

  /**
   * Reads from one state of the tables, which stays open until the reading has settled. Rejects as the reading does, and with
   * `http/unavailable` while there is no database.
   */
  async read<T>(use: (reader: KvReader) => Promise<T>): Promise<T> {
    const reader = this.kv.snapshot();
    this.#readers += 1;
    try {
      return await use(reader);
    } finally {
      reader.close();
      this.#readers -= 1;
      if (this.#readers === 0) this.#idle.resolve();
    }
  }

  /** How often it was thrown away. */
  get drops(): number {
    return this.#drops;
  }

  /** Throws all rows away. Rejects as `open` does. */
  async drop(): Promise<void> {
    this.#drops += 1;
    await this.close();
    this.#delete();
    this.#kv = await this.#open();
  }

  /** Closes it when nobody reads any more; nobody begins to. Calling it again does nothing. */
  async close(): Promise<void> {
    const kv = this.#kv;
    this.#kv = null;
    if (this.#readers > 0) {
      // LMDB does not bear that a file is closed under a reader.
      this.#idle = Promise.withResolvers();
      await this.#idle.promise;
    }
    await kv?.close();
  }

  async #open(): Promise<Kv> {
    const { root, open } = this.#parts;
    if (open !== undefined) return open(root, DERIVED_LAYOUT);
    return (await openStore(root, DERIVED_LAYOUT)).store;
  }

  #delete(): void {
    const { root } = this.#parts;
    if (root === null) return;
    for (const name of [DERIVED_LAYOUT.name, `${DERIVED_LAYOUT.name}.new`]) {
      rmSync(join(root, name), { recursive: true, force: true });
    }
  }
}
