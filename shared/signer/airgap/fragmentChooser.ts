/**
 * Which parts of a message a frame mixes (BCR-2024-001): frame n of the first round is part n alone; each later one mixes some that
 * follow from its number and the message's checksum, few more often than many.
 */
import { concatBytes } from "../../base/bytes.ts";
import { u32Bytes } from "./crc32.ts";
import { Xoshiro } from "./xoshiro.ts";

/** A chooser for messages of so many parts. Its tables are made once. */
export class FragmentChooser {
  readonly count: number;
  readonly #degrees: AliasTable;

  constructor(count: number) {
    this.count = count;
    this.#degrees = new AliasTable(Array.from({ length: count }, (_, index) => 1 / (index + 1)));
  }

  /** Indices of the parts that frame `sequence` (from 1) of the message with this checksum mixes, in any order. */
  partsOf(sequence: number, checksum: number): number[] {
    if (sequence <= this.count) return [sequence - 1];
    const random = new Xoshiro(concatBytes(u32Bytes(sequence), u32Bytes(checksum)));
    return drawn(random, this.count, this.degree(random));
  }

  /** How many parts a mixed frame has. */
  degree(random: Xoshiro): number {
    return this.#degrees.draw(random) + 1;
  }
}

/** The first `wanted` numbers of a shuffle of 0 to `count` − 1. */
export function drawn(random: Xoshiro, count: number, wanted: number): number[] {
  const rest = Array.from({ length: count }, (_, index) => index);
  return Array.from({ length: wanted }, () => rest.splice(random.below(rest.length), 1)).flat();
}

/** Draws an index by weight in two random numbers (Walker's method with Vose's tables). */
export class AliasTable {
  readonly #shares: Float64Array;
  readonly #aliases: Uint32Array;

  constructor(weights: readonly number[]) {
    const count = weights.length;
    const sum = weights.reduce((total, weight) => total + weight, 0);
    const shares = Float64Array.from(weights, (weight) => (weight * count) / sum);
    this.#shares = new Float64Array(count).fill(1);
    this.#aliases = new Uint32Array(count);
    const small: number[] = [];
    const large: number[] = [];
    const sort = (index: number) => ((shares[index] ?? 0) < 1 ? small : large).push(index);
    for (let index = count - 1; index >= 0; index -= 1) sort(index);
    for (;;) {
      const [less, more] = [small.at(-1), large.at(-1)];
      if (less === undefined || more === undefined) return;
      small.pop();
      large.pop();
      const share = shares[less] ?? 0;
      this.#shares[less] = share;
      this.#aliases[less] = more;
      shares[more] = (shares[more] ?? 0) + (share - 1);
      sort(more);
    }
  }

  /** An index. */
  draw(random: Xoshiro): number {
    const index = random.below(this.#shares.length);
    return random.fraction() < (this.#shares[index] ?? 1) ? index : (this.#aliases[index] ?? index);
  }
}
