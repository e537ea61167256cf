import { describe, expect, it } from "vitest";
import { ByteReader, ByteWriter } from "../../base/bytes.ts";
import { mergedRecord, poolRecord } from "./poolRecord.ts";

const TXID = new Uint8Array(32).fill(0xab);
const frame = (count: number, actions: number) =>
  new ByteWriter()
    .raw(TXID)
    .u16(count)
    .raw(new Uint8Array(actions * 788).fill(5))
    .toBytes();

describe("poolRecord", () => {
  it("wraps a transaction as a record without a block", () => {
    const { txid, page } = poolRecord(frame(2, 2));
    expect(txid).toBe("ab".repeat(32));
    expect(page.count).toBe(1);
    const reader = new ByteReader(page.body);
    expect(reader.take(96)).toEqual(new Uint8Array(96));
    expect([reader.u16(), reader.u16()]).toEqual([0, 1]);
    expect(reader.take(32)).toEqual(TXID);
    expect(reader.u16()).toBe(2);
    expect(reader.take(2 * 788).every((byte) => byte === 5)).toBe(true);
    reader.finish();
  });

  it("is joined with others to one record with all their payments", () => {
    const records = [frame(2, 2), frame(3, 3)].map((bytes) => poolRecord(bytes).page);
    const { body, count } = mergedRecord(records);
    expect(count).toBe(1);
    const reader = new ByteReader(body);
    reader.take(96);
    expect([reader.u16(), reader.u16()]).toEqual([0, 2]);
    expect(reader.take(34 + 2 * 788)).toEqual(frame(2, 2));
    expect(reader.take(34 + 3 * 788)).toEqual(frame(3, 3));
    reader.finish();
    expect(() =>
      mergedRecord(Array.from({ length: 65_536 }, () => records[0] ?? expect.unreachable())),
    ).toThrow("codec/count-too-large");
  });

  it.each([
    ["fewer actions than promised", frame(3, 2), "codec/count-too-large"],
    ["bytes left over", frame(1, 2), "codec/trailing-bytes"],
    ["no transaction", new Uint8Array(5), "codec/unexpected-end"],
  ])("refuses a frame with %s", (_, bytes, code) => {
    expect(() => poolRecord(bytes)).toThrow(expect.objectContaining({ code }));
  });
});
