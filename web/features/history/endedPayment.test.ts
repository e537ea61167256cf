import { asAddressText, asSompi } from "@svc/shared/base/brand.ts";
import type { RowPayee } from "@svc/shared/wallet/view/rowPayees.ts";
import { expect, test } from "vitest";
import { payeeTexts } from "./endedPayment.ts";

const anna: RowPayee = {
  address: asAddressText("test:anna"),
  value: asSompi(123_456_789_000_000_001n),
  memo: { kind: "text", text: "two loaves" },
};

test("payees of the history go back into the form, to the last digit and with their memos", () => {
  const bert: RowPayee = { ...anna, value: asSompi(1n), memo: { kind: "empty" } };
  expect(payeeTexts([anna, bert])).toEqual([
    { address: "test:anna", amount: "1234567890.00000001", memo: "two loaves" },
    { address: "test:anna", amount: "0.00000001", memo: "" },
  ]);
});
