/** Codec of nullifier pages between message 66 and the raw form (specification network 1.1). */
import { ByteReader, ByteWriter } from "../../base/bytes.ts";
import { FORM_BOUNDS } from "../raw/formBounds.ts";
import type { P2pNullifierChunk } from "./generated/p2pMessages.ts";
import { boundedList, bytesOfLength } from "./p2pFields.ts";

const NULLIFIER_LENGTH = 32;

/** Converts message 66 to nullifiers one after the other. Throws `p2p/bad-message`. */
export function rawNullifiersOf({ nullifiers }: P2pNullifierChunk): Uint8Array<ArrayBuffer> {
  boundedList("nullifiers", nullifiers, FORM_BOUNDS.pageRows);
  const writer = new ByteWriter(NULLIFIER_LENGTH * Math.max(nullifiers.length, 1));
  for (const each of nullifiers) writer.raw(bytesOfLength("nullifiers", each, NULLIFIER_LENGTH));
  return writer.toBytes();
}

/** Converts nullifiers one after the other to message 66, whose byte strings are views of them. Throws `codec/…`. */
export function nullifierChunkMessage(raw: Uint8Array): P2pNullifierChunk {
  const reader = new ByteReader(raw);
  const length = reader.checkCount(
    Math.ceil(raw.length / NULLIFIER_LENGTH),
    FORM_BOUNDS.pageRows,
    NULLIFIER_LENGTH,
  );
  return { nullifiers: Array.from({ length }, () => reader.take(NULLIFIER_LENGTH)) };
}
