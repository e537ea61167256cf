/**
 * Transactions of blocks that left the selected chain, on their way back into the pool.
 *
 * Their block is usually merged again by the new chain, which then applies them; while that is about to
 * happen their notes count as spent and the pool cannot take them. So they are tried again with every move
 * of the chain, for a bounded span.
 */
import type { TxId } from "@svc/shared/base/brand.ts";

type Row = { readonly raw: Uint8Array; readonly until: bigint };

/** Bounded by number; the one that came first gives way. */
export class Returning {
  readonly #span: bigint;
  readonly #limit: number;
  readonly #rows = new Map<TxId, Row>();

  /** `spanDaa` is how long one is tried, in DAA scores. */
  constructor(spanDaa: bigint, limit: number) {
    this.#span = spanDaa;
    this.#limit = limit;
  }

  /** Transactions held. */
  get size(): number {
    return this.#rows.size;
  }

  /** Holds a transaction from this DAA score on. */
  add(txid: TxId, raw: Uint8Array, daaScore: bigint): void {
    this.#rows.set(txid, { raw, until: daaScore + this.#span });
    for (const oldest of this.#rows.keys()) {
      if (this.#rows.size <= this.#limit) break;
      this.#rows.delete(oldest);
    }
  }

  /** Forgets a transaction: it is back, applied, or applies no more. */
  delete(txid: TxId): void {
    this.#rows.delete(txid);
  }

  /** What is to be tried now; what was tried for long enough is forgotten. */
  due(daaScore: bigint): { readonly txid: TxId; readonly raw: Uint8Array }[] {
    for (const [txid, { until }] of this.#rows) {
      if (until < daaScore) this.#rows.delete(txid);
    }
    return [...this.#rows].map(([txid, { raw }]) => ({ txid, raw }));
  }
}
