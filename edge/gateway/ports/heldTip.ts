/** The sink as this instance of the Worker read it last: records need it at once, and D1 takes a moment. */
import type { BlueScore } from "@svc/shared/base/brand.ts";
import { readChainTip, type ChainTip } from "../scanner/chainTip.ts";

/** The sink of a database. */
export class HeldTip {
  readonly #db: D1Database;
  #tip: ChainTip | null = null;

  constructor(db: D1Database) {
    this.#db = db;
  }

  /** Blue score of the sink; null where none is known. */
  get blueScore(): BlueScore | null {
    return this.#tip?.blueScore ?? null;
  }

  /** All that a scanner told of it; null where none is known. */
  get told(): ChainTip | null {
    return this.#tip;
  }

  /** Reads it anew. Rejects with what D1 says. */
  async refresh(): Promise<void> {
    this.#tip = await readChainTip(this.#db);
  }
}
