/**
 * Reader of deterministic CBOR (RFC 8949 section 4.2) for messages whose order of values is known. It asks for each value in turn, so
 * it builds nothing that was not asked for, goes no deeper than the caller does, and takes exactly the bytes that `CborWriter` writes.
 *
 * A general library would read first and leave the judging to us: its values do not tell whether a number was written in its
 * shortest form or a map in order, lists nest as deep as the sender likes, and numbers change their type with their size.
 */
import { SvcError } from "../../base/svcError.ts";
import { CBOR_KIND, LEAST_OF_LONGER, ONE_BYTE_FOLLOWS } from "./cborWriter.ts";

const LAST_FIRST_BYTE = ONE_BYTE_FOLLOWS + LEAST_OF_LONGER.length - 1;
const KIND_NAMES: Readonly<Record<number, string>> = {
  [CBOR_KIND.number]: "number",
  [CBOR_KIND.bytes]: "byte string",
  [CBOR_KIND.list]: "list",
  [CBOR_KIND.map]: "map",
};

/** Reads values in order. All offsets in errors are those of the value's first byte. */
export class CborReader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** An unsigned number of at most `max`. Throws `airgap/cbor-type`, `airgap/cbor-form`, `airgap/cbor-end`, `airgap/cbor-range`. */
  number(max: bigint): bigint {
    const offset = this.#offset;
    const value = this.#head(CBOR_KIND.number);
    if (value > max) throw new SvcError("airgap/cbor-range", { offset, found: value, max });
    return value;
  }

  /**
   * A byte string of `min` to `max` bytes, as a view of the input; of exactly `max` when `min` is left out. Throws
   * `airgap/cbor-length` and as `number` does.
   */
  bytes(max: number, min = max): Uint8Array {
    const offset = this.#offset;
    const found = this.#head(CBOR_KIND.bytes);
    if (found < min || found > max)
      throw new SvcError("airgap/cbor-length", { offset, found, max });
    return this.#take(Number(found));
  }

  /** The head of a list of `min` to `max` items. Throws `airgap/cbor-count` and as `number` does. */
  list(max: number, min = max): number {
    return this.#count(CBOR_KIND.list, min, max);
  }

  /** The head of a map of `min` to `max` entries. Throws `airgap/cbor-count` and as `number` does. */
  map(max: number, min = max): number {
    return this.#count(CBOR_KIND.map, min, max);
  }

  /** The key of the next entry, which has to be this one. Throws `airgap/cbor-key` and as `number` does. */
  key(expected: number): void {
    const offset = this.#offset;
    const found = this.#head(CBOR_KIND.number);
    if (found !== BigInt(expected))
      throw new SvcError("airgap/cbor-key", { offset, found, expected });
  }

  /** Throws `airgap/cbor-trailing` when bytes are left. */
  finish(): void {
    const remaining = this.#bytes.length - this.#offset;
    if (remaining !== 0) throw new SvcError("airgap/cbor-trailing", { remaining });
  }

  #count(kind: number, min: number, max: number): number {
    const offset = this.#offset;
    const found = this.#head(kind);
    if (found < min || found > max) {
      throw new SvcError("airgap/cbor-count", { offset, found, min, max });
    }
    return Number(found);
  }

  #head(kind: number): bigint {
    const offset = this.#offset;
    const [first = 0] = this.#take(1);
    if (first >> 5 !== kind) {
      throw new SvcError("airgap/cbor-type", { offset, expected: KIND_NAMES[kind] ?? "value" });
    }
    const low = first & 0b1_1111;
    if (low < ONE_BYTE_FOLLOWS) return BigInt(low);
    if (low > LAST_FIRST_BYTE) throw new SvcError("airgap/cbor-form", { offset });
    const longer = low - ONE_BYTE_FOLLOWS;
    let value = 0n;
    for (const byte of this.#take(2 ** longer)) value = (value << 8n) | BigInt(byte);
    if (value < (LEAST_OF_LONGER[longer] ?? 0n)) throw new SvcError("airgap/cbor-form", { offset });
    return value;
  }

  #take(length: number): Uint8Array {
    const remaining = this.#bytes.length - this.#offset;
    if (length > remaining) throw new SvcError("airgap/cbor-end", { needed: length, remaining });
    const start = this.#offset;
    this.#offset += length;
    return this.#bytes.subarray(start, this.#offset);
  }
}
