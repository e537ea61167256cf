import { expect, it } from "vitest";
import { seededRandom } from "./seededRandom.ts";
import { drawnOrder } from "./drawnCases.ts";

const CASES = ["a", "b", "c", "d", "e"] as const;

it("an order has all cases once, whatever the chance", () => {
  const random = seededRandom("order");
  const orders = Array.from({ length: 50 }, () => drawnOrder(random, CASES));
  for (const order of orders) expect(order.toSorted()).toEqual(CASES);
  expect(new Set(orders.map((order) => order.join(""))).size).toBeGreaterThan(20);
  const first = { below: () => 0 };
  expect(drawnOrder(first, CASES)).toEqual(CASES);
});
