import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  asBlockHash,
  asBlueScore,
  asChainIndex,
  asDaaScore,
  asLeafPosition,
  asNoteCommitment,
  asNullifier,
  asRawAddress,
  asSompi,
  asTimestampMs,
  asTxId,
} from "../../base/brand.ts";
import { ByteWriter } from "../../base/bytes.ts";
import { crc32c } from "../../base/crc32c.ts";
import { encodeHex } from "../../base/hex.ts";
import { codeOf } from "../../base/testkit/codeOf.ts";
import {
  ACTION_LENGTH,
  encodeContainer,
  readContainer,
  readRecords,
  type RecordAction,
  type ScanRecord,
} from "./recordContainer.ts";

const MAX = 100;
const u64 = fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn });
const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map(encodeHex);

const action: fc.Arbitrary<RecordAction> = fc
  .uint8Array({ minLength: ACTION_LENGTH, maxLength: ACTION_LENGTH })
  .map((bytes) => ({
    nullifier: asNullifier(encodeHex(bytes.subarray(0, 32))),
    cmx: asNoteCommitment(encodeHex(bytes.subarray(32, 64))),
    bytes,
  }));

const record: fc.Arbitrary<ScanRecord> = fc.record({
  hash: hex(32).map(asBlockHash),
  blueScore: u64.map(asBlueScore),
  daaScore: u64.map(asDaaScore),
  timestamp: u64.map(asTimestampMs),
  firstLeaf: u64.map(asLeafPosition),
  coinbaseTxid: hex(32).map(asTxId),
  outputs: fc.array(
    fc.record({
      recipient: hex(43).map(asRawAddress),
      value: u64.map(asSompi),
      cmx: hex(32).map(asNoteCommitment),
    }),
    { maxLength: 3 },
  ),
  transactions: fc.array(
    fc.record({ txid: hex(32).map(asTxId), actions: fc.array(action, { maxLength: 2 }) }),
    { maxLength: 2 },
  ),
});

const pages = fc.tuple(u64.map(asChainIndex), fc.array(record, { maxLength: 3 }));

/** A container with a right checksum around any content. */
function container(count: number, body: Uint8Array, kind = 0x50): Uint8Array {
  const writer = new ByteWriter().raw(new TextEncoder().encode("SVCB")).u8(1).u8(kind).u16(0);
  writer.u64(0n).u32(count).block(body);
  return writer.u32(crc32c(writer.toBytes())).toBytes();
}

describe("record containers", () => {
  it("survive a round trip", () => {
    fc.assert(
      fc.property(pages, ([firstIndex, records]) => {
        const page = readContainer(encodeContainer(firstIndex, records), MAX);
        expect(page.firstIndex).toBe(firstIndex);
        expect(readRecords(page)).toEqual(records);
      }),
      { numRuns: 40 },
    );
  });

  it("show damage to any byte", () => {
    fc.assert(
      fc.property(pages, fc.nat(), fc.integer({ min: 1, max: 255 }), ([index, records], at, by) => {
        const bytes = encodeContainer(index, records);
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ by;
        expect(codeOf(() => readRecords(readContainer(bytes, MAX)))).toMatch(/^codec\//);
      }),
    );
  });

  it("are refused when they promise more than they hold, or more than was asked", () => {
    expect(codeOf(() => readContainer(container(0xffff_ffff, new Uint8Array()), 2 ** 32))).toBe(
      "codec/count-too-large",
    );
    expect(codeOf(() => readContainer(container(3, new Uint8Array(300)), 2))).toBe(
      "codec/count-too-large",
    );
    const outputs = new Uint8Array(100).fill(0xff);
    expect(codeOf(() => readRecords(readContainer(container(1, outputs), MAX)))).toBe(
      "codec/count-too-large",
    );
    const trailing = container(1, new Uint8Array(101));
    expect(codeOf(() => readRecords(readContainer(trailing, MAX)))).toBe("codec/trailing-bytes");
  });

  it("of another kind are refused", () => {
    expect(codeOf(() => readContainer(container(0, new Uint8Array(), 0x54), MAX))).toBe(
      "codec/bad-magic",
    );
    expect(codeOf(() => readContainer(new Uint8Array(40), MAX))).toBe("codec/bad-magic");
  });
});
