import { describe, expect, it } from "vitest";
import { asRawAddress, asSompi, asTxId } from "../../base/brand.ts";
import { readCsv } from "../../base/csv.ts";
import { decodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import type { AddressBook } from "./payee.ts";
import { readPayouts, type PayoutFormat } from "./payoutFile.ts";
import { payoutReport } from "./payoutReport.ts";

const RAW = "0a".repeat(43);
const book: AddressBook = {
  hrp: "test",
  decodeAddress: (hrp, text) => {
    if (!text.startsWith(`${hrp}:`)) throw new SvcError("address/missing-prefix", {});
    return decodeHex(RAW);
  },
  isOwn: (recipient) => recipient === asRawAddress("0b".repeat(43)),
};

const read = (text: string, format: PayoutFormat = "csv") =>
  readPayouts(new TextEncoder().encode(text), format, book);
const faults = (text: string, format: PayoutFormat = "csv") =>
  read(text, format).faults.map(({ line, error }) => `${line} ${error.code}`);

describe("a file of payouts", () => {
  it("is read from CSV, columns in any order, amounts in coins or in sompi", () => {
    const { batch } = read(
      '\uFEFFreference,Amount,to,memo,amount_sompi\r\nr-1,0.5,test:a,"thanks, ""you""",\r\n,,TEST:B,,7\r\n',
    );
    expect(batch?.total).toBe(50_000_007n);
    expect(batch?.rows).toEqual([
      {
        line: 2,
        reference: "r-1",
        payee: {
          address: "test:a",
          recipient: RAW,
          value: 50_000_000n,
          memo: "7468616e6b732c2022796f7522",
          own: false,
        },
      },
      {
        line: 3,
        reference: null,
        payee: { address: "test:b", recipient: RAW, value: 7n, memo: "", own: false },
      },
    ]);
  });

  it("is read from JSON", () => {
    const rows = [
      { to: "test:a", amount: "1" },
      { to: "test:b", amountSompi: "7", memo: "m", reference: "r" },
    ];
    const { batch } = read(JSON.stringify(rows), "json");
    expect(
      batch?.rows.map(({ line, reference, payee }) => [line, reference, payee.value, payee.memo]),
    ).toEqual([
      [1, null, 100_000_000n, ""],
      [2, "r", 7n, "6d"],
    ]);
  });

  it("tells every row that is wrong, and then nothing is paid", () => {
    const long = "x".repeat(513);
    const text = `to,amount,memo,reference\ntest:a,1,,r\nelse:a,1,,\ntest:a,0,,\ntest:a,1e3,,\ntest:a,1,${long},\ntest:a,1,,r\ntest:a,,,\ntest:a,-1,,`;
    expect(faults(text)).toEqual([
      "3 address/missing-prefix",
      "4 amount/zero",
      "5 amount/malformed",
      "6 wallet/memo-too-long",
      "7 wallet/payout-twice",
      "8 wallet/bad-payout-file",
      "9 amount/negative",
    ]);
    expect(read(text).batch).toBeNull();
    const rows = [
      { to: "test:a", amount: 1 },
      5,
      { to: "test:a" },
      { to: "test:a", amount: "1", amountSompi: "1" },
      { to: "test:a", amount: "1", fee: "1" },
      { to: "test:a", amountSompi: "0" },
      { to: "test:a", amountSompi: "1.5" },
    ];
    expect(faults(JSON.stringify(rows), "json").toSorted()).toEqual([
      "1 wallet/bad-payout-file",
      "2 wallet/bad-payout-file",
      "3 wallet/bad-payout-file",
      "4 wallet/bad-payout-file",
      "5 wallet/bad-payout-file",
      "6 amount/zero",
      "7 codec/number-out-of-range",
    ]);
    const many = `to,amount\n${"test:a,0\n".repeat(500)}`;
    expect(read(many).faults).toHaveLength(WALLET_LIMITS.payoutFaults);
  });

  it.each([
    ["csv", "", "it is empty"],
    ["csv", "to,amount\n", "it has no payouts"],
    ["csv", "amount\n1", "lacks the column to"],
    ["csv", "to,to\na,b", "twice"],
    ["csv", "to,amount,fee\na,b,c", "another column"],
    ["csv", "to,amount\ntest:a", "1 fields under 2 columns"],
    ["csv", 'to,amount\n"test:a,1', "not closed"],
    ["csv", `to,amount\n${"a".repeat(4_097)},1`, "too long"],
    ["csv", `to,amount\n${"test:a,1\n".repeat(10_001)}`, "more than 10001 lines"],
    ["csv", "to,amount\ntest:a,29000000000\ntest:a,1", "more coins than there are"],
    ["json", "{}", "no list"],
    ["json", "[", "no list"],
    ["json", "[".repeat(100_000), "no list"],
    ["json", "[]", "no payouts"],
    ["json", JSON.stringify(Array.from({ length: 10_001 }, () => 0)), "more than 10000 payouts"],
  ] as const)("%s %# is refused as a whole", (format, text, reason) => {
    expect(() => read(text, format)).toThrow("wallet/bad-payout-file");
    expect(() => read(text, format)).toThrow(reason);
  });

  it("is refused unread when it is too long, and when it is not UTF-8", () => {
    const long = new Uint8Array(WALLET_LIMITS.payoutBytes + 1);
    expect(() => readPayouts(long, "csv", book)).toThrow("codec/count-too-large");
    expect(() => readPayouts(Uint8Array.of(0xff), "json", book)).toThrow("not UTF-8");
  });
});

describe("a report of payouts", () => {
  it("has a line for each, which no spreadsheet calculates", () => {
    const { batch } = read("to,amount,reference\ntest:a,1.5,\"=cmd|'/c calc'!A0\"\ntest:b,2,r\n");
    const [first, second] = batch?.rows ?? [];
    if (first === undefined || second === undefined) return expect.unreachable();
    const txids = [asTxId("aa".repeat(32)), asTxId("bb".repeat(32))];
    const error = { code: "wallet/cancelled", data: {} } as const;
    const report = payoutReport([
      { row: first, status: "sent", sent: asSompi(150_000_000n), txids, error: null },
      { row: second, status: "cancelled", sent: asSompi(0n), txids: [], error },
    ]);
    const records = readCsv(report, { records: 9, fields: 20, chars: 1_000 });
    expect(records.map(({ fields }) => fields)).toEqual([
      [
        "line",
        "reference",
        "to",
        "amount",
        "amount_sompi",
        "status",
        "sent_sompi",
        "txids",
        "error_code",
        "error",
      ],
      [
        "2",
        "'=cmd|'/c calc'!A0",
        "test:a",
        "1.5",
        "150000000",
        "sent",
        "150000000",
        txids.join(" "),
        "",
        "",
      ],
      [
        "3",
        "r",
        "test:b",
        "2",
        "200000000",
        "cancelled",
        "0",
        "",
        "wallet/cancelled",
        "Cancelled. Nothing was sent.",
      ],
    ]);
  });
});
