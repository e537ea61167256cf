/** Writes what became of a batch of payouts as CSV: one line for each, in the order of the file. */
import type { Sompi, TxId } from "../../base/brand.ts";
import { writeCsv } from "../../base/csv.ts";
import { sentenceOf } from "../../base/errors.ts";
import { formatCoins } from "../../base/money.ts";
import type { ErrorJson } from "../../base/svcError.ts";
import type { PayoutRow } from "./payoutFile.ts";

/** What became of a payout. `part`: some of its transactions were sent, and more is missing. */
export type PayoutStatus = "waiting" | "sent" | "part" | "failed" | "cancelled";

/** A payout and what became of it. */
export type PayoutResult = {
  readonly row: PayoutRow;
  readonly status: PayoutStatus;
  /** What transactions that were sent pay of it. */
  readonly sent: Sompi;
  readonly txids: readonly TxId[];
  readonly error: ErrorJson | null;
};

const HEADER = [
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
];

/** The file; transactions of one payout stand between spaces. No field is taken for a formula. */
export function payoutReport(results: readonly PayoutResult[]): string {
  return writeCsv([HEADER, ...results.map(lineOf)]);
}

function lineOf({ row, status, sent, txids, error }: PayoutResult): readonly string[] {
  const { line, reference, payee } = row;
  return [
    String(line),
    reference ?? "",
    payee.address,
    formatCoins(payee.value),
    String(payee.value),
    status,
    String(sent),
    txids.join(" "),
    error?.code ?? "",
    error === null ? "" : sentenceOf(error),
  ];
}
