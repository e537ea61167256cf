/**
 * Codec of headers between peers' messages and RawHeader (specification network 1.1; docs/formats.md 1).
 *
 * Both write parents as runs of equal levels, so bytes are copied from one form into the other. What the numbers mean is
 * for the core to judge.
 */
import { BLUE_WORK_LENGTH } from "../../chain/header.ts";
import type { ByteReader, ByteWriter } from "../../base/bytes.ts";
import { FORM_BOUNDS } from "../raw/formBounds.ts";
import type { P2pBlockHeader, P2pBlockLevelParents } from "./generated/p2pValues.ts";
import { badField, hashBytes, timestampField, u16Field } from "./p2pFields.ts";

/** Cumulative level, parent count. */
const MIN_RUN_LENGTH = 1 + 2;
const HASH_LENGTH = 32;
/** What follows the parents: three roots, time, bits, nonce, DAA score, blue work, blue score, pruning point. */
const AFTER_PARENTS = 3 * HASH_LENGTH + 8 + 4 + 8 + 8 + BLUE_WORK_LENGTH + 8 + HASH_LENGTH;

/** Appends the RawHeader of a message; its witness is not written. Throws `p2p/bad-message`. */
export function writeRawHeader(writer: ByteWriter, message: P2pBlockHeader): void {
  writer.u16(u16Field("version", message.version));
  writeRuns(writer, message.parents);
  writer
    .raw(hashBytes("hashMerkleRoot", message.hashMerkleRoot))
    .raw(hashBytes("acceptedIdMerkleRoot", message.acceptedIdMerkleRoot))
    .raw(hashBytes("utxoCommitment", message.utxoCommitment))
    .u64(timestampField("timestamp", message.timestamp))
    .u32(message.bits)
    .u64(message.nonce)
    .u64(message.daaScore)
    .raw(rawBlueWork(message.blueWork))
    .u64(message.blueScore)
    .raw(hashBytes("pruningPoint", message.pruningPoint));
}

/** Reads a RawHeader into a message; an absent witness is empty. Throws `codec/…`. */
export function readRawHeader(reader: ByteReader): P2pBlockHeader {
  return {
    version: reader.u16(),
    parents: readRuns(reader),
    hashMerkleRoot: { bytes: reader.take(HASH_LENGTH) },
    acceptedIdMerkleRoot: { bytes: reader.take(HASH_LENGTH) },
    utxoCommitment: { bytes: reader.take(HASH_LENGTH) },
    timestamp: reader.u64(),
    bits: reader.u32(),
    nonce: reader.u64(),
    daaScore: reader.u64(),
    blueWork: blueWorkMessage(reader.take(BLUE_WORK_LENGTH)),
    blueScore: reader.u64(),
    pruningPoint: { bytes: reader.take(HASH_LENGTH) },
    auxPow: new Uint8Array(),
  };
}

/** Skips a RawHeader. Throws `codec/…`. */
export function skipRawHeader(reader: ByteReader): void {
  reader.u16();
  const runs = reader.checkCount(reader.u8(), FORM_BOUNDS.levels, MIN_RUN_LENGTH);
  for (let run = 0; run < runs; run += 1) {
    reader.u8();
    const count = reader.checkCount(reader.u16(), FORM_BOUNDS.expandedParents, HASH_LENGTH);
    reader.take(count * HASH_LENGTH);
  }
  reader.take(AFTER_PARENTS);
}

/**
 * The witness a message carries; undefined for a natively mined block, whose field is empty, and for one that is larger than
 * any witness: it is dropped and the header kept, since its own work may suffice (specification network 10.14).
 */
export function witnessOf({ auxPow }: P2pBlockHeader): Uint8Array | undefined {
  return auxPow.length === 0 || auxPow.length > FORM_BOUNDS.witness ? undefined : auxPow;
}

function writeRuns(writer: ByteWriter, runs: readonly P2pBlockLevelParents[]): void {
  if (runs.length > FORM_BOUNDS.levels) throw badField("parents", `${runs.length} runs`);
  writer.u8(runs.length);
  for (const { cumulativeLevel, parentHashes } of runs) {
    const isLevel = cumulativeLevel > 0 && cumulativeLevel <= FORM_BOUNDS.levels;
    if (!isLevel) throw badField("cumulativeLevel", `it is ${cumulativeLevel}`);
    if (parentHashes.length > FORM_BOUNDS.expandedParents)
      throw badField("parentHashes", `${parentHashes.length} parents`);
    writer.u8(cumulativeLevel).u16(parentHashes.length);
    for (const parent of parentHashes) writer.raw(hashBytes("parentHashes", parent));
  }
}

function readRuns(reader: ByteReader): P2pBlockLevelParents[] {
  const runs = reader.checkCount(reader.u8(), FORM_BOUNDS.levels, MIN_RUN_LENGTH);
  return Array.from({ length: runs }, () => {
    const cumulativeLevel = reader.u8();
    const count = reader.checkCount(reader.u16(), FORM_BOUNDS.expandedParents, HASH_LENGTH);
    const parentHashes = Array.from({ length: count }, () => ({ bytes: reader.take(HASH_LENGTH) }));
    return { cumulativeLevel, parentHashes };
  });
}

/**
 * Converts a message's blue work to little endian in its full length. Leading zeros are not written on the wire; where they
 * are, they mean nothing. Throws `p2p/bad-message`.
 */
export function rawBlueWork(blueWork: Uint8Array): Uint8Array {
  if (blueWork.length > BLUE_WORK_LENGTH) throw badField("blueWork", `${blueWork.length} bytes`);
  const bytes = new Uint8Array(BLUE_WORK_LENGTH);
  bytes.set(blueWork, BLUE_WORK_LENGTH - blueWork.length);
  return bytes.toReversed();
}

/** Converts little-endian blue work to the form of messages. */
export function blueWorkMessage(blueWork: Uint8Array): Uint8Array {
  const bytes = blueWork.toReversed();
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? new Uint8Array() : bytes.subarray(first);
}

/**
 * Appends a header with the length of its witness and the witness, the form of proofs and trusted data. Throws
 * `p2p/bad-message`.
 */
export function writeWitnessedHeader(writer: ByteWriter, message: P2pBlockHeader): void {
  writeRawHeader(writer, message);
  writer.block(witnessOf(message) ?? new Uint8Array());
}

/** Reads a header and its witness, of which a message is made. Throws `codec/…`. */
export function readWitnessedHeader(reader: ByteReader): P2pBlockHeader {
  const header = readRawHeader(reader);
  const length = reader.checkCount(reader.u32(), FORM_BOUNDS.witness, 1);
  return { ...header, auxPow: reader.take(length) };
}

/** Bytes of the smallest header and the length of its witness, by which counts are checked. */
export const MIN_WITNESSED_HEADER = 191 + 4;
