import { describe, expect, it } from "vitest";
import { asTimestampMs, asTxId, type TimestampMs } from "../../base/brand.ts";
import { encodeMemo } from "../state/memo.ts";
import type { HistoryRow, WalletState } from "../state/walletState.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";
import { applyFacts } from "../reduce/applyFacts.ts";
import { payeeOf, withPlanned } from "../testkit/payments.ts";
import { foldMined } from "./foldMined.ts";
import { historyHead, historyRows } from "./history.ts";
import { recentDepth } from "./recentDepth.ts";

const COIN = 100_000_000n;
const DAY_MS = 86_400_000n;
const dayOf = (ms: TimestampMs) => String(ms / DAY_MS);

/** A wallet whose history has rows of these kinds, oldest first: `m3` was mined on day 3, `r3` received then. */
function withHistory(...rows: readonly string[]): WalletState {
  const model = new ChainModel();
  model.add({ mined: [5n * COIN] });
  model.addEmpty(10);
  const state = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
  const [example] = state.history;
  if (example === undefined) throw new Error("a mined row");
  const history = rows.map((text, index): HistoryRow => {
    const time = asTimestampMs(BigInt(text.slice(1)) * DAY_MS + BigInt(index));
    const kind = text.startsWith("m") ? "mined" : "received";
    return { ...example, id: `row ${index}`, kind, timestamp: time, txid: txidOf(index) };
  });
  return { ...state, history };
}

function txidOf(index: number) {
  return asTxId(index.toString(16).padStart(64, "0"));
}

describe("how far back the newest lines reach", () => {
  it("counts a day of mining as one line, and has it whole", () => {
    const state = withHistory("r1", "m2", "m2", "m2", "r3", "m3");
    expect(recentDepth(state, 1, dayOf)).toBe(1);
    expect(recentDepth(state, 2, dayOf)).toBe(2);
    expect(recentDepth(state, 3, dayOf)).toBe(5);
    expect(recentDepth(state, 9, dayOf)).toBe(6);
  });

  it("goes on to a row of a begun day behind one that is too much", () => {
    expect(recentDepth(withHistory("m2", "m3", "r3", "m3"), 1, dayOf)).toBe(3);
  });

  it("looks at no older day, however long the history is", () => {
    let asked = 0;
    const counted = (ms: TimestampMs) => {
      asked += 1;
      return dayOf(ms);
    };
    const old = Array.from({ length: 5_000 }, () => "m1");
    expect(recentDepth(withHistory(...old, "m2", "m3"), 2, counted)).toBe(2);
    expect(asked).toBe(3);
  });

  it("is nothing without a history", () => {
    expect(recentDepth(withHistory(), 6, dayOf)).toBe(0);
  });
});

describe("the newest lines of a long history", () => {
  it("are those of the whole", () => {
    const days = Array.from({ length: 300 }, (_, index) => Math.floor(index / 25));
    const rows = days.map((day, index) => `${index % 7 === 0 ? "r" : "m"}${day}`);
    const planned = withPlanned(withHistory(...rows), TEST_POLICY, {
      id: "p",
      payees: [payeeOf(COIN, { memo: encodeMemo("rent") })],
    });
    for (const lines of [1, 2, 6, 12]) {
      const all = foldMined(historyRows(planned, TEST_POLICY, []), dayOf, lines).lines;
      const depth = recentDepth(planned, lines, dayOf);
      const head = historyHead(planned, TEST_POLICY, [], depth);
      expect(foldMined(head.rows, dayOf, lines).lines).toEqual(all);
      expect(head.length).toBe(301);
      expect(depth).toBeLessThan(300);
    }
  });
});
