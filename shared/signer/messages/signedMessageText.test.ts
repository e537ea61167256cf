import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitsMessage, readSignedMessage, signedMessageText } from "./signedMessageText.ts";
import { SIGNER_LIMITS } from "../signerLimits.ts";
import { WALLET_LIMITS } from "../../wallet/walletLimits.ts";

const MAX = WALLET_LIMITS.signedMessageChars;

describe("the text of a signed message", () => {
  test("comes back as it was, whatever the message is", () => {
    const some = fc.record({ address: fc.string(), message: fc.string(), signature: fc.string() });
    fc.assert(
      fc.property(some, (signed) => {
        expect(readSignedMessage(signedMessageText(signed))).toEqual(signed);
      }),
    );
  });

  test("is short enough to be read for the longest message, all of it escaped", () => {
    const signed = {
      address: "a".repeat(200),
      message: "\u0001".repeat(MAX),
      signature: "0".repeat(320),
    };
    expect(fitsMessage(signed.message)).toBe(true);
    expect(fitsMessage(`${signed.message}x`)).toBe(false);
    expect(readSignedMessage(signedMessageText(signed))).toEqual(signed);
  });

  test("may hold the daemon's note, which is left out", () => {
    const signed = { address: "a", message: "b", signature: "c" };
    expect(readSignedMessage(JSON.stringify({ ...signed, note: "d" }))).toEqual(signed);
  });

  test.each([
    ["", "nothing"],
    ["svc:abc", "an address"],
    ["[]", "a list"],
    ["null", "null"],
    ['{"address":"a","message":"b"}', "a part"],
    ['{"address":"a","message":1,"signature":"c"}', "a number"],
    [`${" ".repeat(SIGNER_LIMITS.signedMessageTextChars)}{}`, "a flood"],
  ])("%# is none: %2$s", (text) => {
    expect(readSignedMessage(text)).toBeNull();
  });
});
