/**
 * The download window for block bodies: batches that are wanted, requested or received, in the order in which they are
 * inserted. A batch goes to one peer at a time; one that was not answered is wanted again.
 */
import type { BlockHash } from "@svc/shared/base/brand.ts";

/** A batch of neighbouring blocks. */
export type Batch<Source> = {
  readonly hashes: readonly BlockHash[];
  /** A block whose past, and itself, they are in. */
  readonly below: BlockHash;
  /** Whoever was asked last. */
  source: Source | null;
  /** RawBlocks in the order of the hashes, once all are here. */
  blocks: readonly Uint8Array[] | null;
  /** Asked for and not answered. */
  isAsked: boolean;
};

/** The batches between the next one to insert and the last one that is requested. */
export class BodyWindow<Source> {
  readonly #batches: Batch<Source>[] = [];
  #bytes = 0;

  /** Number of batches. */
  get size(): number {
    return this.#batches.length;
  }

  /** Bytes of the blocks that are here and have not gone in. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds wanted ones behind all others. */
  add(hashes: readonly BlockHash[], below: BlockHash): void {
    this.#batches.push({ hashes, below, source: null, blocks: null, isAsked: false });
  }

  /** The lowest batch that is wanted and not asked for; it counts as asked for from now on. */
  take(source: Source): Batch<Source> | undefined {
    return ask(this.#batches.find(isWanted), source);
  }

  /** The same, but only if no other batch is below it. */
  takeLowest(source: Source): Batch<Source> | undefined {
    const [lowest] = this.#batches;
    return ask(lowest !== undefined && isWanted(lowest) ? lowest : undefined, source);
  }

  /** The batch is here. */
  fill(batch: Batch<Source>, blocks: readonly Uint8Array[]): void {
    batch.isAsked = false;
    batch.blocks = blocks;
    this.#bytes += lengthOf(blocks);
  }

  /** The batch was not answered. */
  giveBack(batch: Batch<Source>): void {
    batch.isAsked = false;
  }

  /** The lowest batch, taken out, if it is here. */
  shift(): Batch<Source> | undefined {
    const blocks = this.#batches[0]?.blocks ?? null;
    if (blocks === null) return undefined;
    this.#bytes -= lengthOf(blocks);
    return this.#batches.shift();
  }
}

function isWanted({ isAsked, blocks }: Batch<unknown>): boolean {
  return !isAsked && blocks === null;
}

function ask<Source>(batch: Batch<Source> | undefined, source: Source): Batch<Source> | undefined {
  if (batch === undefined) return undefined;
  batch.isAsked = true;
  batch.source = source;
  return batch;
}

function lengthOf(blocks: readonly Uint8Array[]): number {
  return blocks.reduce((sum, { length }) => sum + length, 0);
}
