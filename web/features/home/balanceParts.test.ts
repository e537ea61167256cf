import { asChainIndex, asSompi, asTimestampMs } from "@svc/shared/base/brand.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { expect, test } from "vitest";
import { asOfText, balanceParts, isEmpty, isOld } from "./balanceParts.ts";

const COIN = 100_000_000n;
const coins = (count: bigint) => asSompi(count * COIN);
const none = coins(0n);
const ready = { phase: "ready" } as const;
const balances = {
  total: coins(10n),
  spendable: coins(10n),
  maturing: none,
  returning: none,
  pendingIn: none,
  pendingOut: none,
};

test("a quiet wallet says that nothing waits", () => {
  const parts = balanceParts({ balances, maturing: [], noteCount: 3, status: ready });
  expect(parts.map(({ value }) => value)).toEqual([coins(10n), 0n, 0n]);
  expect(parts.map(({ hint }) => hint)).toEqual([
    "In 3 notes",
    "Nothing waits",
    "Nothing under way",
  ]);
});

test("a payment under way shows what leaves and what comes back", () => {
  const moving = { ...balances, spendable: none, returning: coins(7n), pendingOut: coins(3n) };
  const pending = balanceParts({ balances: moving, maturing: [], noteCount: 1, status: ready })[2];
  expect(pending?.value).toBe(coins(7n));
  expect(pending?.hint).toBe("3 coins going out, 7 coins in change");
});

test("the countdown is that of the note which is next", () => {
  const maturing = [
    { amount: coins(1n), blocksLeft: 4n, secondsLeft: 4n },
    { amount: coins(5n), blocksLeft: 90n, secondsLeft: 90n },
  ];
  const part = balanceParts({
    balances: { ...balances, maturing: coins(6n) },
    maturing,
    noteCount: 2,
    status: ready,
  })[1];
  expect(part?.value).toBe(coins(6n));
  expect(part?.hint).toBe("Next in about 4 seconds");
});

test("B13: no countdown runs while no block can arrive", () => {
  const maturing = [{ amount: coins(1n), blocksLeft: 4n, secondsLeft: 4n }];
  const away = { phase: "offline" } as const;
  const part = balanceParts({ balances, maturing, noteCount: 1, status: away })[1];
  expect(part?.hint).toBe("Waits for the node");
});

test("a chain that stands still is shown with the time of its last block", () => {
  const asOf = { chainIndex: asChainIndex(5n), timestamp: asTimestampMs(1_000n) };
  const fresh = 1_000 + PAGE_LIMITS.walletStaleMs;
  expect(isOld({ asOf, status: ready }, fresh)).toBe(false);
  expect(isOld({ asOf, status: ready }, fresh + 1)).toBe(true);
  expect(isOld({ asOf, status: { phase: "offline" } }, fresh)).toBe(true);
  const unknown = { ...asOf, timestamp: asTimestampMs(0n) };
  expect(isOld({ asOf: unknown, status: { phase: "offline" } }, fresh + 1)).toBe(false);
});

test("U4: a wallet that nobody has paid has no parts to tell apart", () => {
  const nothing = { ...balances, total: none, spendable: none };
  expect(isEmpty({ historyLength: 0, balances: nothing })).toBe(true);
  expect(isEmpty({ historyLength: 0, balances: { ...nothing, pendingIn: coins(1n) } })).toBe(false);
  expect(isEmpty({ historyLength: 1, balances: nothing })).toBe(false);
});

test("the time of balances is told with its age while no node answers", () => {
  const asOf = { chainIndex: asChainIndex(5n), timestamp: asTimestampMs(1_000_000n) };
  const text = (phase: "offline" | "catching-up") =>
    asOfText({ asOf, status: { phase } }, 4_600_000);
  expect(text("offline")).toMatch(/^Last known, as of .+, 1 hour ago$/);
  expect(text("catching-up")).toMatch(/^As of /);
});
