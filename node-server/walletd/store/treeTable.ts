/**
 * The note tree that all wallets share: a base, as the tree's constructor takes it, and the leaves above it in chunks.
 *
 * Row `head` = size u64 ‖ size of the base u64 ‖ base. Row of a chunk, under its number = position of its first leaf u64 ‖ n × 32 bytes.
 */
import { asLeafPosition, type LeafPosition } from "@svc/shared/base/brand.ts";
import { ByteReader, ByteWriter, concatBytes } from "@svc/shared/base/bytes.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { RowTable, type RowCodec } from "./rows/rowTable.ts";
import { numberKey, type StoreReader } from "./rows/storeKeys.ts";
import type { WalletBatch } from "./rows/walletBatch.ts";
import { STORE_TABLES } from "./walletStoreLayout.ts";

/** What is known of the tree beside its leaves. */
export type TreeHead = {
  /** Number of leaves, those below the base included. */
  readonly size: LeafPosition;
  readonly baseSize: LeafPosition;
  /** What the tree is made from before the leaves are appended. */
  readonly base: Uint8Array;
};

type Chunk = { readonly first: bigint; readonly leaves: Uint8Array };

const LEAF_BYTES = 32;
/** Leaves of one row: 32 KiB, which a page of blocks writes again a few times. */
const CHUNK_LEAVES = 1_024n;
const HEAD_KEY = new TextEncoder().encode("head");

const headCodec: RowCodec<TreeHead> = {
  encode: ({ size, baseSize, base }) =>
    new ByteWriter().u64(size).u64(baseSize).raw(base).toBytes(),
  decode(body) {
    const reader = new ByteReader(body);
    const [size, baseSize] = [reader.u64(), reader.u64()];
    if (size < baseSize) throw new TypeError("size below base");
    const base = reader.take(reader.remaining).slice();
    return { size: asLeafPosition(size), baseSize: asLeafPosition(baseSize), base };
  },
};

const chunkCodec: RowCodec<Chunk> = {
  encode: ({ first, leaves }) => new ByteWriter().u64(first).raw(leaves).toBytes(),
  decode(body) {
    const reader = new ByteReader(body);
    const first = reader.u64();
    if (reader.remaining === 0 || reader.remaining % LEAF_BYTES !== 0)
      throw new TypeError("length");
    return { first, leaves: reader.take(reader.remaining).slice() };
  },
};

/** The stored tree. Reads throw as those of `RowTable` do, and `store/corrupt` for leaves that are missing. */
export class TreeTable {
  readonly #store: StoreReader;
  readonly #heads = new RowTable({
    table: STORE_TABLES.tree,
    name: "tree",
    codec: headCodec,
    seal: null,
  });
  readonly #chunks = new RowTable({
    table: STORE_TABLES.tree,
    name: "tree",
    codec: chunkCodec,
    seal: null,
  });

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** Size and base; null before `reset`. */
  head(reader: StoreReader = this.#store): TreeHead | null {
    return this.#heads.get(reader, HEAD_KEY) ?? null;
  }

  /** The leaves above the base, in order, some at a time. */
  *leaves(reader: StoreReader = this.#store): Generator<Uint8Array, void> {
    const head = this.head(reader);
    if (head === null) return;
    let next: bigint = head.baseSize;
    while (next < head.size) {
      const chunk = this.#chunks.get(reader, numberKey(next / CHUNK_LEAVES));
      if (chunk === undefined || chunk.first !== next) throw this.#missing(next);
      const end = next + leavesOf(chunk);
      const isLast = end === head.size;
      if (!isLast && (end > head.size || end % CHUNK_LEAVES !== 0n)) throw this.#missing(end);
      yield chunk.leaves;
      next = end;
    }
  }

  /** Begins anew above a base. */
  reset(batch: WalletBatch, base: Uint8Array, baseSize: LeafPosition): void {
    const head = this.head(batch);
    if (head !== null) this.#deleteFrom(batch, head, head.baseSize / CHUNK_LEAVES);
    this.#heads.put(batch, HEAD_KEY, { size: baseSize, baseSize, base });
  }

  /** Appends n × 32 bytes of commitments. Throws `internal/unexpected` before `reset`, and for a part of a leaf. */
  append(batch: WalletBatch, cmx: Uint8Array): void {
    const head = this.#begun(batch);
    if (cmx.length % LEAF_BYTES !== 0) throw unexpected(`leaves of ${cmx.length} bytes`);
    const size = head.size + BigInt(cmx.length / LEAF_BYTES);
    let at: bigint = head.size;
    while (at < size) {
      const end = min((at / CHUNK_LEAVES + 1n) * CHUNK_LEAVES, size);
      const offset = (position: bigint) => Number(position - head.size) * LEAF_BYTES;
      this.#extend(batch, head, at, cmx.subarray(offset(at), offset(end)));
      at = end;
    }
    this.#heads.put(batch, HEAD_KEY, { ...head, size: asLeafPosition(size) });
  }

  /** Forgets the leaves from this position on. Throws `internal/unexpected` for one below the base or above the size. */
  truncate(batch: WalletBatch, size: LeafPosition): void {
    const head = this.#begun(batch);
    if (size < head.baseSize || size > head.size) throw unexpected(`a tree cut to ${size} leaves`);
    const number = size / CHUNK_LEAVES;
    const chunk = this.#chunks.get(batch, numberKey(number));
    this.#deleteFrom(batch, head, number);
    if (chunk !== undefined && chunk.first < size) {
      const leaves = chunk.leaves.subarray(0, Number(size - chunk.first) * LEAF_BYTES);
      this.#chunks.put(batch, numberKey(number), { first: chunk.first, leaves });
    }
    this.#heads.put(batch, HEAD_KEY, { ...head, size });
  }

  /** Adds leaves that lie in one chunk. */
  #extend(batch: WalletBatch, head: TreeHead, at: bigint, leaves: Uint8Array): void {
    const number = at / CHUNK_LEAVES;
    const begun = at > head.baseSize && at % CHUNK_LEAVES !== 0n;
    if (!begun) return this.#chunks.put(batch, numberKey(number), { first: at, leaves });
    const chunk = this.#chunks.get(batch, numberKey(number));
    if (chunk === undefined || chunk.first + leavesOf(chunk) !== at) throw this.#missing(at);
    const all = concatBytes(chunk.leaves, leaves);
    this.#chunks.put(batch, numberKey(number), { first: chunk.first, leaves: all });
  }

  #deleteFrom(batch: WalletBatch, head: TreeHead, first: bigint): void {
    for (let number = first; number * CHUNK_LEAVES < head.size; number += 1n) {
      this.#chunks.delete(batch, numberKey(number));
    }
  }

  #begun(batch: WalletBatch): TreeHead {
    const head = this.head(batch);
    if (head === null) throw unexpected("a tree without a base");
    return head;
  }

  #missing(position: bigint): SvcError {
    return this.#chunks.corrupt(`leaf ${position} is missing`);
  }
}

function leavesOf({ leaves }: Chunk): bigint {
  return BigInt(leaves.length / LEAF_BYTES);
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function unexpected(message: string): SvcError {
  return new SvcError("internal/unexpected", { message });
}
