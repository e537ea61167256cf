/** Where the scan records of a page begin and end (docs/interfaces.md 2), without reading their contents. */
import { ByteReader } from "@svc/shared/base/bytes.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";

const HEAD = 32 + 8 * 4 + 32;
const OUTPUT = 43 + 8 + 32;
const ACTION = 32 * 3 + 580 + 80 + 32;

/** Bytes of each record. Throws `wallet/bad-page` unless the records fill the body exactly. */
export function recordLengths(body: Uint8Array, count: number): readonly number[] {
  const reader = new ByteReader(body);
  const lengths: number[] = [];
  try {
    for (let record = 0; record < count; record += 1) {
      const start = reader.offset;
      reader.take(HEAD);
      reader.take(OUTPUT * reader.u16());
      const transactions = reader.u16();
      for (let index = 0; index < transactions; index += 1) {
        reader.take(32);
        reader.take(ACTION * reader.u16());
      }
      lengths.push(reader.offset - start);
    }
    reader.finish();
  } catch (error) {
    throw new SvcError("wallet/bad-page", { reason: "the records do not fill the page" }, error);
  }
  return lengths;
}
