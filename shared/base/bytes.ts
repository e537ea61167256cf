/**
 * Little-endian readers and writers of the raw byte forms.
 *
 * A reader checks every length against the bytes that are left before it reads or allocates;
 * `finish` refuses what is left over.
 */
import { checkU64 } from "./brand.ts";
import { SvcError } from "./svcError.ts";

/** Joins byte strings into a new one. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** True when both hold the same bytes. Not for secrets: it stops at the first difference. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Lexicographic order of bytes, the order of every ordered table: negative, zero or positive. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Reads values in order. Every read throws `codec/unexpected-end` when too few bytes are left. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Bytes not read yet. */
  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  /** Bytes read so far. */
  get offset(): number {
    return this.#offset;
  }

  u8(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#advance(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#advance(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#advance(8), true);
  }

  /** The next `length` bytes, as a view of the input. */
  take(length: number): Uint8Array {
    const start = this.#advance(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** A u32 length and that many bytes, as a view of the input. */
  block(): Uint8Array {
    return this.take(this.u32());
  }

  /**
   * Checks a count read from the input against `max` and against the bytes left, so that no
   * count alone can make us allocate. Throws `codec/count-too-large`.
   */
  checkCount(count: number, max: number, minItemLength: number): number {
    if (count > max || count * minItemLength > this.remaining) {
      throw new SvcError("codec/count-too-large", { count, max });
    }
    return count;
  }

  /** Throws `codec/trailing-bytes` when bytes are left. */
  finish(): void {
    if (this.remaining !== 0) {
      throw new SvcError("codec/trailing-bytes", { remaining: this.remaining });
    }
  }

  #advance(length: number): number {
    if (length > this.remaining) {
      throw new SvcError("codec/unexpected-end", { needed: length, remaining: this.remaining });
    }
    const start = this.#offset;
    this.#offset += length;
    return start;
  }
}

/** Writes values in order into a buffer that grows. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView<ArrayBuffer>;
  #length = 0;

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  u8(value: number): this {
    const at = this.#grow(1);
    this.#view.setUint8(at, checkUint(value, 0xff));
    return this;
  }

  u16(value: number): this {
    const at = this.#grow(2);
    this.#view.setUint16(at, checkUint(value, 0xffff), true);
    return this;
  }

  u32(value: number): this {
    const at = this.#grow(4);
    this.#view.setUint32(at, checkUint(value, 0xffff_ffff), true);
    return this;
  }

  u64(value: bigint): this {
    const at = this.#grow(8);
    this.#view.setBigUint64(at, checkU64(value), true);
    return this;
  }

  /** The bytes themselves, without a length. */
  raw(bytes: Uint8Array): this {
    const at = this.#grow(bytes.length);
    this.#bytes.set(bytes, at);
    return this;
  }

  /** A u32 length and the bytes. */
  block(bytes: Uint8Array): this {
    return this.u32(bytes.length).raw(bytes);
  }

  /** A copy of everything written. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  /** Makes room and returns where it begins; may replace buffer and view, so call it first. */
  #grow(length: number): number {
    const start = this.#length;
    this.#length += length;
    if (this.#length > this.#bytes.length) {
      const bytes = new Uint8Array(Math.max(this.#length, this.#bytes.length * 2));
      bytes.set(this.#bytes.subarray(0, start));
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer);
    }
    return start;
  }
}

function checkUint(value: number, max: number): number {
  if (!Number.isInteger(value) || value < 0 || value > max) {
    throw new SvcError("codec/number-out-of-range", { text: String(value), max });
  }
  return value;
}
