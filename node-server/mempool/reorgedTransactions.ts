/**
 * Transactions that a reorganisation took off the selected chain, on their way back into the mempool.
 *
 * Their block is usually merged again by the new chain, which then applies them; while that is about to
 * happen their notes count as spent and the pool cannot take them. So they are tried again with every move
 * of the chain, for a bounded span.
 */
import type { TxId } from "@svc/shared/base/brand.ts";

/** `until` is set when it is first to be tried: a change of the chain is told in pages, the last one knows the score. */
type Row = { readonly raw: Uint8Array; until: bigint | null };

/** The transactions that are retried, bounded by number; the one that came first gives way. */
export class ReorgedTransactions {
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

  /** Holds a transaction until it was tried for its span. */
  add(txid: TxId, raw: Uint8Array): void {
    this.#rows.set(txid, { raw, until: null });
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
    for (const [txid, row] of this.#rows) {
      row.until ??= daaScore + this.#span;
      if (row.until < daaScore) this.#rows.delete(txid);
    }
    return [...this.#rows].map(([txid, { raw }]) => ({ txid, raw }));
  }
}
