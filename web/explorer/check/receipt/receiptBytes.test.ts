/** Receipts as they are given to the page: bytes, text, or a file that is too large. */
import { expect, it } from "vitest";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { receiptText } from "@svc/shared/signer/airgap/receiptText.ts";
import { PAGE_LIMITS } from "../../../pageLimits.ts";
import { receiptOf, receiptOfFile } from "./receiptBytes.ts";

const BYTES = new Uint8Array([0xa5, 1, 2, 3]);

it("reads bytes, and text of either case with white space around it", () => {
  expect(receiptOf(BYTES)).toEqual(BYTES);
  const text = receiptText(BYTES);
  for (const given of [text, `\n  ${text.toUpperCase()} \n`]) {
    expect(receiptOf(new TextEncoder().encode(given))).toEqual(BYTES);
  }
});

it("reads a file, and none that is larger than a receipt can be", async () => {
  expect(await receiptOfFile(new Blob([receiptText(BYTES)]))).toEqual(BYTES);
  const large = new Blob([new Uint8Array(PAGE_LIMITS.checkReceiptBytes + 1)]);
  expect(await rejectionCode(receiptOfFile(large))).toBe("airgap/message-too-long");
});
