/** How much fits one payment, and what it may cost unasked. */
import { expect, test } from "vitest";
import {
  maxActionsPerTx,
  maxFeeBeforePlanning,
  maxFeeOf,
  maxPayeesPerTx,
  maxSpendsPerTx,
} from "./paymentSize.ts";

test("a transaction has 38 actions, and 37 payees beside the change", () => {
  expect([maxSpendsPerTx(), maxActionsPerTx(), maxPayeesPerTx()]).toEqual([38, 38, 37]);
});

test("the greatest fee is twice the wallet's", () => {
  expect(maxFeeBeforePlanning()).toBe(49_157_200n);
  expect(maxFeeOf(38, 1)).toBe(49_157_200n);
  expect(maxFeeOf(1, 1)).toBe(2n * 1_855_400n);
  expect(maxFeeOf(15, 1)).toBe(2n * 10_061_000n);
  expect(maxFeeOf(1, 37)).toBe(49_157_200n);
  expect(maxFeeOf(1_000, 1_000)).toBe(49_157_200n);
});
