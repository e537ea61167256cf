/**
 * Reads the public part of scan records, without a key: places, scores, numbers of leaves (docs/formats.md 2).
 *
 * A wallet decides from this alone what it asks for next; what a key finds in the records has no say in it.
 */
import {
  asBlockHash,
  asBlueScore,
  asDaaScore,
  asLeafPosition,
  asTimestampMs,
  type BlockHash,
  type BlueScore,
  type DaaScore,
  type LeafPosition,
  type TimestampMs,
} from "../../base/brand.ts";
import { ByteReader } from "../../base/bytes.ts";
import { encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { ACTION_LENGTH } from "./recordContainer.ts";

const OUTPUT_LENGTH = 43 + 8 + 32;

/** The public part of one record. */
export type RecordHead = {
  readonly hash: BlockHash;
  readonly blueScore: BlueScore;
  readonly daaScore: DaaScore;
  readonly timestamp: TimestampMs;
  /** Leaves of the note tree before the block. */
  readonly firstLeaf: LeafPosition;
  /** Leaves that the block appends. */
  readonly leaves: number;
  /** Bytes of the record. */
  readonly length: number;
};

/** Reads the heads of the `count` records of a page's body. Throws `wallet/bad-page` unless they fill it exactly. */
export function recordHeads(body: Uint8Array, count: number): readonly RecordHead[] {
  const reader = new ByteReader(body);
  const heads: RecordHead[] = [];
  try {
    for (let record = 0; record < count; record += 1) heads.push(readHead(reader));
    reader.finish();
  } catch (error) {
    throw new SvcError("wallet/bad-page", { reason: "the records do not fill the page" }, error);
  }
  return heads;
}

function readHead(reader: ByteReader): RecordHead {
  const start = reader.offset;
  const place = {
    hash: asBlockHash(encodeHex(reader.take(32))),
    blueScore: asBlueScore(reader.u64()),
    daaScore: asDaaScore(reader.u64()),
    timestamp: asTimestampMs(reader.u64()),
    firstLeaf: asLeafPosition(reader.u64()),
  };
  reader.take(32);
  const outputs = reader.u16();
  reader.take(OUTPUT_LENGTH * outputs);
  let leaves = outputs;
  const transactions = reader.u16();
  for (let index = 0; index < transactions; index += 1) {
    reader.take(32);
    const actions = reader.u16();
    reader.take(ACTION_LENGTH * actions);
    leaves += actions;
  }
  return { ...place, leaves, length: reader.offset - start };
}
