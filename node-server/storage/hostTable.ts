/**
 * The host's own table in every database: layout version, and one row per segment file. Engines never see it.
 */
import type { KvRange } from "./kv.ts";

/** Number of the table. */
export const HOST_TABLE = 0;

const text = (name: string): Uint8Array => new TextEncoder().encode(name);

/** Key of the layout version (u32 little endian). */
export const VERSION_KEY = text("layout");

/**
 * Key of the number that the next segment file gets: 0x02 ‖ u32 little endian. Under layout 1 eight bytes
 * lay here, the tail of the one stream; an older build therefore refuses the row before it cuts a file.
 */
export const NEXT_SEGMENT_KEY = text("segments");

const SEGMENT_PREFIX = text("file");
const NUMBER_BYTES = 4;

/** Key of a segment file's row: `file` ‖ number u32 big endian, so that rows ascend with the numbers. */
export function segmentKey(segment: number): Uint8Array {
  const key = new Uint8Array(SEGMENT_PREFIX.length + NUMBER_BYTES);
  key.set(SEGMENT_PREFIX);
  new DataView(key.buffer).setUint32(SEGMENT_PREFIX.length, segment);
  return key;
}

/** The number in a key that [`segmentKey`] made; `null` for another key. */
export function segmentOfKey(key: Uint8Array): number | null {
  if (key.length !== SEGMENT_PREFIX.length + NUMBER_BYTES) return null;
  return new DataView(key.buffer, key.byteOffset).getUint32(SEGMENT_PREFIX.length);
}

/** The rows of all segment files. */
export const SEGMENT_ROWS: KvRange = {
  table: HOST_TABLE,
  from: segmentKey(0),
  to: text("filf"),
  limit: 0xffff_ffff,
};
