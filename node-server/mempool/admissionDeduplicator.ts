/**
 * Deduplicates concurrent admissions by their bytes: the same payment sent twice is judged once.
 *
 * Never by id: the id of a payment does not cover all of its bytes, so another payment with the same id may be refused for
 * what this one does not have (decision 21). A refusal for what a source did before is not passed on to another one either.
 */
import { hash } from "node:crypto";
import type { TxId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";

/** Admissions in progress, by the hash of their bytes. */
export class AdmissionDeduplicator {
  readonly #running = new Map<string, Promise<TxId>>();

  /** Admits these bytes, or waits for the admission of the same bytes. Rejects with what `admit` finds wrong with them. */
  async run(raw: Uint8Array, admit: () => Promise<TxId>): Promise<TxId> {
    const key = hash("sha256", raw, "base64");
    for (;;) {
      const running = this.#running.get(key);
      if (running === undefined) return this.#begin(key, admit);
      try {
        return await running;
      } catch (error) {
        if (!isOfSource(error)) throw error;
      }
    }
  }

  /** Resolves when all that are under way have ended, however they ended. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  #begin(key: string, admit: () => Promise<TxId>): Promise<TxId> {
    const running = admit().finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }
}

/** Whether somebody was refused because of who it is: too fast, or without a place left. The next one may not be. */
function isOfSource(error: unknown): boolean {
  return SvcError.is(error, "queue/too-fast", "mempool/verification-queue-full");
}
