/**
 * Orphan pool: blocks whose parents are not known yet, kept until the last of them arrives.
 *
 * Bounded by number and bytes; the block that came first gives way.
 */
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { ENGINE_LIMITS } from "../engineLimits.ts";

type Orphan = {
  readonly hash: BlockHash;
  readonly raw: Uint8Array;
  readonly missing: Set<BlockHash>;
};

/** The orphan pool; `limits` differ only in tests. */
export class OrphanPool {
  readonly #maxBlocks: number;
  readonly #maxBytes: number;
  /** In order of arrival. */
  readonly #orphans = new Map<BlockHash, Orphan>();
  /** Missing parent → the orphans that wait for it. */
  readonly #waiting = new Map<BlockHash, Set<BlockHash>>();
  #bytes = 0;

  constructor(
    limits: { blocks: number; bytes: number } = {
      blocks: ENGINE_LIMITS.orphanBlocks,
      bytes: ENGINE_LIMITS.orphanBytes,
    },
  ) {
    this.#maxBlocks = limits.blocks;
    this.#maxBytes = limits.bytes;
  }

  /** Blocks held. */
  get size(): number {
    return this.#orphans.size;
  }

  /** Bytes held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps a block until its missing parents have arrived. A block already held is not kept twice. */
  add(hash: BlockHash, raw: Uint8Array, missing: readonly BlockHash[]): void {
    if (this.#orphans.has(hash) || missing.length === 0 || raw.length > this.#maxBytes) return;
    this.#orphans.set(hash, { hash, raw, missing: new Set(missing) });
    this.#bytes += raw.length;
    for (const parent of missing) {
      const waiting = this.#waiting.get(parent) ?? new Set();
      this.#waiting.set(parent, waiting.add(hash));
    }
    for (const oldest of this.#orphans.keys()) {
      if (this.#orphans.size <= this.#maxBlocks && this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest);
    }
  }

  /** A block has arrived: gives out, and forgets, the blocks that waited for it alone. */
  arrived(parent: BlockHash): Uint8Array[] {
    const waiting = this.#waiting.get(parent) ?? new Set();
    this.#waiting.delete(parent);
    const complete: Uint8Array[] = [];
    for (const hash of waiting) {
      const orphan = this.#orphans.get(hash);
      orphan?.missing.delete(parent);
      if (orphan?.missing.size === 0) {
        this.#drop(hash);
        complete.push(orphan.raw);
      }
    }
    return complete;
  }

  #drop(hash: BlockHash): void {
    const orphan = this.#orphans.get(hash);
    if (orphan === undefined) return;
    this.#orphans.delete(hash);
    this.#bytes -= orphan.raw.length;
    for (const parent of orphan.missing) {
      const waiting = this.#waiting.get(parent);
      waiting?.delete(hash);
      if (waiting?.size === 0) this.#waiting.delete(parent);
    }
  }
}
