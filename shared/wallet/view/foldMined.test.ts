import { describe, expect, it } from "vitest";
import { asSompi, asTimestampMs, asTxId } from "../../base/brand.ts";
import { foldMined } from "./foldMined.ts";
import type { HistoryView } from "./history.ts";

const DAY = 86_400_000n;
const dayOf = (ms: bigint) => String(ms / DAY);

function row(id: string, change: Partial<HistoryView> = {}): HistoryView {
  return {
    id,
    kind: "mined",
    state: "settled",
    txid: asTxId("ab".repeat(32)),
    paymentId: null,
    paymentStatus: null,
    removable: false,
    rival: null,
    amount: asSompi(57n),
    fee: null,
    counterparty: null,
    memo: { kind: "empty" },
    memoKnown: true,
    addressIndex: 0,
    timestamp: asTimestampMs(9n * DAY),
    chainIndex: null,
    confirmations: 0n,
    backing: null,
    ...change,
  };
}

const at = (days: bigint) => ({ timestamp: asTimestampMs(days * DAY) });

describe("mined rows", () => {
  it("U3: of a day become one line with their number and sum, where the newest stood", () => {
    const rows = [
      row("sent", { kind: "sent" }),
      row("c", { state: "arriving", timestamp: asTimestampMs(9n * DAY + 5n) }),
      row("received", { kind: "received" }),
      row("b"),
      row("a"),
      row("alone", at(8n)),
    ];
    const { lines, total } = foldMined(rows, dayOf, 50);
    expect(lines.map(({ id }) => id)).toEqual(["sent", "mined 9", "received", "alone"]);
    expect(total).toBe(4);
    expect(lines[1]).toEqual({
      id: "mined 9",
      kind: "mined-day",
      blocks: 3,
      amount: 171n,
      timestamp: 9n * DAY + 5n,
      settled: false,
    });
  });

  it("leave no payment out of a short list, and are counted to their end", () => {
    const day = Array.from({ length: 8_640 }, (_, at) => row(`m${at}`));
    const rows = [...day, row("received", { kind: "received" }), row("old", at(1n))];
    const { lines, total } = foldMined(rows, dayOf, 2);
    expect(lines.map(({ id }) => id)).toEqual(["mined 9", "received"]);
    expect(lines[0]).toMatchObject({ blocks: 8_640, amount: 8_640n * 57n });
    expect(total).toBe(3);
  });

  it("without a time of their own stay rows", () => {
    const rows = [row("a", { timestamp: null }), row("b", { timestamp: null })];
    expect(foldMined(rows, dayOf, 9).lines).toEqual(rows);
  });
});
