import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeOf } from "../../base/testkit/codeOf.ts";
import { pickResponse, type WantedResponse } from "./pickResponse.ts";
import { encodeErrorResponse, encodeResponse } from "./rpcEnvelope.ts";

const WANTED = new Map<number, WantedResponse>([
  [1_123, { fields: [101, 1_000], maxBytes: 1_000 }],
]);
const FIELDS = 50;
const pick = (bytes: Uint8Array) => pickResponse(bytes, WANTED, FIELDS);

const records = Uint8Array.of(1, 2, 3);
const plain = { hash: "ab", blueScore: 1n, daaScore: 1n, coinbaseTxid: "", timestamp: 1n };
const lists = { coinbaseOutputs: [], acceptedActions: [], acceptedTxids: [] };
const page = (blocks: number, bytes = records): Uint8Array =>
  encodeResponse(7n, {
    $case: "getShieldedBlocks",
    value: {
      blocks: Array.from({ length: blocks }, () => ({ ...plain, ...lists })),
      reorged: true,
      sinkBlueScore: 5n,
      records: bytes,
      error: undefined,
    },
  });

describe("pickResponse", () => {
  it("keeps the id and the wanted fields", () => {
    expect(pick(page(3))).toMatchObject({
      id: 7n,
      payload: {
        $case: "getShieldedBlocks",
        value: { blocks: [], reorged: false, sinkBlueScore: 0n, records },
      },
    });
  });

  it("keeps an error with its JSON", () => {
    const error = { message: "no", json: '{"code":"x"}' };
    expect(pick(encodeErrorResponse(7n, 1_122, error)).payload?.value).toMatchObject({ error });
  });

  it("has no payload for a method that is not wanted", () => {
    const other = encodeResponse(7n, { $case: "ping", value: { error: undefined } });
    expect(pick(other)).toEqual({ id: 7n, payload: undefined });
    // Of several the last one counts.
    expect(pick(Uint8Array.from([...page(1), ...other])).payload).toBeUndefined();
    expect(pick(Uint8Array.from([...other, ...page(1)])).payload).toBeDefined();
  });

  it("refuses more fields than it may read, and more bytes than a payload may have", () => {
    // The envelope has two, the payload its blocks and three more.
    expect(codeOf(() => pick(page(FIELDS - 5)))).toBe("none");
    expect(codeOf(() => pick(page(FIELDS - 4)))).toBe("codec/count-too-large");
    expect(codeOf(() => pick(page(0, new Uint8Array(1_001))))).toBe("codec/count-too-large");
    const ids = new BinaryWriter();
    for (let count = 0; count <= FIELDS; count += 1) ids.tag(101, WireType.Varint).uint64(1n);
    expect(codeOf(() => pick(ids.finish()))).toBe("codec/count-too-large");
  });

  it("keeps of messages what is wanted of them, and counts their parts", () => {
    const block = { fields: [1], messages: new Map([[5, { fields: [2] }]]) };
    const wanted = new Map([
      [1_123, { fields: [], messages: new Map([[1, block]]), maxBytes: 1_000 }],
    ]);
    const kept = { scriptPublicKey: "", value: 3n };
    const output = { scriptPublicKey: "cd", value: 3n, commitment: records };
    const of = (outputs: number): Uint8Array =>
      encodeResponse(7n, {
        $case: "getShieldedBlocks",
        value: {
          ...{ reorged: true, sinkBlueScore: 5n, records, error: undefined },
          blocks: [
            { ...plain, ...lists, coinbaseOutputs: Array.from({ length: outputs }, () => output) },
          ],
        },
      });
    expect(pickResponse(of(2), wanted, FIELDS).payload).toMatchObject({
      value: {
        ...{ reorged: false, records: undefined },
        blocks: [
          {
            ...{ hash: "ab", blueScore: 0n },
            coinbaseOutputs: [kept, kept],
          },
        ],
      },
    });
    // The envelope has two, the payload four, the block three beside its outputs, and each output four with itself.
    const most = Math.floor((FIELDS - 9) / 4);
    expect(codeOf(() => pickResponse(of(most), wanted, FIELDS))).toBe("none");
    expect(codeOf(() => pickResponse(of(most + 1), wanted, FIELDS))).toBe("codec/count-too-large");
    // A field of another kind in the place of a message is passed over.
    const odd = new BinaryWriter().tag(1_123, WireType.LengthDelimited).fork();
    const bytes = odd.tag(1, WireType.Varint).uint64(9n).join().finish();
    expect(pickResponse(bytes, wanted, FIELDS).payload).toMatchObject({ value: { blocks: [] } });
  });

  it("fails in its own words for bytes of any kind", () => {
    const cut = page(2);
    for (let length = 0; length < cut.length; length += 1) {
      expect(codeOf(() => pick(cut.subarray(0, length)))).toMatch(/^(none|rpc\/bad-argument)$/);
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(codeOf(() => pick(bytes))).toMatch(/^(none|rpc\/bad-argument|codec\/.*)$/);
      }),
    );
  });
});
