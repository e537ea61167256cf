/** Text of a receipt: every byte survives, and what is none is refused whatever its length. */
import { describe, expect, it } from "vitest";
import { codeOf } from "../../base/testkit/codeOf.ts";
import { AIRGAP_LIMITS } from "../airgapLimits.ts";
import { readReceiptText, receiptText } from "./receiptText.ts";
import { UrDecoder } from "./urDecoder.ts";
import { UrEncoder } from "./urEncoder.ts";
import { UR_TYPES } from "./urFrame.ts";

const receipt = Uint8Array.from({ length: 4_287 }, (_, at) => at * 7);

describe("the text of a receipt", () => {
  it("is read again, in capitals and with white space around it", () => {
    const text = receiptText(receipt);
    expect(readReceiptText(text)).toEqual(receipt);
    expect(readReceiptText(`\n ${text.toUpperCase()} \n`)).toEqual(receipt);
    const longest = new Uint8Array(65_536);
    expect(readReceiptText(receiptText(longest))).toEqual(longest);
  });

  it("goes over QR codes in frames", () => {
    const frames = new UrEncoder(UR_TYPES.receipt, receipt);
    const decoder = new UrDecoder(UR_TYPES.receipt);
    for (let frame = 1; frame <= frames.count; frame += 1) decoder.receive(frames.frame(frame));
    expect(decoder.result).toEqual(receipt);
  });

  const text = receiptText(receipt);
  const long = "a".repeat(AIRGAP_LIMITS.airgapReceiptChars + 1);
  const refusals: readonly (readonly [string, string, string])[] = [
    ["of another type", text.replace("receipt", "payment"), "airgap/wrong-type"],
    ["that is none", "hello", "airgap/wrong-type"],
    ["cut short", text.slice(0, -2), "airgap/frame-checksum"],
    ["with half a byte", text.slice(0, -1), "airgap/bad-frame"],
    ["with other letters", `${text.slice(0, -2)}qq`, "airgap/bad-frame"],
    ["without anything", "ur:svc-receipt/", "airgap/bad-frame"],
    ["longer than any", long, "airgap/message-too-long"],
  ];
  it.each(refusals)("%s is refused", (_, told, code) => {
    expect(codeOf(() => readReceiptText(told))).toBe(code);
  });
});
