/**
 * Codec of the state at a pruning point between message 65 and the raw form of the claim (specification shielded 15.1, network
 * 1.1).
 *
 * The reference's data are positional: note tree, totals, nullifier product as a fraction, burns, state root, anchors by root,
 * fee carried, and the blue scores of the anchors' blocks. The reference's data lack the number of the block in the chain, and
 * what is committed from the security fork on; both follow behind the reference's data, and a reader that does not know them
 * stops before.
 */
import { ByteReader, ByteWriter, compareBytes } from "../../base/bytes.ts";
import { encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { FORM_BOUNDS } from "../raw/formBounds.ts";
import type { P2pShieldedMetadata } from "./generated/p2pMessages.ts";
import { badField } from "./p2pFields.ts";

const FORM = 1;
/** Version of what follows the reference's data. */
const EXTENSION = 1;
const HASH_LENGTH = 32;
const MUHASH_LENGTH = 384;
const TOTAL_LENGTH = 16;
const LOG_ENTRY_LENGTH = 3 * HASH_LENGTH + 8;
const PAIR_LENGTH = 2 * HASH_LENGTH;
/** Bytes of a miner accrual slot without its script: version, length, amount. */
const ZERO_SLOT = new Uint8Array(12);

/** What message 65 says beside the claim. */
export type StateFacts = {
  /** The committed root, as 32 bytes. */
  readonly stateRoot: Uint8Array;
  /** Blue score of the block of an anchor from before the security fork. */
  readonly blueScoreOf: (block: Uint8Array) => bigint;
};

/** A claim of a state, and the state root that it says it has. */
export type ClaimedState = {
  /** Raw form of the claim. */
  readonly claim: Uint8Array;
  /** null where the peer says that there is no state. */
  readonly stateRoot: Uint8Array | null;
};

/** The parts of a claim in the order of the raw form; byte strings as they are there. */
type ClaimParts = {
  readonly size: bigint;
  readonly leaf: Uint8Array;
  readonly ommers: Uint8Array;
  readonly totals: Uint8Array;
  readonly product: Uint8Array | null;
  readonly nullifierCount: bigint;
  readonly devAccrued: bigint;
  /** Slot, log before the entries, count of entries and entries. */
  readonly forkParts: Uint8Array;
  readonly older: readonly AnchorPair[];
  readonly chainIndex: bigint;
};

type AnchorPair = { readonly root: Uint8Array; readonly block: Uint8Array };

/**
 * Converts message 65 to a claim. Where it does not say the number of the pruning point in the chain, `chainIndex` is taken.
 * Throws `p2p/bad-message`.
 */
export function rawStateClaimOf(
  { data, nullifierCount }: P2pShieldedMetadata,
  chainIndex: bigint,
): ClaimedState {
  if (data.length === 0) {
    return { claim: writeClaim({ ...EMPTY, nullifierCount, chainIndex }), stateRoot: null };
  }
  try {
    return readMetadata(data, nullifierCount, chainIndex);
  } catch (error) {
    if (
      !SvcError.is(error, "codec/unexpected-end", "codec/count-too-large", "codec/trailing-bytes")
    )
      throw error;
    throw new SvcError("p2p/bad-message", { field: "data", reason: "it is no state" }, error);
  }
}

/**
 * Converts a claim to message 65. `isExtended` says whether what is added to the reference's data goes with it; it always does
 * when there is something from after the security fork. Throws `codec/…`.
 */
export function stateClaimMessage(
  raw: Uint8Array,
  facts: StateFacts,
  isExtended: boolean,
): P2pShieldedMetadata {
  const parts = readClaim(raw);
  const { size, leaf, ommers, product, older, forkParts } = parts;
  const writer = new ByteWriter(2_048).u64(size).u8(size === 0n ? 0 : 1);
  if (size > 0n) writer.raw(leaf);
  writer
    .u64(BigInt(ommers.length / HASH_LENGTH))
    .raw(ommers)
    .raw(parts.totals)
    .raw(product ?? ONE)
    .raw(ONE)
    .u64(0n)
    .raw(facts.stateRoot);
  writeAnchors(writer, older, parts.devAccrued, facts);
  const hasFork = compareBytes(forkParts, NO_FORK_PARTS) !== 0;
  if (isExtended || hasFork) writer.u8(EXTENSION).raw(forkParts).u64(parts.chainIndex);
  return { data: writer.toBytes(), nullifierCount: parts.nullifierCount };
}

/** The number of nullifiers that a claim says there are. Throws `codec/…`. */
export function claimedNullifiers(raw: Uint8Array): bigint {
  return readClaim(raw).nullifierCount;
}

/** One as a product of nullifiers: there are none. */
const ONE = Uint8Array.of(1, ...new Uint8Array(MUHASH_LENGTH - 1));
/** Nothing since the security fork: an empty slot, an empty log and no entries. */
const NO_FORK_PARTS = Uint8Array.of(...ZERO_SLOT, ...new Uint8Array(8 + 4));
const EMPTY: ClaimParts = {
  size: 0n,
  leaf: new Uint8Array(HASH_LENGTH),
  ommers: new Uint8Array(),
  totals: new Uint8Array(2 * TOTAL_LENGTH),
  product: null,
  nullifierCount: 0n,
  devAccrued: 0n,
  forkParts: NO_FORK_PARTS,
  older: [],
  chainIndex: 0n,
};

function readMetadata(data: Uint8Array, nullifierCount: bigint, chainIndex: bigint): ClaimedState {
  const reader = new ByteReader(data);
  const tree = readTree(reader);
  const totals = reader.take(2 * TOTAL_LENGTH);
  const product = reader.take(MUHASH_LENGTH);
  // Nullifiers are only ever added, so there is nothing to divide by.
  if (compareBytes(reader.take(MUHASH_LENGTH), ONE) !== 0) throw badField("data", "a denominator");
  if (reader.u64() !== 0n) throw badField("data", "burns");
  const stateRoot = reader.take(HASH_LENGTH);
  const older = readPairs(reader, readCount(reader, PAIR_LENGTH));
  const devAccrued = reader.u64();
  reader.take(readCount(reader, HASH_LENGTH + 8) * (HASH_LENGTH + 8));
  const rest = readExtension(reader, chainIndex);
  reader.finish();
  const claim = { ...tree, totals, product, nullifierCount, devAccrued, older, ...rest };
  return { claim: writeClaim(claim), stateRoot };
}

function readTree(reader: ByteReader): Pick<ClaimParts, "size" | "leaf" | "ommers"> {
  const size = reader.u64();
  const mark = reader.u8();
  if (mark > 1 || (mark === 1) !== size > 0n) throw badField("data", "the last leaf of the tree");
  const leaf = mark === 1 ? reader.take(HASH_LENGTH) : EMPTY.leaf;
  const count = reader.checkCount(Number(reader.u64()), FORM_BOUNDS.ommers, HASH_LENGTH);
  return { size, leaf, ommers: reader.take(count * HASH_LENGTH) };
}

/** A count of 64 bits of things of some length, at most as many as there may be anchors. */
function readCount(reader: ByteReader, length: number): number {
  return reader.checkCount(Number(reader.u64()), FORM_BOUNDS.anchors, length);
}

function readPairs(reader: ByteReader, count: number): AnchorPair[] {
  return Array.from({ length: count }, () => ({
    root: reader.take(HASH_LENGTH),
    block: reader.take(HASH_LENGTH),
  }));
}

function readExtension(
  reader: ByteReader,
  chainIndex: bigint,
): Pick<ClaimParts, "forkParts" | "chainIndex"> {
  if (reader.remaining === 0) return { forkParts: NO_FORK_PARTS, chainIndex };
  if (reader.u8() !== EXTENSION) throw badField("data", "what follows the state");
  return { forkParts: readForkParts(reader), chainIndex: reader.u64() };
}

/** Slot, log and entries as they are, after a look at their counts. */
function readForkParts(reader: ByteReader): Uint8Array {
  const writer = new ByteWriter(256);
  const take = (length: number): void => void writer.raw(reader.take(length));
  writer.u16(reader.u16());
  const script = reader.checkCount(reader.u16(), FORM_BOUNDS.coinbaseScript, 1);
  writer.u16(script);
  take(script + 8);
  const logged = reader.u64();
  writer.u64(logged);
  take(ones(logged) * HASH_LENGTH);
  const entries = reader.checkCount(reader.u32(), FORM_BOUNDS.anchors, LOG_ENTRY_LENGTH);
  writer.u32(entries);
  take(entries * LOG_ENTRY_LENGTH);
  return writer.toBytes();
}

/** A log has a peak for every one among the bits of its count. */
function ones(count: bigint): number {
  let [left, found] = [count, 0];
  for (; left > 0n; left &= left - 1n) found += 1;
  return found;
}

function writeClaim(parts: ClaimParts): Uint8Array<ArrayBuffer> {
  const { ommers, product, older } = parts;
  const writer = new ByteWriter(2_048)
    .u8(FORM)
    .u64(parts.size)
    .raw(parts.leaf)
    .u8(ommers.length / HASH_LENGTH)
    .raw(ommers)
    .raw(parts.totals)
    .u8(product === null ? 0 : 1);
  if (product !== null) writer.raw(product);
  writer.u64(parts.nullifierCount).u64(parts.devAccrued).raw(parts.forkParts).u32(older.length);
  for (const { root, block } of older) writer.raw(root).raw(block);
  return writer.u64(parts.chainIndex).toBytes();
}

function readClaim(raw: Uint8Array): ClaimParts {
  const reader = new ByteReader(raw);
  const form = reader.u8();
  if (form !== FORM) throw new SvcError("codec/version", { expected: FORM, found: form });
  const [size, leaf] = [reader.u64(), reader.take(HASH_LENGTH)];
  const ommers = reader.take(
    reader.checkCount(reader.u8(), FORM_BOUNDS.ommers, HASH_LENGTH) * HASH_LENGTH,
  );
  const totals = reader.take(2 * TOTAL_LENGTH);
  const product = reader.u8() === 0 ? null : reader.take(MUHASH_LENGTH);
  const [nullifierCount, devAccrued] = [reader.u64(), reader.u64()];
  const forkParts = readForkParts(reader);
  const pairs = reader.checkCount(reader.u32(), FORM_BOUNDS.anchors, PAIR_LENGTH);
  const older = readPairs(reader, pairs);
  const chainIndex = reader.u64();
  reader.finish();
  const tree = { size, leaf, ommers, totals, product };
  return { ...tree, nullifierCount, devAccrued, forkParts, older, chainIndex };
}

/** Anchors go by root and the scores of their blocks in the same order, each block once. */
function writeAnchors(
  writer: ByteWriter,
  anchors: readonly AnchorPair[],
  devAccrued: bigint,
  { blueScoreOf }: StateFacts,
): void {
  const byRoot = anchors.toSorted(
    (a, b) => compareBytes(a.root, b.root) || compareBytes(a.block, b.block),
  );
  writer.u64(BigInt(byRoot.length));
  for (const { root, block } of byRoot) writer.raw(root).raw(block);
  writer.u64(devAccrued);
  const blocks = new Map(byRoot.map(({ block }) => [encodeHex(block), block]));
  writer.u64(BigInt(blocks.size));
  for (const block of blocks.values()) writer.raw(block).u64(blueScoreOf(block));
}
