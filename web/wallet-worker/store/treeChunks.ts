/**
 * Incremental storage of the note commitment tree: a snapshot at `base` leaves and the later leaves in chunks of fixed
 * length, so that one more block writes at most a few chunks and a reorganisation cuts them.
 */
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { TreeChange } from "@svc/shared/wallet/state/ports.ts";

const LEAF = 32;
/** Leaves hashed again at every unlock before the snapshot is renewed; a long one waits for a quarter of its own. */
const RENEW_LEAVES = 8_192;
const CHUNK_LEAVES = PAGE_LIMITS.storedTreeChunkLeaves;

/** Extent of the stored tree: how many leaves are in the snapshot and behind it. */
export type TreeExtent = {
  /** Leaves inside the snapshot. */
  readonly base: bigint;
  /** Leaves after it. */
  readonly extra: number;
  /** Length of the snapshot. */
  readonly snapshotBytes: number;
};

/** The writes that bring the store from one extent to the next. */
export type TreeWrites = {
  readonly extent: TreeExtent;
  /** A new snapshot, which replaces everything; null when the old one stays. */
  readonly snapshot: Uint8Array | null;
  /** Chunks from this number on are gone before `puts`. */
  readonly deleteFrom: number;
  readonly puts: ReadonlyMap<number, Uint8Array>;
};

/**
 * The writes of a change. `extent` is null while nothing is stored. `readChunk` gives the stored
 * bytes of a chunk; it is asked for the one that the change cuts or extends.
 */
export async function treeWrites(
  extent: TreeExtent | null,
  change: TreeChange,
  readChunk: (chunk: number) => Promise<Uint8Array>,
): Promise<TreeWrites> {
  const appended = change.appended.length / LEAF;
  const begin = change.truncatedTo ?? (extent === null ? null : endOf(extent));
  const isOther = extent === null || change.whole === true;
  if (isOther || begin === null || begin < extent.base || isFresh(change, extent)) {
    return replaceAll((begin ?? 0n) + BigInt(appended), change);
  }
  if (begin > endOf(extent)) throw corrupt("leaves would leave a gap");
  const kept = Number(begin - extent.base);
  // The snapshot holds every node, about two hashes a leaf.
  const held = extent.snapshotBytes / (2 * LEAF);
  if (kept + appended > Math.max(RENEW_LEAVES, held / 4)) {
    return replaceAll(begin + BigInt(appended), change);
  }
  const first = Math.floor(kept / CHUNK_LEAVES);
  const head = (kept % CHUNK_LEAVES) * LEAF;
  const old = head === 0 ? new Uint8Array() : await readChunk(first);
  if (old.length < head) throw corrupt(`chunk ${first} is too short`);
  return {
    extent: { ...extent, extra: kept + appended },
    snapshot: null,
    deleteFrom: first,
    puts: split(first, concatBytes(old.subarray(0, head), change.appended)),
  };
}

/** Puts stored chunks together. Throws `store/corrupt` unless all but the last are full. */
export function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  for (const [index, chunk] of chunks.entries()) {
    const full = chunk.length === CHUNK_LEAVES * LEAF;
    const last = index === chunks.length - 1;
    if (chunk.length % LEAF !== 0 || chunk.length === 0 || (!full && !last)) {
      throw corrupt(`chunk ${index} has ${chunk.length} bytes`);
    }
  }
  return concatBytes(...chunks);
}

/** A change that throws away every leaf of its own begins anew: the snapshot is small then. */
function isFresh(change: TreeChange, extent: TreeExtent): boolean {
  return change.truncatedTo !== null && change.truncatedTo === extent.base;
}

function replaceAll(base: bigint, change: TreeChange): TreeWrites {
  const snapshot = change.snapshot();
  return {
    extent: { base, extra: 0, snapshotBytes: snapshot.length },
    snapshot,
    deleteFrom: 0,
    puts: new Map(),
  };
}

function split(first: number, bytes: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const puts = new Map<number, Uint8Array>();
  const size = CHUNK_LEAVES * LEAF;
  for (let offset = 0; offset < bytes.length; offset += size) {
    puts.set(first + offset / size, bytes.slice(offset, offset + size));
  }
  return puts;
}

function endOf(extent: TreeExtent): bigint {
  return extent.base + BigInt(extent.extra);
}

function corrupt(reason: string): SvcError {
  return new SvcError("store/corrupt", { table: "leaves", reason });
}
