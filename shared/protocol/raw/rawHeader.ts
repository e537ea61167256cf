/**
 * Codec of RawHeader: the little-endian bytes of a header (docs/formats.md 1).
 *
 * Parents travel compressed: neighbouring levels with equal parents share one run, so every header has one
 * form (specification consensus 3.3).
 */
import {
  asBlockHash,
  asBlueScore,
  asDaaScore,
  asHash32,
  asTimestampMs,
  type BlockHash,
} from "../../base/brand.ts";
import type { ByteReader, ByteWriter } from "../../base/bytes.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { BLUE_WORK_LENGTH, type Header } from "../../chain/header.ts";
import { FORM_BOUNDS } from "./formBounds.ts";

/** Cumulative level, parent count. */
const MIN_RUN_LENGTH = 1 + 2;
const BLUE_WORK_BITS = BigInt(BLUE_WORK_LENGTH * 8);

type Level = readonly BlockHash[];
type Run = { cumulativeLevel: number; readonly parents: Level };

/** Encodes a header. Throws `codec/…`, `header/bad-parents`, `header/blue-work-too-large`. */
export function writeHeader(writer: ByteWriter, header: Header): void {
  writer.u16(header.version);
  writeParents(writer, header.parentsByLevel);
  for (const hash of [header.hashMerkleRoot, header.acceptedIdMerkleRoot, header.utxoCommitment]) {
    writer.raw(decodeHex(hash, 32));
  }
  writer.u64(header.timestamp).u32(header.bits).u64(header.nonce).u64(header.daaScore);
  writer.raw(blueWorkBytes(header.blueWork));
  writer.u64(header.blueScore).raw(decodeHex(header.pruningPoint, 32));
}

/** Decodes a header. Throws `codec/…`, `header/bad-parents`. */
export function readHeader(reader: ByteReader): Header {
  return {
    version: reader.u16(),
    parentsByLevel: readParents(reader),
    hashMerkleRoot: asHash32(encodeHex(reader.take(32))),
    acceptedIdMerkleRoot: asHash32(encodeHex(reader.take(32))),
    utxoCommitment: asHash32(encodeHex(reader.take(32))),
    timestamp: asTimestampMs(reader.u64()),
    bits: reader.u32(),
    nonce: reader.u64(),
    daaScore: asDaaScore(reader.u64()),
    blueWork: blueWorkValue(reader.take(BLUE_WORK_LENGTH)),
    blueScore: asBlueScore(reader.u64()),
    pruningPoint: asBlockHash(encodeHex(reader.take(32))),
  };
}

function writeParents(writer: ByteWriter, levels: readonly Level[]): void {
  if (levels.length > FORM_BOUNDS.levels) throw badParents("more than 255 levels");
  const total = levels.reduce((sum, level) => sum + level.length, 0);
  if (total > FORM_BOUNDS.expandedParents) throw badParents("too many parents over all levels");
  const runs = compress(levels);
  writer.u8(runs.length);
  for (const { cumulativeLevel, parents } of runs) {
    writer.u8(cumulativeLevel).u16(parents.length);
    for (const parent of parents) writer.raw(decodeHex(parent, 32));
  }
}

function compress(levels: readonly Level[]): readonly Run[] {
  const runs: Run[] = [];
  levels.forEach((parents, index) => {
    const last = runs.at(-1);
    if (last !== undefined && sameLevel(last.parents, parents)) last.cumulativeLevel = index + 1;
    else runs.push({ cumulativeLevel: index + 1, parents });
  });
  return runs;
}

function readParents(reader: ByteReader): readonly Level[] {
  const runs = reader.checkCount(reader.u8(), FORM_BOUNDS.levels, MIN_RUN_LENGTH);
  const levels: Level[] = [];
  let total = 0;
  for (let run = 0; run < runs; run += 1) {
    const cumulativeLevel = reader.u8();
    const count = reader.checkCount(reader.u16(), FORM_BOUNDS.expandedParents, 32);
    const height = cumulativeLevel - levels.length;
    if (height <= 0) throw badParents("level counts do not increase");
    total += count * height;
    if (total > FORM_BOUNDS.expandedParents) throw badParents("too many parents over all levels");
    const parents = Array.from({ length: count }, () => asBlockHash(encodeHex(reader.take(32))));
    const below = levels.at(-1);
    if (below !== undefined && sameLevel(below, parents)) {
      throw badParents("neighbouring runs are equal");
    }
    while (levels.length < cumulativeLevel) levels.push(parents);
  }
  return levels;
}

function sameLevel(a: Level, b: Level): boolean {
  return a === b || (a.length === b.length && a.every((hash, index) => hash === b[index]));
}

function blueWorkBytes(value: bigint): Uint8Array {
  if (value < 0n || value >> BLUE_WORK_BITS !== 0n) {
    throw new SvcError("header/blue-work-too-large", {});
  }
  return decodeHex(value.toString(16).padStart(BLUE_WORK_LENGTH * 2, "0")).toReversed();
}

function blueWorkValue(bytes: Uint8Array): bigint {
  return BigInt(`0x${encodeHex(bytes.toReversed())}`);
}

function badParents(reason: string): SvcError {
  return new SvcError("header/bad-parents", { reason });
}
