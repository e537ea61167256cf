/** File format of fixtures: byte strings one after the other, each behind its length (u32). */
import { ByteReader, ByteWriter } from "@svc/shared/base/bytes.ts";

/** Byte strings, such as raw blocks, as the content of a file. */
export function packBlocks(blocks: readonly Uint8Array[]): Uint8Array {
  const writer = new ByteWriter(1_024);
  for (const block of blocks) writer.block(block);
  return writer.toBytes();
}

/** The byte strings that `packBlocks` packed, as copies. Errors: `codec/…`. */
export function unpackBlocks(bytes: Uint8Array): Uint8Array[] {
  const reader = new ByteReader(bytes);
  const blocks: Uint8Array[] = [];
  while (reader.remaining > 0) blocks.push(new Uint8Array(reader.block()));
  return blocks;
}
