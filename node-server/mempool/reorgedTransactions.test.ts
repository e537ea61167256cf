import { expect, test } from "vitest";
import { asDaaScore, asTxId } from "@svc/shared/base/brand.ts";
import { RecentlyApplied } from "./recentlyApplied.ts";
import { ReorgedTransactions } from "./reorgedTransactions.ts";

const id = (n: number) => asTxId(n.toString(16).padStart(64, "0"));
const raw = new Uint8Array(1);

test("a returning transaction is tried for its span, the oldest gives way", () => {
  const returning = new ReorgedTransactions(60n, 3);
  for (let n = 1; n <= 4; n += 1) returning.add(id(n), raw);
  expect(returning.due(10n).map(({ txid }) => txid)).toEqual([id(2), id(3), id(4)]);
  returning.delete(id(3));
  expect(returning.due(20n).map(({ txid }) => txid)).toEqual([id(2), id(4)]);
  returning.add(id(4), raw);
  expect(returning.due(70n).map(({ txid }) => txid)).toEqual([id(2), id(4)]);
  expect(returning.due(71n).map(({ txid }) => txid)).toEqual([id(4)]);
  expect(returning.due(131n)).toEqual([]);
  expect(returning.size).toBe(0);
});

test("an applied transaction is remembered for its span and within the bound", () => {
  const memory = new RecentlyApplied(120n, 3);
  for (let n = 1; n <= 4; n += 1) memory.add(id(n), asDaaScore(BigInt(n)));
  expect([1, 2, 3, 4].map((n) => memory.has(id(n)))).toEqual([false, true, true, true]);
  memory.expire(asDaaScore(123n));
  expect([2, 3, 4].map((n) => memory.has(id(n)))).toEqual([false, true, true]);
  memory.delete(id(4));
  expect(memory.size).toBe(1);
});
