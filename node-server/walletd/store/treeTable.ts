/**
 * The note tree that all wallets share: a base, as the tree's constructor takes it, and the leaves above it in chunks. The inner
 * nodes of a complete chunk follow some time later, so that a start need not hash its leaves again.
 *
 * - Row `head` = size u64 ‖ size of the base u64 ‖ base.
 * - Row of a chunk, under its number = position of its first leaf u64 ‖ n × 32 bytes.
 * - Row of inner nodes, under `n` ‖ number of the chunk = 1,023 × 32 bytes, the lowest level first.
 */
import { asLeafPosition, type LeafPosition } from "@svc/shared/base/brand.ts";
import { ByteReader, ByteWriter, concatBytes, equalBytes } from "@svc/shared/base/bytes.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { RowTable, type RowCodec } from "../../storage/rows/rowTable.ts";
import { numberKey, type StoreReader } from "../../storage/rows/storeKeys.ts";
import type { TellFlaw } from "../../storage/rows/storeFlaw.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { STORE_TABLES } from "./walletStoreLayout.ts";

/** What is known of the tree beside its leaves. */
export type TreeHead = {
  /** Number of leaves, those below the base included. */
  readonly size: LeafPosition;
  readonly baseSize: LeafPosition;
  /** What the tree is made from before the leaves are appended. */
  readonly base: Uint8Array;
};

/** Leaves of one row, and the position of the first. */
export type Chunk = { readonly first: bigint; readonly leaves: Uint8Array };

/** Leaves that follow each other; with all inner nodes above them, or null where these are not stored. */
export type StoredLeaves = { readonly leaves: Uint8Array; readonly nodes: Uint8Array | null };

/** Numbers of chunks without inner nodes, and whether every chunk behind them has its own. */
export type BareChunks = { readonly numbers: readonly bigint[]; readonly isWhole: boolean };

const LEAF_BYTES = 32;
/** Height of the subtree of one row: 32 KiB of leaves, which a page of blocks writes again a few times. */
export const CHUNK_HEIGHT = 10;
const CHUNK_LEAVES = 2n ** BigInt(CHUNK_HEIGHT);
const NODES_BYTES = (Number(CHUNK_LEAVES) - 1) * LEAF_BYTES;
/** `n` before the number of a chunk. */
const NODES_PREFIX = 0x6e;
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

