/**
 * Codec of a pruning proof between its message and its raw form (specification network 1.1, message 49, consensus 7.10).
 *
 * The message repeats a header in each level that names it; the raw form has it once, in the order in which the levels
 * first name it, and levels as indices.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { ByteReader, ByteWriter } from "../../base/bytes.ts";
import { encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { FORM_BOUNDS } from "../raw/formBounds.ts";
import type { P2pPruningPointProof } from "./generated/p2pMessages.ts";
import type { P2pBlockHeader } from "./generated/p2pValues.ts";
import { badField, boundedList } from "./p2pFields.ts";
import { MIN_WITNESSED_HEADER, readWitnessedHeader, writeWitnessedHeader } from "./p2pHeader.ts";

const FORM = 1;

/** Converts the message to the raw form. Throws `p2p/bad-message`, also for too many headers. */
export function rawProofOf({ levels }: P2pPruningPointProof): Uint8Array<ArrayBuffer> {
  boundedList("levels", levels, FORM_BOUNDS.proofLevels);
  const total = levels.reduce((sum, { blockHeaders }) => sum + blockHeaders.length, 0);
  const max = FORM_BOUNDS.proofHeaders;
  if (total > max) throw badField("levels", `${total} of at most ${max} headers`);
  const known = new Map<string, number>();
  const headers = new ByteWriter(1_024);
  const indices = new ByteWriter(1_024).u16(levels.length);
  for (const { blockHeaders } of levels) {
    indices.u32(blockHeaders.length);
    for (const header of blockHeaders) indices.u32(indexOf(known, header, headers));
  }
  return new ByteWriter(5 + headers.length + indices.length)
    .u8(FORM)
    .u32(known.size)
    .raw(headers.toBytes())
    .raw(indices.toBytes())
    .toBytes();
}

/** The number of a header; a new one is written. */
function indexOf(known: Map<string, number>, header: P2pBlockHeader, headers: ByteWriter): number {
  const writer = new ByteWriter(1_024 + header.auxPow.length);
  writeWitnessedHeader(writer, header);
  const bytes = writer.toBytes();
  const name = encodeHex(sha256(bytes));
  const before = known.get(name);
  if (before !== undefined) return before;
  known.set(name, known.size);
  headers.raw(bytes);
  return known.size - 1;
}

/** Converts a raw form to the message; byte strings are views of it. Throws `codec/…`. */
export function proofMessage(raw: Uint8Array): P2pPruningPointProof {
  const reader = new ByteReader(raw);
  const form = reader.u8();
  if (form !== FORM) throw new SvcError("codec/version", { expected: FORM, found: form });
  const { proofHeaders, proofLevels } = FORM_BOUNDS;
  const count = reader.checkCount(reader.u32(), proofHeaders, MIN_WITNESSED_HEADER);
  const headers = Array.from({ length: count }, () => readWitnessedHeader(reader));
  const levels = reader.checkCount(reader.u16(), proofLevels, 4);
  let left: number = proofHeaders;
  const lists = Array.from({ length: levels }, () => {
    const length = reader.checkCount(reader.u32(), left, 4);
    left -= length;
    return { blockHeaders: Array.from({ length }, () => headerAt(headers, reader.u32())) };
  });
  reader.finish();
  return { levels: lists };
}

function headerAt(headers: readonly P2pBlockHeader[], index: number): P2pBlockHeader {
  const header = headers[index];
  if (header === undefined) throw new SvcError("codec/not-canonical", { what: "proof order" });
  return header;
}
