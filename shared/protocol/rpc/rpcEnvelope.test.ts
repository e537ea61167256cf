import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SvcError } from "../../base/svcError.ts";
import {
  encodeErrorResponse,
  encodeRequest,
  encodeResponse,
  errorOf,
  readRequest,
  readResponse,
} from "./rpcEnvelope.ts";

const id = fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn });

describe("the envelope", () => {
  it("carries id, method and content", () => {
    fc.assert(
      fc.property(id, fc.string({ unit: "grapheme" }), (number, extraData) => {
        const payload = {
          $case: "getBlockTemplate",
          value: { payAddress: "a", extraData },
        } as const;
        const bytes = encodeRequest(number, payload);
        expect(readRequest(bytes)).toEqual({ id: number, method: 1_005, payload });
      }),
    );
  });

  it("carries an error for any method", () => {
    fc.assert(
      fc.property(id, fc.string({ unit: "grapheme", minLength: 1 }), (number, message) => {
        const { id: found, payload } = readResponse(
          encodeErrorResponse(number, 1_063, { message }),
        );
        expect(found).toBe(number);
        expect(payload?.$case).toBe("getInfo");
        expect(payload && errorOf(payload)?.message).toBe(message);
      }),
    );
  });

  it("tells an answer from an error", () => {
    const payload = { $case: "ping", value: { error: undefined } } as const;
    const read = readResponse(encodeResponse(undefined, payload));
    expect(read).toEqual({ id: undefined, payload });
    expect(errorOf(payload)).toBeUndefined();
  });

  it("gives a clear error for any other bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          readRequest(bytes);
        } catch (error) {
          expect(SvcError.is(error, "rpc/bad-argument")).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("stays clear when a byte of a message is damaged or missing", () => {
    const value = { lowHash: "ab".repeat(32), includeBlocks: true, includeTransactions: false };
    const bytes = encodeRequest(7n, { $case: "getBlocks", value });
    for (let place = 0; place < bytes.length; place += 1) {
      const damaged = bytes.slice();
      damaged[place] = (damaged[place] ?? 0) ^ 0xff;
      for (const each of [damaged, bytes.subarray(0, place)]) {
        try {
          readRequest(each);
        } catch (error) {
          expect(SvcError.is(error, "rpc/bad-argument")).toBe(true);
        }
      }
    }
  });
});
