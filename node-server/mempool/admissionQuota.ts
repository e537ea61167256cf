/**
 * Admission quotas: how many payments each source may have in admission at once, so that one source leaves room for all others.
 */
import { MEMPOOL_LIMITS } from "./mempoolLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { WorkSource } from "../engine/verify/workRateLimiter.ts";

type Held = { readonly payments: number; readonly bytes: number };

const NOTHING: Held = { payments: 0, bytes: 0 };

/** Counts the payments in admission: so many for all, fewer for each source, the last places for sources that have none. */
export class AdmissionQuota {
  #all = NOTHING;
  readonly #bySource = new Map<WorkSource, Held>();

  /** Payments in admission. */
  get size(): number {
    return this.#all.payments;
  }

  /**
   * Takes a place for a payment of so many bytes; the returned call gives it back, once. Without a source it is this
   * node's own concern: counted, never refused. Errors: `mempool/verification-queue-full`.
   */
  take(source: WorkSource | undefined, bytes: number): () => void {
    if (source !== undefined) this.#requireRoom(source, bytes);
    this.#count(source, 1, bytes);
    let isHeld = true;
    return () => {
      if (isHeld) this.#count(source, -1, -bytes);
      isHeld = false;
    };
  }

  #requireRoom(source: WorkSource, bytes: number): void {
    const own = this.#bySource.get(source) ?? NOTHING;
    const places =
      MEMPOOL_LIMITS.mempoolAdmissions - (own.payments > 0 ? MEMPOOL_LIMITS.mempoolNewcomers : 0);
    requireBelow(this.#all.payments, places);
    requireBelow(own.payments, MEMPOOL_LIMITS.mempoolSourceAdmissions);
    requireBelow(this.#all.bytes + bytes - 1, MEMPOOL_LIMITS.mempoolAdmissionBytes);
    requireBelow(own.bytes + bytes - 1, MEMPOOL_LIMITS.mempoolSourceBytes);
  }

  #count(source: WorkSource | undefined, payments: number, bytes: number): void {
    this.#all = plus(this.#all, payments, bytes);
    if (source === undefined) return;
    const own = plus(this.#bySource.get(source) ?? NOTHING, payments, bytes);
    if (own.payments === 0) this.#bySource.delete(source);
    else this.#bySource.set(source, own);
  }
}

function plus(held: Held, payments: number, bytes: number): Held {
  return { payments: held.payments + payments, bytes: held.bytes + bytes };
}

function requireBelow(held: number, max: number): void {
  if (held >= max) throw new SvcError("mempool/verification-queue-full", { max });
}
