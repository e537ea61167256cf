/** Names of receipt files, and which challenges fit. */
import { expect, it } from "vitest";
import { fitsChallenge, receiptFileName } from "./receiptFile.ts";

it("names a file by the payment, and by its part where there are several", () => {
  expect(receiptFileName("ab".repeat(32), null)).toBe("payment-abababab.receipt");
  expect(receiptFileName("ab".repeat(32), 2)).toBe("payment-abababab-2.receipt");
});

it("takes a challenge of 256 bytes, and none of more", () => {
  expect(fitsChallenge("ü".repeat(128))).toBe(true);
  expect(fitsChallenge(`${"ü".repeat(128)}.`)).toBe(false);
});
