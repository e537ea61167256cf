/** A bound on how much of one kind of work runs at once, and how much of it for one merchant: one more is refused, and waits nowhere. */
import type { MerchantId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";

/** How many places there are. */
export type PlacesParts = {
  /** Of all merchants. */
  readonly most: number;
  /** Of one merchant. */
  readonly share: number;
  /** Told to whoever finds no place. */
  readonly reason: string;
};

/** Places for work. */
export class Places {
  readonly #parts: PlacesParts;
  readonly #taken = new Map<MerchantId, number>();
  #all = 0;

  constructor(parts: PlacesParts) {
    this.#parts = parts;
  }

  /** Runs work in a place. Rejects with what it rejects with, and with `http/unavailable` where there is no place for this merchant. */
  async run<T>(merchant: MerchantId, work: () => Promise<T>): Promise<T> {
    const { most, share, reason } = this.#parts;
    const own = this.#taken.get(merchant) ?? 0;
    if (this.#all >= most || own >= share) throw new SvcError("http/unavailable", { reason });
    this.#all += 1;
    this.#taken.set(merchant, own + 1);
    try {
      return await work();
    } finally {
      this.#all -= 1;
      this.#leave(merchant);
    }
  }

  #leave(merchant: MerchantId): void {
    const left = (this.#taken.get(merchant) ?? 0) - 1;
    if (left > 0) this.#taken.set(merchant, left);
    else this.#taken.delete(merchant);
  }
}
