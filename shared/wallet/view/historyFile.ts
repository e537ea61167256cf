/**
 * Files of the history, for a spreadsheet (CSV) or a program (JSON). Amounts have no sign: the kind of a line says which way the money
 * went. Nothing in them is a key, and they are not encrypted.
 */
import { writeCsv } from "../../base/csv.ts";
import { formatCoins } from "../../base/money.ts";
import type { Memo } from "../state/memo.ts";
import type { HistoryView } from "./history.ts";

/** Version of the JSON form. */
const VERSION = 1;

/** Metadata of a history file: its network, and the block to which the wallet was scanned. */
export type HistoryFileFacts = {
  /** Name of the network's profile. */
  readonly network: string;
  /** The chain block to which the wallet was scanned. */
  readonly through: { readonly chainIndex: bigint; readonly timestamp: bigint };
};

const HEADER = [
  "kind",
  "state",
  "amount",
  "fee",
  "time_utc",
  "chain_block",
  "to",
  "memo",
  "memo_hex",
  "own_address",
  "txid",
  "remark",
  "own_address_name",
];

/** RFC 4180, a header and a line for each row in their order; coins with a point, times in ISO 8601. No field is taken for a formula. */
export function historyCsv(rows: readonly HistoryView[]): string {
  return writeCsv([HEADER, ...rows.map(recordOf)]);
}

function recordOf(row: HistoryView): readonly string[] {
  return [
    row.kind,
    row.state,
    formatCoins(row.amount),
    row.fee === null ? "" : formatCoins(row.fee),
    timeOf(row) ?? "",
    row.chainIndex === null ? "" : String(row.chainIndex),
    addressesOf(row),
    row.memo.kind === "text" ? row.memo.text : "",
    row.memo.kind === "bytes" ? row.memo.hex : "",
    row.addressIndex === null ? "" : String(row.addressIndex),
    row.txid ?? "",
    row.label ?? "",
    row.addressLabel ?? "",
  ];
}

/** A document with `version`, the facts and the rows in their order; amounts in sompi and indices as decimal strings, null where a row has none. */
export function historyJson(rows: readonly HistoryView[], facts: HistoryFileFacts): string {
  const { network, through } = facts;
  const document = {
    version: VERSION,
    network,
    through: {
      chainIndex: String(through.chainIndex),
      time: isoTime(through.timestamp),
    },
    rows: rows.map((row) => ({
      kind: row.kind,
      state: row.state,
      amountSompi: String(row.amount),
      feeSompi: row.fee === null ? null : String(row.fee),
      time: timeOf(row),
      chainIndex: row.chainIndex === null ? null : String(row.chainIndex),
      to: row.counterparty,
      ...payeesOf(row),
      memo: memoOf(row),
      ownAddress: row.addressIndex,
      txid: row.txid,
      remark: row.label ?? null,
      ownAddressName: row.addressLabel ?? null,
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Of several payees all, with a space between them: the amount is that of all together. */
function addressesOf({ payees = [], counterparty }: HistoryView): string {
  return payees.length > 1 ? payees.map(({ address }) => address).join(" ") : (counterparty ?? "");
}

function payeesOf({ payees = [] }: HistoryView) {
  if (payees.length < 2) return {};
  return {
    payees: payees.map(({ address, value, memo }) => {
      return { to: address, amountSompi: String(value), memo };
    }),
  };
}

/** A memo that the wallet does not know is not an empty one. */
function memoOf({ memo, memoKnown }: HistoryView): Memo | null {
  return memoKnown ? memo : null;
}

function timeOf({ timestamp }: HistoryView): string | null {
  return timestamp === null ? null : isoTime(timestamp);
}

function isoTime(ms: bigint): string | null {
  const moment = new Date(Number(ms));
  // A block's time is its miner's word, and may be no date at all.
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}
