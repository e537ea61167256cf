/** What is read of payloads without decoding them: miners of coinbases, actions of payments. */
import { describe, expect, it } from "vitest";
import { coinbaseMiner } from "./coinbasePayload.ts";
import { payloadActions } from "./payloadActions.ts";

function coinbase(script: Uint8Array, extra: Uint8Array): Uint8Array {
  return Uint8Array.from([...new Uint8Array(48).fill(7), 1, 0, script.length, ...script, ...extra]);
}

describe("the payload of a coinbase", () => {
  it("names the script, and what stands behind it", () => {
    const script = new Uint8Array(43).fill(3);
    const extra = new TextEncoder().encode("miner");
    expect(coinbaseMiner(coinbase(script, extra))).toEqual({ scriptVersion: 1, script, extra });
    expect(coinbaseMiner(coinbase(new Uint8Array(), new Uint8Array()))).toMatchObject({
      script: new Uint8Array(),
      extra: new Uint8Array(),
    });
  });

  it("names none where it is cut at any byte", () => {
    const whole = coinbase(new Uint8Array(43), new Uint8Array());
    for (let length = 0; length < whole.length; length += 1) {
      expect(coinbaseMiner(whole.subarray(0, length))).toBeNull();
    }
  });
});

describe("the payload of a payment", () => {
  const payload = (actions: number, length: number): Uint8Array => {
    const bytes = new Uint8Array(length);
    new DataView(bytes.buffer).setUint32(109, actions, false);
    return bytes;
  };

  it.each([
    [2, 9_149, 2],
    [38, 122_797, 38],
    [0, 200, 0],
    [3, 9_149, 0],
    [0xffff_ffff, 9_149, 0],
  ])("of %d actions in %d bytes has %d", (claimed, length, actions) => {
    expect(payloadActions(payload(claimed, length))).toBe(actions);
  });

  it("has none where it is too short to say", () => {
    expect([0, 1, 112].map((length) => payloadActions(new Uint8Array(length)))).toEqual([0, 0, 0]);
  });
});
