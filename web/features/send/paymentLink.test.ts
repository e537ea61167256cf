import { asAddressText } from "@svc/shared/base/brand.ts";
import { expect, test } from "vitest";
import { fillFrom, isLink } from "./paymentLink.ts";

const typed = { address: "", amount: "2", memo: "For the bread" };
const address = asAddressText("test:payee");

test("B15: a link without memo or amount leaves what was typed", () => {
  const link = { address, amount: "", memo: "", label: null };
  expect(fillFrom(link, typed)).toEqual({ address, amount: "2", memo: "For the bread" });
  const whole = { address, amount: "1.5", memo: "Two loaves", label: null };
  expect(fillFrom(whole, typed)).toEqual({ address, amount: "1.5", memo: "Two loaves" });
});

test("U13: a link's memo cannot turn the text around it", () => {
  const link = { address, amount: "", memo: "pay \u202eabc", label: null };
  expect(fillFrom(link, typed).memo).toBe("pay abc");
});

test("B15: a link of a protocol handler is a link, an address is not", () => {
  expect(isLink("web+test:payee")).toBe(true);
  expect(isLink(" WEB+TEST:payee")).toBe(true);
  expect(isLink("test:payee?amount=1")).toBe(true);
  expect(isLink("test:payee")).toBe(false);
});