const nodesCodec: RowCodec<Uint8Array> = {
  encode: (nodes) => nodes,
  decode(body) {
    if (body.length !== NODES_BYTES) throw new TypeError("length");
    return body.slice();
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

  readonly #nodes = new RowTable({
    table: STORE_TABLES.tree,
    name: "tree",
    codec: nodesCodec,
    seal: null,
  });

  /** All complete chunks below this number have their inner nodes. */
  #bareFrom = 0n;

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** Size and base; null before `reset`. */
  head(reader: StoreReader = this.#store): TreeHead | null {
    return this.#heads.get(reader, HEAD_KEY) ?? null;
  }

  /** The leaves above the base, in order, some at a time. */
  *leaves(reader: StoreReader = this.#store): Generator<Uint8Array, void> {
    for (const { leaves } of this.chunks(reader)) yield leaves;
  }

  /** As `leaves`, with the inner nodes that are stored. */
  *chunks(reader: StoreReader = this.#store): Generator<StoredLeaves, void> {
    const head = this.head(reader);
    if (head === null) return;
    if (this.#bareFrom < firstWhole(head)) this.#bareFrom = firstWhole(head);
    let next: bigint = head.baseSize;
    while (next < head.size) {
      const number = next / CHUNK_LEAVES;
      const chunk = this.#chunks.get(reader, numberKey(number));
      if (chunk === undefined || chunk.first !== next) throw this.#missing(next);
      const end = next + leavesOf(chunk);
      const isLast = end === head.size;
      if (!isLast && (end > head.size || end % CHUNK_LEAVES !== 0n)) throw this.#missing(end);
      const nodes = this.#nodesOf(reader, number);
      if (nodes !== null && this.#bareFrom === number) this.#bareFrom = number + 1n;
      yield { leaves: chunk.leaves, nodes };
      next = end;
    }
  }

  /** The whole chunks that hold the leaves from a position to another one, those below the base left out. */
  *chunksBetween(from: bigint, to: bigint): Generator<Chunk, void> {
    const head = this.head();
    if (head === null) return;
    const start = from > head.baseSize ? from : head.baseSize;
    const end = min(to, head.size);
    for (let number = start / CHUNK_LEAVES; number * CHUNK_LEAVES < end; number += 1n) {
      const chunk = this.#chunks.get(this.#store, numberKey(number));
      if (chunk === undefined) throw this.#missing(number * CHUNK_LEAVES);
      yield chunk;
    }
  }

  /**
   * The first chunks that are complete and have no inner nodes: at most `limit` of them, found in at most `looks` rows. A later call
   * goes on behind them when their nodes are stored.
   */
  bareChunks({ limit, looks }: { readonly limit: number; readonly looks: number }): BareChunks {
    const head = this.head();
    if (head === null) return { numbers: [], isWhole: true };
    const numbers: bigint[] = [];
    const end = head.size / CHUNK_LEAVES;
    let number = firstWhole(head);
    if (this.#bareFrom > number) number = this.#bareFrom;
    for (let look = 0; number < end && look < looks && numbers.length < limit; look += 1) {
      if (this.#nodesOf(this.#store, number) === null) numbers.push(number);
      else if (numbers.length === 0) this.#bareFrom = number + 1n;
      number += 1n;
    }
    return { numbers, isWhole: number >= end };
  }

  /** Tells of inner nodes that do not read. Their leaves are hashed in place of them, so nothing is lost. */
  auditNodes(tell: TellFlaw): void {
    const head = this.head();
    if (head === null) return;
    for (let number = firstWhole(head); number < head.size / CHUNK_LEAVES; number += 1n) {
      try {
        this.#nodes.get(this.#store, nodesKey(number));
      } catch (error) {
        if (!SvcError.is(error, "store/corrupt")) throw error;
        tell("tree", `inner nodes of chunk ${number}: ${error.data.reason ?? "content"}`);
      }
    }
  }

  /**
   * Stores the inner nodes of a complete chunk: `subtree` = its leaves, then the nodes above them, the lowest level first. False, and
   * nothing is stored, where its leaves are not those of the chunk. Throws `internal/unexpected` for another length.
   */
  putNodes(batch: StoreBatch, number: bigint, subtree: Uint8Array): boolean {
    const leafBytes = NODES_BYTES + LEAF_BYTES;
    if (subtree.length !== leafBytes + NODES_BYTES) {
      throw unexpected(`a subtree of ${subtree.length} bytes`);
    }
    const chunk = this.#chunks.get(batch, numberKey(number));
    if (chunk === undefined || !equalBytes(chunk.leaves, subtree.subarray(0, leafBytes)))
      return false;
    this.#nodes.put(batch, nodesKey(number), subtree.slice(leafBytes));
    return true;
  }

  /** Begins anew above a base. */
  reset(batch: StoreBatch, base: Uint8Array, baseSize: LeafPosition): void {
    const head = this.head(batch);
    if (head !== null) this.#deleteFrom(batch, head, head.baseSize / CHUNK_LEAVES);
    this.#heads.put(batch, HEAD_KEY, { size: baseSize, baseSize, base });
  }

  /** Appends n × 32 bytes of commitments. Throws `internal/unexpected` before `reset`, and for a part of a leaf. */
  append(batch: StoreBatch, cmx: Uint8Array): void {
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
  truncate(batch: StoreBatch, size: LeafPosition): void {
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
  #extend(batch: StoreBatch, head: TreeHead, at: bigint, leaves: Uint8Array): void {
    const number = at / CHUNK_LEAVES;
    const begun = at > head.baseSize && at % CHUNK_LEAVES !== 0n;
    if (!begun) return this.#chunks.put(batch, numberKey(number), { first: at, leaves });
    const chunk = this.#chunks.get(batch, numberKey(number));
    if (chunk === undefined || chunk.first + leavesOf(chunk) !== at) throw this.#missing(at);
    const all = concatBytes(chunk.leaves, leaves);
    this.#chunks.put(batch, numberKey(number), { first: chunk.first, leaves: all });
  }

  /** The inner nodes of a chunk; null for none, and for damaged ones. */
  #nodesOf(reader: StoreReader, number: bigint): Uint8Array | null {
    try {
      return this.#nodes.get(reader, nodesKey(number)) ?? null;
    } catch (error) {
      if (SvcError.is(error, "store/corrupt")) return null;
      throw error;
    }
  }

  #deleteFrom(batch: StoreBatch, head: TreeHead, first: bigint): void {
    if (first < this.#bareFrom) this.#bareFrom = first;
    for (let number = first; number * CHUNK_LEAVES < head.size; number += 1n) {
      this.#chunks.delete(batch, numberKey(number));
      this.#nodes.delete(batch, nodesKey(number));
    }
  }

  #begun(batch: StoreBatch): TreeHead {
    const head = this.head(batch);
    if (head === null) throw unexpected("a tree without a base");
    return head;
  }

  #missing(position: bigint): SvcError {
    return this.#chunks.corrupt(`leaf ${position} is missing`);
  }
}

/** Number of the first chunk of which every leaf lies above the base. */
function firstWhole({ baseSize }: TreeHead): bigint {
  return (baseSize + CHUNK_LEAVES - 1n) / CHUNK_LEAVES;
}

function nodesKey(number: bigint): Uint8Array {
  return concatBytes(Uint8Array.of(NODES_PREFIX), numberKey(number));
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
