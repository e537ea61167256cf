/** What waits in a node's pool for one incoming viewing key: tells what came and what went, each once. */
import type { TxId } from "@svc/shared/base/brand.ts";
import type { IncomingOutput } from "@svc/shared/wallet/state/incomingFacts.ts";
import type { PoolListener } from "./poolScan.ts";

/** Who is told. */
export type WaitingNotesParts = {
  /** Notes that wait since this look. */
  readonly onWaiting: (notes: readonly IncomingOutput[]) => void;
  /** Notes that were told and wait no longer: a block holds their transaction, or it was dropped. */
  readonly onGone: (notes: readonly IncomingOutput[]) => void;
};

/** Listener of a `PoolScan` with incoming viewing keys. It holds no more than what the last answer of the node had. */
export class WaitingNotes implements PoolListener<readonly IncomingOutput[]> {
  readonly #parts: WaitingNotesParts;
  readonly #notes = new Map<TxId, readonly IncomingOutput[]>();

  constructor(parts: WaitingNotesParts) {
    this.#parts = parts;
  }

  /** The notes that wait. */
  get notes(): readonly IncomingOutput[] {
    return [...this.#notes.values()].flat();
  }

  found(notes: readonly IncomingOutput[]): void {
    const fresh = Map.groupBy(
      notes.filter(({ txid }) => !this.#notes.has(txid)),
      ({ txid }) => txid,
    );
    for (const [txid, own] of fresh) this.#notes.set(txid, own);
    if (fresh.size > 0) this.#parts.onWaiting([...fresh.values()].flat());
  }

  held(txids: ReadonlySet<TxId>): void {
    const gone: IncomingOutput[] = [];
    for (const [txid, notes] of this.#notes) {
      if (txids.has(txid)) continue;
      gone.push(...notes);
      this.#notes.delete(txid);
    }
    if (gone.length > 0) this.#parts.onGone(gone);
  }
}
