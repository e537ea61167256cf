import { expect, test } from "vitest";
import { asSompi } from "@svc/shared/base/brand.ts";
import { howTexts, type HowPaid } from "./howTexts.ts";

const COIN = 100_000_000n;
const one: HowPaid = {
  notes: 1,
  change: asSompi(1_234n * COIN),
  changeSeconds: 600n,
  transactions: 1,
  repeats: [],
  shares: true,
};

test("a note that is larger gives change, and the review says when it can be spent", () => {
  expect(howTexts(one)).toEqual([
    "Your coins lie in notes, and a note is spent whole. The smallest one that is enough is spent.",
    "1,234 coins come back to you as change. They can be spent again after 10 minutes.",
  ]);
});

test("a note of the exact sum leaves nothing", () => {
  const texts = howTexts({ ...one, change: asSompi(0n) });
  expect(texts[0]).toContain("exactly the sum");
  expect(texts[1]).toBe("Nothing comes back as change.");
});

test("several transactions are said, and that they are confirmed once", () => {
  const texts = howTexts({ ...one, notes: 200, transactions: 6 });
  expect(texts[0]).toContain("200 are spent, the largest first");
  expect(texts[2]).toContain("takes 6, sent one after the other. You confirm it once");
});

test("notes of an earlier payment are shared with it", () => {
  const repeats = [{ txid: null, state: "mempool" }] as const;
  expect(howTexts({ ...one, notes: 2, repeats })[0]).toContain("only one of them can go through");
});
