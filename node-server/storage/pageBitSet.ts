/** A bit set of page numbers of one file: its size depends on the file and not on what is in the set. */
import { STORAGE_LIMITS } from "./storageLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";

/** A bit set of numbers below a bound. */
export class PageBitSet {
  readonly #bits: Uint32Array;
  #size = 0;

  /**
   * For numbers below `bound`. Throws `internal/unexpected` where a set would take more than
   * `STORAGE_LIMITS.storeCheckSetBytes`.
   */
  constructor(bound: number) {
    const words = Math.ceil(bound / 32);
    if (words * 4 > STORAGE_LIMITS.storeCheckSetBytes) {
      throw new SvcError("internal/unexpected", { message: `a set of ${bound} pages` });
    }
    this.#bits = new Uint32Array(words);
  }

  /** How many are in it. */
  get size(): number {
    return this.#size;
  }

  /** Puts a number in; false when it was there. */
  add(page: number): boolean {
    const [word, bit] = [Math.floor(page / 32), 1 << (page % 32)];
    const bits = this.#bits[word] ?? 0;
    if ((bits & bit) !== 0) return false;
    this.#bits[word] = bits | bit;
    this.#size += 1;
    return true;
  }

  /** All of them, ascending. */
  *pages(): Generator<number> {
    for (const [word, bits] of this.#bits.entries()) {
      for (let left = bits; left !== 0; left &= left - 1) {
        yield word * 32 + 31 - Math.clz32(left & -left);
      }
    }
  }
}
