/**
 * Writer of deterministic CBOR (RFC 8949 section 4.2): shortest heads, definite lengths. Of the kinds of values it has those that
 * the air gap needs: unsigned numbers, byte strings, lists and maps.
 */
import { checkU64 } from "../../base/brand.ts";
import { ByteWriter } from "../../base/bytes.ts";

/** Kinds of values, as the first three bits of a head say them. */
export const CBOR_KIND = { number: 0, bytes: 2, list: 4, map: 5 } as const;

/** Least values of heads with 1, 2, 4 and 8 bytes behind the first; the first byte says 24, 25, 26 and 27 then. */
export const LEAST_OF_LONGER: readonly bigint[] = [24n, 0x100n, 0x1_0000n, 0x1_0000_0000n];
/** What the first byte says when one more byte follows. */
export const ONE_BYTE_FOLLOWS = 24;

/** Writes values one after the other. */
export class CborWriter {
  readonly #writer = new ByteWriter();

  /** An unsigned number. Throws `codec/number-out-of-range` beyond 64 bits. */
  number(value: bigint | number): this {
    return this.#head(CBOR_KIND.number, BigInt(value));
  }

  /** A byte string. */
  bytes(bytes: Uint8Array): this {
    this.#head(CBOR_KIND.bytes, BigInt(bytes.length));
    this.#writer.raw(bytes);
    return this;
  }

  /** The head of a list; its items follow. */
  list(count: number): this {
    return this.#head(CBOR_KIND.list, BigInt(count));
  }

  /** The head of a map; key and value of each entry follow, keys upwards. */
  map(count: number): this {
    return this.#head(CBOR_KIND.map, BigInt(count));
  }

  /** A copy of everything written. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#writer.toBytes();
  }

  #head(kind: number, value: bigint): this {
    checkU64(value);
    const longer = LEAST_OF_LONGER.filter((least) => value >= least).length;
    const first = longer === 0 ? Number(value) : ONE_BYTE_FOLLOWS + longer - 1;
    this.#writer.u8((kind << 5) | first);
    const width = longer === 0 ? 0 : 2 ** (longer - 1);
    for (let byte = width - 1; byte >= 0; byte -= 1) {
      this.#writer.u8(Number((value >> BigInt(8 * byte)) & 0xffn));
    }
    return this;
  }
}
