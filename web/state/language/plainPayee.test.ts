import { expect, test } from "vitest";
import { amountIn, plainPayee, shownAmount } from "./plainPayee.ts";

const typed = { address: "x:q", memo: "1.234,5" };

test("the worker gets plain decimal, and the address and the memo as they are", () => {
  const plain = plainPayee({ ...typed, amount: "26.947,655" }, "de");
  expect(plain).toEqual({ ...typed, amount: "26947.655" });
});

test("what is no amount in the language never reaches the worker, though another language has it", () => {
  expect(() => plainPayee({ ...typed, amount: "1234.567" }, "de")).toThrow("amount/malformed");
  expect(() => plainPayee({ ...typed, amount: "" }, "en")).toThrow("amount/malformed");
});

test("an amount of a link is shown in the language", () => {
  expect(shownAmount("26947.655", "de")).toBe("26947,655");
  expect(shownAmount("", "de")).toBe("");
});

test("a typed amount keeps its worth in another language, and what was none is gone", () => {
  expect(amountIn("1.234", "en", "de")).toBe("1,234");
  expect(amountIn("1.234", "de", "en")).toBe("1234");
  expect(amountIn("1.5.", "en", "de")).toBe("");
  expect(amountIn("1.5", "de", "en")).toBe("1.5");
  expect(amountIn("1234.567", "de", "en")).toBe("");
});
