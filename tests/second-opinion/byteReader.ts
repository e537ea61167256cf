/** Reader of raw forms (formats 1): little endian, every byte consumed or the form refused. */
import { Refusal } from "./refusal.ts";

/** Reads bytes from their beginning. Throws `codec/unexpected-end` where too few are left. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Refusal("codec/unexpected-end");
    const taken = this.#bytes.slice(this.#at, end);
    this.#at = end;
    return taken;
  }

  hash(): Uint8Array {
    return this.take(32);
  }

  u8(): number {
    return this.take(1)[0] ?? 0;
  }

  u16(): number {
    return Number(this.number(2));
  }

  u32(): number {
    return Number(this.number(4));
  }

  u64(): bigint {
    return this.number(8);
  }

  u128(): bigint {
    return this.number(16);
  }

  /** A number of so many bytes. */
  number(length: number): bigint {
    return this.take(length).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  }

  /** A count of at most `most`. Throws `codec/count-too-large`. */
  count(found: number, most: number): number {
    if (found > most) throw new Refusal("codec/count-too-large", `${found} of ${most}`);
    return found;
  }

  /** Hashes behind a count of 16 bits. */
  hashes(most: number): readonly Uint8Array[] {
    const count = this.count(this.u16(), most);
    return Array.from({ length: count }, () => this.hash());
  }

  /** Throws `codec/trailing-bytes` where something is left. */
  end(): void {
    if (this.#at < this.#bytes.length) throw new Refusal("codec/trailing-bytes");
  }
}
