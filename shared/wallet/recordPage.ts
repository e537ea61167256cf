/** Reads the container that scan records travel in (interfaces 2, kind P). */
import { asChainIndex } from "../base/brand.ts";
import { ByteReader } from "../base/bytes.ts";
import { crc32c } from "../base/crc32c.ts";
import { SvcError } from "../base/svcError.ts";
import type { RecordPage } from "./ports.ts";

const MAGIC = 0x4243_5653;
const VERSION = 1;
const KIND_RECORDS = 0x50;
/** The shortest record: its fixed fields and two empty lists. */
const MIN_RECORD_LENGTH = 100;

/**
 * The page of a container of at most `maxRecords`. Throws `codec/bad-magic`, `codec/version`,
 * `codec/bad-checksum`, `codec/count-too-large`, `codec/unexpected-end`, `codec/trailing-bytes`.
 */
export function readRecordPage(bytes: Uint8Array, maxRecords: number): RecordPage {
  const reader = new ByteReader(bytes);
  const magic = reader.u32();
  if (magic !== MAGIC) throw new SvcError("codec/bad-magic", { found: magic.toString(16) });
  const version = reader.u8();
  if (version !== VERSION) {
    throw new SvcError("codec/version", { expected: VERSION, found: version });
  }
  const kind = reader.u8();
  if (kind !== KIND_RECORDS) throw new SvcError("codec/bad-magic", { found: kind.toString(16) });
  reader.u16();
  const firstIndex = asChainIndex(reader.u64());
  const count = reader.u32();
  const body = reader.block();
  const covered = bytes.subarray(0, reader.offset);
  const checksum = reader.u32();
  reader.finish();
  if (crc32c(covered) !== checksum) throw new SvcError("codec/bad-checksum", {});
  const inner = new ByteReader(body);
  inner.checkCount(count, maxRecords, MIN_RECORD_LENGTH);
  return { firstIndex, count, body };
}
