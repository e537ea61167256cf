/**
 * Codec of history chunks between message 71 and the raw form (specification network 1.8 K): scan records of the selected chain
 * downwards, each as docs/formats.md 2 has it. The reference's records have another form and no network in common.
 */
import { ByteReader, ByteWriter } from "../../base/bytes.ts";
import { FORM_BOUNDS } from "../raw/formBounds.ts";
import type { P2pHistoryChunk } from "./generated/p2pMessages.ts";
import { badField, boundedList, bytesOfLength } from "./p2pFields.ts";

const HASH_LENGTH = 32;
/** Hash, blue score, DAA score, time, first leaf, coinbase id, and two counts. */
const MIN_RECORD_LENGTH = HASH_LENGTH + 4 * 8 + HASH_LENGTH + 2 + 2;

/** A chunk of history as the core takes it. */
export type HistoryPage = {
  /** `u32 length, record` one after the other, from the highest block downwards. */
  readonly records: Uint8Array;
  readonly count: number;
  /** The block of the lowest record; null without records. */
  readonly lowest: Uint8Array | null;
  /** Whether the lowest one is genesis. */
  readonly isDone: boolean;
};

/**
 * Converts message 71 to a page. Throws `p2p/bad-message` for too many records, for one that is not of the block it names, and
 * for numbers that do not descend one by one.
 */
export function historyPageOf({ entries, done }: P2pHistoryChunk): HistoryPage {
  boundedList("entries", entries, FORM_BOUNDS.records);
  const writer = new ByteWriter(1_024);
  let [below, lowest]: [bigint | null, Uint8Array | null] = [null, null];
  for (const { blockHash, data, chainIndex } of entries) {
    bytesOfLength("blockHash", blockHash, HASH_LENGTH);
    if (below !== null && chainIndex !== below - 1n) throw badField("chainIndex", "a gap");
    if (!isRecordOf(blockHash, data)) throw badField("data", "it is not of the block named");
    writer.block(data);
    [below, lowest] = [chainIndex, blockHash];
  }
  return { records: writer.toBytes(), count: entries.length, lowest, isDone: done };
}

/** Converts records to message 71; the first of them has the number `topIndex`. Throws `codec/…`. */
export function historyChunkMessage(raw: Uint8Array, topIndex: bigint): P2pHistoryChunk {
  const reader = new ByteReader(raw);
  const entries: P2pHistoryChunk["entries"] = [];
  for (let chainIndex = topIndex; reader.remaining > 0; chainIndex -= 1n) {
    const data = reader.take(reader.checkCount(reader.u32(), FORM_BOUNDS.blockBytes, 1));
    entries.push({ blockHash: data.subarray(0, HASH_LENGTH), data, chainIndex });
  }
  const isDone = topIndex + 1n === BigInt(entries.length);
  return { entries, done: isDone, anchorIndex: topIndex };
}

function isRecordOf(block: Uint8Array, record: Uint8Array): boolean {
  return record.length >= MIN_RECORD_LENGTH && block.every((byte, at) => byte === record[at]);
}
