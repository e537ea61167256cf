import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asBlockHash, asChainIndex, asTxId } from "../../base/brand.ts";
import { encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import {
  decodeClientFrame,
  decodeServerFrame,
  encodeClientFrame,
  encodeServerFrame,
  type ClientFrame,
  type ServerFrame,
} from "./liveFrames.ts";

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(encodeHex);
const index = fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn }).map(asChainIndex);
const bytes = fc.uint8Array({ maxLength: 100 });

const serverFrame: fc.Arbitrary<ServerFrame> = fc.oneof(
  fc.record({ type: fc.constant("tip" as const), json: fc.string({ unit: "grapheme" }) }),
  fc.record({ type: fc.constant("block" as const), container: bytes }),
  fc.record({
    type: fc.constant("reorg" as const),
    commonHash: hash.map(asBlockHash),
    chainIndex: index,
  }),
  fc.record({ type: fc.constant("poolAdd" as const), payment: bytes }),
  fc.record({ type: fc.constant("poolDelete" as const), txid: hash.map(asTxId) }),
  fc.record({ type: fc.constant("ping" as const) }),
);

const clientFrame: fc.Arbitrary<ClientFrame> = fc.oneof(
  fc.record({
    type: fc.constant("subscribe" as const),
    after: hash.map(asBlockHash),
    pool: fc.boolean(),
  }),
  fc.record({ type: fc.constant("ack" as const), chainIndex: index }),
  fc.record({ type: fc.constant("pong" as const) }),
);

describe("live frames", () => {
  it("survive a round trip", () => {
    fc.assert(
      fc.property(serverFrame, (frame) => {
        expect(decodeServerFrame(encodeServerFrame(frame))).toEqual(frame);
      }),
    );
    fc.assert(
      fc.property(clientFrame, (frame) => {
        expect(decodeClientFrame(encodeClientFrame(frame))).toEqual(frame);
      }),
    );
  });

  it("give a clear error for any other bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (any) => {
        for (const decode of [decodeServerFrame, decodeClientFrame]) {
          try {
            decode(any);
          } catch (error) {
            expect(error).toBeInstanceOf(SvcError);
          }
        }
      }),
    );
    expect(() => decodeClientFrame(Uint8Array.of(9))).toThrow("live/bad-frame");
    expect(() => decodeClientFrame(Uint8Array.of(6, 0))).toThrow("codec/trailing-bytes");
  });
});
