/** Cache of recently applied transactions: sent again, they are refused as already applied. */
import type { DaaScore, TxId } from "@svc/shared/base/brand.ts";

/** Remembers transaction ids for a span of DAA scores, and at most a number of ids. */
export class RecentlyApplied {
  readonly #span: bigint;
  readonly #limit: number;
  readonly #applied = new Map<TxId, DaaScore>();

  constructor(spanDaa: bigint, limit: number) {
    this.#span = spanDaa;
    this.#limit = limit;
  }

  /** Ids remembered. */
  get size(): number {
    return this.#applied.size;
  }

  has(txid: TxId): boolean {
    return this.#applied.has(txid);
  }

  /** Remembers an id; the oldest is forgotten when there are too many. */
  add(txid: TxId, daaScore: DaaScore): void {
    this.#applied.delete(txid);
    this.#applied.set(txid, daaScore);
    for (const oldest of this.#applied.keys()) {
      if (this.#applied.size <= this.#limit) break;
      this.#applied.delete(oldest);
    }
  }

  /** Forgets an id: its block left the chain. */
  delete(txid: TxId): void {
    this.#applied.delete(txid);
  }

  /** Forgets everything: the chain is another one. */
  clear(): void {
    this.#applied.clear();
  }

  /** Forgets what was applied more than the span before this score. */
  expire(daaScore: DaaScore): void {
    for (const [txid, at] of this.#applied) {
      if (at + this.#span >= daaScore) break;
      this.#applied.delete(txid);
    }
  }
}
