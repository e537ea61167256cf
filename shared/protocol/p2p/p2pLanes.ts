/**
 * Codec of the lanes at a pruning point between messages and raw forms (specification network 1.1, messages 60 and 61;
 * consensus 12).
 */
import { ByteReader, ByteWriter } from "../../base/bytes.ts";
import { SvcError } from "../../base/svcError.ts";
import { FORM_BOUNDS } from "../raw/formBounds.ts";
import type { P2pSmtLaneChunk, P2pSmtMetadata } from "./generated/p2pMessages.ts";
import { boundedList, bytesOfLength } from "./p2pFields.ts";

const FORM = 1;
const HASH_LENGTH = 32;
/** Key and tip. */
const LANE_DATA_LENGTH = 2 * HASH_LENGTH;
/** Key, tip and blue score. */
const LANE_LENGTH = LANE_DATA_LENGTH + 8;
/** The content of message 60. */
export type LanesMetadata = {
  /** The raw claim: form, digest over payloads and context 32, lanes root 32, count u64. */
  readonly claim: Uint8Array;
  /** Sequencing commitment of the pruning point's selected parent; its header says it as well. */
  readonly parentCommitment: Uint8Array;
};

/** Converts message 60 to the raw claim. Throws `p2p/bad-message`. */
export function lanesMetadataOf({ data, activeLanesCount }: P2pSmtMetadata): LanesMetadata {
  const reader = new ByteReader(bytesOfLength("data", data, 3 * HASH_LENGTH));
  const root = reader.take(HASH_LENGTH);
  const digest = reader.take(HASH_LENGTH);
  const claim = new ByteWriter(73).u8(FORM).raw(digest).raw(root).u64(activeLanesCount).toBytes();
  return { claim, parentCommitment: reader.take(HASH_LENGTH) };
}

/** Converts a raw claim to message 60. Throws `codec/…`. */
export function lanesMetadataMessage({ claim, parentCommitment }: LanesMetadata): P2pSmtMetadata {
  const reader = new ByteReader(claim);
  const form = reader.u8();
  if (form !== FORM) throw new SvcError("codec/version", { expected: FORM, found: form });
  const digest = reader.take(HASH_LENGTH);
  const root = reader.take(HASH_LENGTH);
  const activeLanesCount = reader.u64();
  reader.finish();
  const data = new ByteWriter(96).raw(root).raw(digest).raw(parentCommitment).toBytes();
  return { data, activeLanesCount };
}

/** Converts message 61 to a raw page: key, tip, blue score of each lane. Proofs are not looked at: the root covers all lanes. */
export function rawLanePageOf({ entries }: P2pSmtLaneChunk): Uint8Array<ArrayBuffer> {
  boundedList("entries", entries, FORM_BOUNDS.pageRows);
  const writer = new ByteWriter(LANE_LENGTH * Math.max(entries.length, 1));
  for (const { data, blueScore } of entries) {
    writer.raw(bytesOfLength("data", data, LANE_DATA_LENGTH)).u64(blueScore);
  }
  return writer.toBytes();
}

/** Converts a raw page to message 61; `proofOf` gives the proof that goes with a row of it, empty for none. Throws `codec/…`. */
export function laneChunkMessage(
  raw: Uint8Array,
  proofOf: (row: number) => Uint8Array,
): P2pSmtLaneChunk {
  const reader = new ByteReader(raw);
  const lanes = Math.ceil(raw.length / LANE_LENGTH);
  const count = reader.checkCount(lanes, FORM_BOUNDS.pageRows, LANE_LENGTH);
  const entries = Array.from({ length: count }, (_, row) => ({
    data: reader.take(LANE_DATA_LENGTH),
    blueScore: reader.u64(),
    proof: proofOf(row),
  }));
  return { entries };
}

/** The key of the last lane of a raw page: the next page begins behind it. null for an empty page. */
export function lastLaneKey(raw: Uint8Array): Uint8Array | null {
  if (raw.length < LANE_LENGTH) return null;
  return raw.slice(raw.length - LANE_LENGTH, raw.length - LANE_LENGTH + HASH_LENGTH);
}
