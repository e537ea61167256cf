/**
 * Restores the mempool after a start: the stored payments are judged again.
 *
 * Nothing that was stored about them is believed: who can write the file, or a fault of an earlier version, must not make
 * this node take a false proof for a good one, in the pool or in a block (decision 21).
 */
import type { TxId } from "@svc/shared/base/brand.ts";
import { forEachConcurrent } from "@svc/shared/base/forEachConcurrent.ts";
import { infoOf } from "@svc/shared/base/errors.ts";
import { MEMPOOL_LIMITS } from "./mempoolLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../platform/log/log.ts";
import type { PoolStore, StoredPage, StoredTransaction } from "./poolStore.ts";

/** Dependencies of restoring. */
export type RestoreParts = {
  readonly store: Pick<PoolStore, "page" | "remove">;
  /** Id of a RawTransaction. Errors: the codec's. */
  readonly identify: (raw: Uint8Array) => TxId;
  /** Whether a payment waits already: a peer may have been faster than the store. */
  readonly isWaiting: (txid: TxId) => boolean;
  /** Judges a payment and puts it into the pool. */
  readonly admit: (stored: StoredTransaction) => Promise<unknown>;
  /** DAA score before which a payment has waited too long. */
  readonly oldest: bigint;
  readonly log: Log;
};

/** Judges what is stored and takes it back, a bounded number at a time, until the signal ends it. Errors: `store/read-failed`. */
export async function restorePool(parts: RestoreParts, signal: AbortSignal): Promise<void> {
  const { store, log } = parts;
  let from: Uint8Array | null = new Uint8Array();
  while (from !== null && !signal.aborted) {
    const page: StoredPage = store.page(from, MEMPOOL_LIMITS.mempoolRestoreAtOnce);
    await forEachConcurrent(page.rows, MEMPOOL_LIMITS.mempoolRestoreAtOnce, async (row) => {
      // It stays for somebody to look at, and keeps none of the others from coming back.
      if (row instanceof SvcError) log.error({ err: row }, "a stored transaction cannot be read");
      else await restore(parts, row);
    });
    from = page.next;
  }
}

async function restore(parts: RestoreParts, stored: StoredTransaction): Promise<void> {
  const { store, isWaiting, oldest, log } = parts;
  const { txid, addedAtDaa } = stored;
  if (isWaiting(txid)) return;
  if (addedAtDaa < oldest) {
    await store.remove(txid);
    return;
  }
  const refusal = await refusalOf(parts, stored);
  if (refusal === null || isWaiting(txid)) return;
  log.info({ txid, code: refusal.code }, "a stored transaction applies no more");
  await store.remove(txid);
}

/** The verdict that a payment goes for; null when it waits now, or when nobody could judge it before the next start. */
async function refusalOf(
  { identify, admit, log }: RestoreParts,
  stored: StoredTransaction,
): Promise<SvcError | null> {
  const { txid, raw } = stored;
  try {
    // This row itself is wrong; damage elsewhere in the store says nothing about the payment.
    if (identify(raw) !== txid)
      return new SvcError("store/corrupt", { table: "pool", reason: "id" });
    await admit(stored);
    return null;
  } catch (thrown) {
    const error = SvcError.from(thrown);
    const { retryable, log: level } = infoOf(error);
    if (retryable) return null;
    if (level !== "error") return error;
    // A defect, or a machine that needs help: ours, and no fault of a payment that this node has acknowledged.
    log.error({ txid, err: error }, "a stored transaction could not be judged");
    return null;
  }
}
