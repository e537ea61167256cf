import { describe, expect, it } from "vitest";
import {
  asAddressText,
  asChainIndex,
  asSompi,
  asTimestampMs,
  asTxId,
  type Sompi,
  type TimestampMs,
} from "../../base/brand.ts";
import { readCsv } from "../../base/csv.ts";
import type { HistoryView } from "./history.ts";
import { historyCsv, historyJson } from "./historyFile.ts";

const BOUNDS = { records: 10, fields: 20, chars: 1_000 };
const FACTS = { network: "svc-simnet", through: { chainIndex: 77n, timestamp: 1_000n } };

const SENT: HistoryView = {
  id: "a",
  kind: "sent",
  state: "settled",
  txid: asTxId("ab".repeat(32)),
  paymentId: "p",
  paymentStatus: null,
  removable: false,
  rival: null,
  amount: asSompi(1_234_567_890_123_456_789n),
  fee: asSompi(1_855_400n),
  counterparty: "svcsim:payee",
  label: "the flat, half of it",
  memo: { kind: "text", text: 'rent, "March"\nand more' },
  memoKnown: true,
  addressIndex: null,
  timestamp: asTimestampMs(1_700_000_000_123n),
  chainIndex: asChainIndex(42n),
  confirmations: 9n,
  backing: null,
};
const RECEIVED: HistoryView = {
  ...SENT,
  kind: "received",
  state: "waiting",
  amount: asSompi(1n) satisfies Sompi,
  fee: null,
  counterparty: null,
  memo: { kind: "bytes", hex: "f5ff" },
  addressIndex: 3,
  label: "=1+1",
  addressLabel: "Shop",
  timestamp: null,
  chainIndex: null,
};

/** A payment to two, of 3 sompi together. */
const SHARED: HistoryView = {
  ...SENT,
  amount: asSompi(3n),
  payees: [
    { address: asAddressText("svcsim:payee"), value: asSompi(1n), memo: SENT.memo },
    { address: asAddressText("svcsim:other"), value: asSompi(2n), memo: { kind: "empty" } },
  ],
};

/** The cells of a CSV file by the names of its header. */
function cells(text: string): readonly Readonly<Record<string, string>>[] {
  const [header, ...records] = readCsv(text, BOUNDS);
  return records.map(({ fields }) =>
    Object.fromEntries((header?.fields ?? []).map((name, index) => [name, fields[index] ?? ""])),
  );
}

describe("the history as CSV", () => {
  it("has a line for each row, every digit of its amounts, and what is not known left empty", () => {
    expect(cells(historyCsv([SENT, RECEIVED]))).toEqual([
      {
        kind: "sent",
        state: "settled",
        amount: "12345678901.23456789",
        fee: "0.018554",
        time_utc: "2023-11-14T22:13:20.123Z",
        chain_block: "42",
        to: "svcsim:payee",
        memo: 'rent, "March"\nand more',
        memo_hex: "",
        own_address: "",
        txid: "ab".repeat(32),
        remark: "the flat, half of it",
        own_address_name: "",
      },
      {
        kind: "received",
        state: "waiting",
        amount: "0.00000001",
        fee: "",
        time_utc: "",
        chain_block: "",
        to: "",
        memo: "",
        memo_hex: "f5ff",
        own_address: "3",
        txid: "ab".repeat(32),
        remark: "'=1+1",
        own_address_name: "Shop",
      },
    ]);
  });

  it("hands no memo of a stranger to a spreadsheet as a formula", () => {
    const memo = { kind: "text", text: '=HYPERLINK("https://evil.example","Refund")' } as const;
    const [row] = cells(historyCsv([{ ...RECEIVED, memo }]));
    expect(row?.["memo"]).toBe(`'${memo.text}`);
  });
});

describe("the history as JSON", () => {
  it("has a version, how far it reaches, and money as decimal strings", () => {
    expect(JSON.parse(historyJson([SENT, RECEIVED], FACTS))).toMatchObject({
      version: 1,
      network: "svc-simnet",
      through: { chainIndex: "77", time: "1970-01-01T00:00:01.000Z" },
      rows: [
        {
          kind: "sent",
          amountSompi: "1234567890123456789",
          feeSompi: "1855400",
          time: "2023-11-14T22:13:20.123Z",
          chainIndex: "42",
          memo: { kind: "text", text: 'rent, "March"\nand more' },
          remark: "the flat, half of it",
          ownAddressName: null,
        },
        {
          kind: "received",
          feeSompi: null,
          time: null,
          memo: { kind: "bytes", hex: "f5ff" },
          remark: "=1+1",
          ownAddressName: "Shop",
        },
      ],
    });
  });

  it("lists the payees of a payment to several, and CSV has all their addresses", () => {
    const { rows } = JSON.parse(historyJson([SHARED, SENT], FACTS));
    expect(rows[0].payees).toEqual([
      { to: "svcsim:payee", amountSompi: "1", memo: SENT.memo },
      { to: "svcsim:other", amountSompi: "2", memo: { kind: "empty" } },
    ]);
    expect(rows[1].payees).toBeUndefined();
    expect(cells(historyCsv([SHARED]))[0]?.["to"]).toBe("svcsim:payee svcsim:other");
  });

  it("tells a memo that is not known from an empty one", () => {
    const rows = [
      { ...RECEIVED, memo: { kind: "empty" } as const, memoKnown: false },
      { ...RECEIVED, memo: { kind: "empty" } as const },
    ];
    const { rows: told } = JSON.parse(historyJson(rows, FACTS));
    expect(told.map(({ memo }: { memo: unknown }) => memo)).toEqual([null, { kind: "empty" }]);
  });

  it("is made, too, where a block's time is no date", () => {
    const timestamp = (2n ** 63n) as TimestampMs;
    expect(JSON.parse(historyJson([{ ...SENT, timestamp }], FACTS)).rows[0].time).toBeNull();
  });
});
