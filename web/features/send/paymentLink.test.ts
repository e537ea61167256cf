import { expect, test } from "vitest";
import { fillFrom, isLink } from "./paymentLink.ts";

const typed = { address: "", amount: "2", memo: "For the bread" };
const address = "test:payee";

test("B15: a link without memo or amount leaves what was typed", () => {
  const link = { payees: [{ address, amount: "", memo: "" }] };
  expect(fillFrom(link, typed)).toEqual([{ address, amount: "2", memo: "For the bread" }]);
  const whole = { payees: [{ address, amount: "1.5", memo: "Two loaves" }] };
  expect(fillFrom(whole, typed)).toEqual([{ address, amount: "1.5", memo: "Two loaves" }]);
});

test("a link with two payments fills in two payees, and what was typed belongs to the first alone", () => {
  const open = { address, amount: "", memo: "" };
  expect(fillFrom({ payees: [open, open] }, typed)).toEqual([
    { address, amount: "2", memo: "For the bread" },
    open,
  ]);
});

test("U13: a link's memo cannot turn the text around it", () => {
  const turning = { address, amount: "", memo: "pay \u202eabc" };
  const memos = fillFrom({ payees: [turning, turning] }, typed).map(({ memo }) => memo);
  expect(memos).toEqual(["pay abc", "pay abc"]);
});

test("B15: a link of a protocol handler is a link, an address is not", () => {
  expect(isLink("web+test:payee")).toBe(true);
  expect(isLink(" WEB+TEST:payee")).toBe(true);
  expect(isLink("test:payee?amount=1")).toBe(true);
  expect(isLink("test:payee")).toBe(false);
});
