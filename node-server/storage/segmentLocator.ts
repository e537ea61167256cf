/**
 * Codec of a large table's rows, inline value or locator: 0x00 ‖ value, or 0x01 ‖ segment u32 ‖ offset
 * u32 ‖ length u32 (little endian).
 */
import { SvcError } from "@svc/shared/base/svcError.ts";

/** The locator of a payload: file number, offset of its first byte, bytes. */
export type SegmentLocator = {
  readonly segment: number;
  readonly offset: number;
  readonly length: number;
};

const INLINE = 0;
const LOCATED = 1;
const LOCATOR_BYTES = 13;

/** Encodes a value that stays in the database. */
export function inlineRow(value: Uint8Array): Uint8Array {
  const row = new Uint8Array(value.length + 1);
  row[0] = INLINE;
  row.set(value, 1);
  return row;
}

/** Encodes the locator of a value in a segment file. */
export function locatedRow(locator: SegmentLocator): Uint8Array {
  const row = new Uint8Array(LOCATOR_BYTES);
  const view = new DataView(row.buffer);
  view.setUint8(0, LOCATED);
  view.setUint32(1, locator.segment, true);
  view.setUint32(5, locator.offset, true);
  view.setUint32(9, locator.length, true);
  return row;
}

/** Decodes a row: the value, or where it lies. Errors: `store/corrupt`. */
export function readRow(row: Uint8Array): { value: Uint8Array } | { locator: SegmentLocator } {
  if (row[0] === INLINE) return { value: row.subarray(1) };
  if (row[0] !== LOCATED || row.length !== LOCATOR_BYTES) {
    throw new SvcError("store/corrupt", { table: "segments", reason: "locator" });
  }
  const view = new DataView(row.buffer, row.byteOffset);
  return {
    locator: {
      segment: view.getUint32(1, true),
      offset: view.getUint32(5, true),
      length: view.getUint32(9, true),
    },
  };
}
