import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordedBlocks } from "../../../tests/vectors/recordedBlocks.ts";
import { asBlockHash, asHash32, asTxId } from "../../base/brand.ts";
import { ByteWriter } from "../../base/bytes.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { codeOf } from "../../base/testkit/codeOf.ts";
import type { Block } from "../../chain/block.ts";
import type { Header } from "../../chain/header.ts";
import type { Transaction } from "../../chain/transaction.ts";
import { decodeRawBlock, encodeRawBlock } from "./rawBlock.ts";
import { decodeRawTransaction, encodeRawTransaction } from "./rawTransaction.ts";

const recorded = recordedBlocks();

const u16 = fc.integer({ min: 0, max: 0xffff });
const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
const u64 = fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn });
const hex32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(encodeHex);
const script = fc.uint8Array({ maxLength: 60 });
const covenant = fc.record({ authorizingInput: u16, id: hex32.map(asHash32) });

const transaction: fc.Arbitrary<Transaction> = u16.chain((version) =>
  fc.record({
    version: fc.constant(version),
    inputs: fc.array(
      fc.record({
        txid: hex32.map(asTxId),
        index: u32,
        script,
        sequence: u64,
        compute: version === 0 ? fc.integer({ min: 0, max: 255 }) : u16,
      }),
      { maxLength: 3 },
    ),
    outputs: fc.array(
      fc.record({
        value: u64 as fc.Arbitrary<Transaction["outputs"][number]["value"]>,
        scriptVersion: u16,
        script,
        covenant: version === 0 ? fc.constant(null) : fc.option(covenant),
      }),
      { maxLength: 3 },
    ),
    lockTime: u64,
    subnetworkId: fc.uint8Array({ minLength: 20, maxLength: 20 }),
    gas: u64,
    payload: fc.uint8Array({ maxLength: 200 }),
    storageMass: u64,
  }),
);

const header: fc.Arbitrary<Header> = fc.record({
  version: u16,
  parentsByLevel: fc.array(fc.array(hex32.map(asBlockHash), { maxLength: 2 }), { maxLength: 5 }),
  hashMerkleRoot: hex32.map(asHash32),
  acceptedIdMerkleRoot: hex32.map(asHash32),
  utxoCommitment: hex32.map(asHash32),
  timestamp: u64 as fc.Arbitrary<Header["timestamp"]>,
  bits: u32,
  nonce: u64,
  daaScore: u64 as fc.Arbitrary<Header["daaScore"]>,
  blueWork: fc.bigInt({ min: 0n, max: 2n ** 192n - 1n }),
  blueScore: u64 as fc.Arbitrary<Header["blueScore"]>,
  pruningPoint: hex32.map(asBlockHash),
});

const block: fc.Arbitrary<Block> = fc.record(
  {
    header,
    transactions: fc.array(transaction, { maxLength: 3 }),
    witness: fc.uint8Array({ minLength: 1, maxLength: 60 }),
  },
  { requiredKeys: ["header", "transactions"] },
);

describe("raw blocks and transactions", () => {
  it("read the recorded blocks and write them back byte for byte", () => {
    expect(recorded.length).toBeGreaterThan(0);
    for (const { raw } of recorded) {
      const decoded = decodeRawBlock(decodeHex(raw));
      expect(encodeHex(encodeRawBlock(decoded))).toBe(raw);
      for (const each of decoded.transactions) {
        expect(decodeRawTransaction(encodeRawTransaction(each))).toEqual(each);
      }
    }
  });

  it("survive a round trip of any value", () => {
    fc.assert(
      fc.property(block, (value) => {
        expect(decodeRawBlock(encodeRawBlock(value))).toEqual(value);
      }),
    );
  });

  it("have one form: whatever decodes encodes to the same bytes", () => {
    fc.assert(
      fc.property(block, fc.nat(), fc.integer({ min: 1, max: 255 }), (value, at, change) => {
        const bytes = encodeRawBlock(value);
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ change;
        const code = codeOf(() => expect(encodeRawBlock(decodeRawBlock(bytes))).toEqual(bytes));
        expect(code).toMatch(/^(none|codec\/.*|header\/bad-parents)$/);
      }),
    );
  });

  it("refuse every cut and every addition", () => {
    fc.assert(
      fc.property(block, fc.nat(), (value, at) => {
        const bytes = encodeRawBlock(value);
        const cut = bytes.subarray(0, at % bytes.length);
        expect(codeOf(() => decodeRawBlock(cut))).toMatch(/^(codec\/|header\/bad-parents)/);
        expect(codeOf(() => decodeRawBlock(Uint8Array.of(...bytes, 0)))).toBe(
          "codec/trailing-bytes",
        );
      }),
    );
  });

  it("refuse counts that the bytes cannot hold, and another form", () => {
    const huge = new ByteWriter().u16(2).u32(0xffff_ffff).toBytes();
    expect(codeOf(() => decodeRawTransaction(huge))).toBe("codec/count-too-large");
    expect(codeOf(() => decodeRawBlock(Uint8Array.of(3)))).toBe("codec/version");
  });

  it("carry a witness in a form of its own, never an empty one", () => {
    const [first] = recorded;
    const plain = decodeHex(first?.raw ?? "");
    const decoded = decodeRawBlock(plain);
    expect(decoded).not.toHaveProperty("witness");
    const witness = Uint8Array.of(1, 2, 3);
    const bytes = encodeRawBlock({ ...decoded, witness });
    expect([bytes[0], bytes.length]).toEqual([2, plain.length + 4 + witness.length]);
    expect(decodeRawBlock(bytes)).toEqual({ ...decoded, witness });
    const empty = { ...decoded, witness: new Uint8Array() };
    expect(codeOf(() => encodeRawBlock(empty))).toBe("codec/not-canonical");
  });

  it("refuse what the form cannot say", () => {
    const [first] = recorded;
    const decoded = decodeRawBlock(decodeHex(first?.raw ?? ""));
    const wide = { ...decoded, header: { ...decoded.header, blueWork: 2n ** 192n } };
    expect(codeOf(() => encodeRawBlock(wide))).toBe("header/blue-work-too-large");
    const parent = asBlockHash("11".repeat(32));
    const tall = {
      ...decoded.header,
      parentsByLevel: Array.from({ length: 256 }, () => [parent]),
    };
    expect(codeOf(() => encodeRawBlock({ ...decoded, header: tall }))).toBe("header/bad-parents");
  });
});
