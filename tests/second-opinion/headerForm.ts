/** Headers (specification consensus 3, formats 1.1): their raw form, and their hashes. */
import type { ByteReader } from "./byteReader.ts";
import { joined, keyedBlake2, numbered, type Part } from "./domains.ts";
import { Refusal } from "./refusal.ts";

/** A run of levels with the same parents. */
export type ParentRun = { readonly upTo: number; readonly parents: readonly Uint8Array[] };

/** A header. */
export type Header = {
  readonly version: number;
  readonly runs: readonly ParentRun[];
  readonly merkleRoot: Uint8Array;
  readonly acceptedRoot: Uint8Array;
  readonly utxoCommitment: Uint8Array;
  readonly timestamp: bigint;
  readonly bits: number;
  readonly nonce: bigint;
  readonly daaScore: bigint;
  readonly blueWork: bigint;
  readonly blueScore: bigint;
  readonly pruningPoint: Uint8Array;
};

/** A header and the bytes of its witness; null where none came. */
export type ToldHeader = { readonly header: Header; readonly witness: Uint8Array | null };

const MAX_LEVELS = 255;
const MAX_PARENTS = 16_320;
const MAX_WITNESS = 262_144;

/** Reads an entry of `RawHeaders`. */
export function readToldHeader(reader: ByteReader): ToldHeader {
  const form = reader.u8();
  if (form !== 1 && form !== 2) throw new Refusal("codec/version");
  const header = readHeader(reader);
  if (form === 1) return { header, witness: null };
  const length = reader.count(reader.u32(), MAX_WITNESS);
  if (length === 0) throw new Refusal("codec/not-canonical");
  return { header, witness: reader.take(length) };
}

function readHeader(reader: ByteReader): Header {
  const version = reader.u16();
  const runs = checkedRuns(
    Array.from({ length: reader.u8() }, () => {
      const upTo = reader.u8();
      return { upTo, parents: reader.hashes(MAX_PARENTS) };
    }),
  );
  return { version, runs, ...readRest(reader, 24) };
}

/** The fields behind the parents; the blue work takes so many bytes. */
export function readRest(reader: ByteReader, workLength: number): Omit<Header, "version" | "runs"> {
  return {
    merkleRoot: reader.hash(),
    acceptedRoot: reader.hash(),
    utxoCommitment: reader.hash(),
    timestamp: reader.u64(),
    bits: reader.u32(),
    nonce: reader.u64(),
    daaScore: reader.u64(),
    blueWork: reader.number(workLength),
    blueScore: reader.u64(),
    pruningPoint: reader.hash(),
  };
}

/** The runs, if they have the one valid form (3.3). Throws `header/bad-parents`. */
export function checkedRuns(runs: readonly ParentRun[]): readonly ParentRun[] {
  let before = 0;
  let parents = 0;
  for (const [at, run] of runs.entries()) {
    const same = at > 0 && isSame(runs[at - 1]?.parents ?? [], run.parents);
    if (run.upTo <= before || same) throw new Refusal("header/bad-parents");
    parents += (run.upTo - before) * run.parents.length;
    before = run.upTo;
  }
  if (before > MAX_LEVELS || parents > MAX_PARENTS) throw new Refusal("header/bad-parents");
  return runs;
}

function isSame(one: readonly Uint8Array[], other: readonly Uint8Array[]): boolean {
  return Buffer.compare(joined(...one), joined(...other)) === 0;
}

/** The direct parents, those of level 0. */
export function directParents({ runs }: Header): readonly Uint8Array[] {
  return runs[0]?.parents ?? [];
}

/** `BlockHash` over the fields, with another time or nonce where one is given. */
function hashWith(header: Header, over: { timestamp?: bigint; nonce?: bigint }): Uint8Array {
  const { timestamp, nonce } = { ...header, ...over };
  const levels = header.runs.flatMap(({ upTo, parents }, at) =>
    Array.from({ length: upTo - (header.runs[at - 1]?.upTo ?? 0) }, () => parents),
  );
  const parts: Part[] = [numbered(header.version, 2), numbered(levels.length, 8)];
  for (const parents of levels) parts.push(numbered(parents.length, 8), ...parents);
  parts.push(header.merkleRoot, header.acceptedRoot, header.utxoCommitment);
  parts.push(numbered(timestamp, 8), numbered(header.bits, 4), numbered(nonce, 8));
  parts.push(numbered(header.daaScore, 8), numbered(header.blueScore, 8));
  parts.push(blueWorkBytes(header.blueWork), header.pruningPoint);
  return keyedBlake2("BlockHash", ...parts);
}

/** The block id. */
export const blockId = (header: Header): Uint8Array => hashWith(header, {});
/** Input of the proof of work. */
export const prePowHash = (header: Header): Uint8Array =>
  hashWith(header, { timestamp: 0n, nonce: 0n });
/** Input of the bound of merged mining. */
export const nonceFreeHash = (header: Header): Uint8Array => hashWith(header, { nonce: 0n });

/** A blue work with its length: big endian, without leading zeros. */
export function blueWorkBytes(work: bigint): Uint8Array {
  const hex = work === 0n ? "" : work.toString(16);
  const bytes = Uint8Array.from(Buffer.from(hex.length % 2 === 1 ? `0${hex}` : hex, "hex"));
  return joined(numbered(bytes.length, 8), bytes);
}
