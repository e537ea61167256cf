/**
 * Codec of anchor bindings (proofs of anchors from before the security fork): between message 205 and the raw form (decision
 * record 29).
 */
import { ByteReader, ByteWriter } from "../../base/bytes.ts";
import { FORM_BOUNDS } from "../raw/formBounds.ts";
import type { P2pAnchorBindingChunk } from "./generated/p2pMessages.ts";
import { badField, boundedList, bytesOfLength } from "./p2pFields.ts";

const HASH_LENGTH = 32;
/** Bytes of the smallest row: a block and the length of nothing. */
const MIN_ROW = HASH_LENGTH + 4;

/** Converts a message to raw rows, one after the other: block, u32 length, binding. Throws `p2p/bad-message`. */
export function rawAnchorBindingsOf({ entries }: P2pAnchorBindingChunk): Uint8Array<ArrayBuffer> {
  boundedList("entries", entries, FORM_BOUNDS.anchorBindings);
  const writer = new ByteWriter(MIN_ROW * Math.max(entries.length, 1));
  for (const { block, data } of entries) {
    if (data.length > FORM_BOUNDS.anchorBindingBytes) {
      throw badField("data", `it has ${data.length} bytes`);
    }
    writer
      .raw(bytesOfLength("block", block, HASH_LENGTH))
      .u32(data.length)
      .raw(data);
  }
  return writer.toBytes();
}

/** Converts raw rows to message 205, whose byte strings are views of them. Throws `codec/…`. */
export function anchorBindingChunkMessage(raw: Uint8Array, done: boolean): P2pAnchorBindingChunk {
  const reader = new ByteReader(raw);
  const entries = [];
  while (reader.remaining > 0) {
    const block = reader.take(HASH_LENGTH);
    entries.push({ block, data: reader.take(reader.u32()) });
  }
  return { entries, done };
}
