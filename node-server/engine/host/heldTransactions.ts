/**
 * Cache of decoded transactions: the engine decodes one when it first hears of it and keeps it for the next check and for
 * templates.
 *
 * They are known by their bytes and never by id, which does not cover all of them (decision 21). One that was forgotten is
 * decoded again.
 */
import { hash } from "node:crypto";
import type { RawEngine } from "@svc/shared/core/generated/coreGlue.ts";
import { ENGINE_LIMITS } from "../engineLimits.ts";

/** The engine's calls about what it holds. */
export type TransactionHolder = Pick<RawEngine, "holdTransaction" | "releaseTransaction">;

/** A held transaction: the number that the engine knows it by, and the length of its raw form. */
type Held = { readonly number: number; readonly bytes: number };

/** The decoded transactions of one engine; the least recently used is evicted first. */
export class HeldTransactions {
  readonly #engine: TransactionHolder;
  /** By the hash of the bytes, in the order of their last use. */
  readonly #held = new Map<string, Held>();
  #bytes = 0;

  constructor(engine: TransactionHolder) {
    this.#engine = engine;
  }

  /** Transactions that are held. */
  get size(): number {
    return this.#held.size;
  }

  /**
   * The numbers of these transactions, in their order, which hold until the next call. Those that are not held are decoded.
   * Errors: the codec's.
   */
  numbersOf(raws: readonly Uint8Array[]): Uint32Array<ArrayBuffer> {
    const numbers = Uint32Array.from(raws, (raw) => this.#numberOf(raw));
    this.#letGo(raws.length);
    return numbers;
  }

  #numberOf(raw: Uint8Array): number {
    const key = hash("sha256", raw, "base64");
    const known = this.#held.get(key);
    if (known !== undefined) {
      this.#held.delete(key);
      this.#held.set(key, known);
      return known.number;
    }
    const number = this.#engine.holdTransaction(raw);
    this.#held.set(key, { number, bytes: raw.length });
    this.#bytes += raw.length;
    return number;
  }

  /** Keeps within the bounds, and the last ones in any case: they are about to be used. */
  #letGo(last: number): void {
    for (const [key, { number, bytes }] of this.#held) {
      const isWithin =
        this.#held.size <= ENGINE_LIMITS.heldTransactions &&
        this.#bytes <= ENGINE_LIMITS.heldTransactionBytes;
      if (isWithin || this.#held.size <= last) return;
      this.#held.delete(key);
      this.#bytes -= bytes;
      this.#engine.releaseTransaction(number);
    }
  }
}
