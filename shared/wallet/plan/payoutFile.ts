/**
 * Reads a batch of payouts: a file of CSV or JSON whose every row is checked before any of it is paid.
 *
 * CSV has a header with the columns `to`, then `amount` (coins in plain decimal) or `amount_sompi`, and as one likes `memo` and
 * `reference`, in any order. JSON is a list of objects with the fields `to`, `amount` or `amountSompi`, `memo`, `reference`, all of
 * them texts. A reference names a payout to whoever wrote the file; none comes twice.
 */
import * as v from "valibot";
import { asAddressText, asRawAddress, asSompi, parseU64, type Sompi } from "../../base/brand.ts";
import { readCsv, type CsvRecord } from "../../base/csv.ts";
import { encodeHex } from "../../base/hex.ts";
import { MAX_SOMPI, parseCoins } from "../../base/money.ts";
import { SvcError, type ErrorJson } from "../../base/svcError.ts";
import { encodeMemo } from "../state/memo.ts";
import type { Payee } from "../state/payment.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { lowerCaseAddress, type AddressBook } from "./payee.ts";

/** Forms of a file. */
export type PayoutFormat = "csv" | "json";

/** A payout. */
export type PayoutRow = {
  /** Line of the file, or place in the list, from 1. */
  readonly line: number;
  readonly reference: string | null;
  readonly payee: Payee;
};

/** A checked batch, not empty. */
export type PayoutBatch = {
  readonly rows: readonly PayoutRow[];
  /** What the payees get together. */
  readonly total: Sompi;
};

/** What is wrong with a row. */
export type PayoutFault = { readonly line: number; readonly error: ErrorJson };

/** The result of reading: the batch if nothing is wrong, else the first faults. */
export type PayoutReading = {
  readonly batch: PayoutBatch | null;
  readonly faults: readonly PayoutFault[];
};

type Texts = {
  readonly line: number;
  readonly to: string;
  readonly amount: string | null;
  readonly amountSompi: string | null;
  readonly memo: string;
  readonly reference: string;
};

const COLUMNS = ["to", "amount", "amount_sompi", "memo", "reference"] as const;
type Column = (typeof COLUMNS)[number];

const jsonRows = v.array(v.unknown());
const jsonRow = v.strictObject({
  to: v.string(),
  amount: v.optional(v.string()),
  amountSompi: v.optional(v.string()),
  memo: v.optional(v.string(), ""),
  reference: v.optional(v.string(), ""),
});

/**
 * Reads a file. Faults of single rows are collected, as many as `payoutFaults`; throws `wallet/bad-payout-file` where the file
 * as a whole is none, `codec/count-too-large` for too many bytes.
 */
export function readPayouts(
  bytes: Uint8Array,
  format: PayoutFormat,
  book: AddressBook,
): PayoutReading {
  const max = WALLET_LIMITS.payoutBytes;
  if (bytes.length > max) throw new SvcError("codec/count-too-large", { count: bytes.length, max });
  const text = textOf(bytes);
  const faults: PayoutFault[] = [];
  const texts = format === "csv" ? csvTexts(text) : jsonTexts(text, faults);
  if (texts.length === 0 && faults.length === 0) throw badFile(1, "it has no payouts");
  const rows = checkedRows(texts, book, faults);
  const total = rows.reduce((sum, { payee }) => sum + payee.value, 0n);
  if (total > MAX_SOMPI) throw badFile(1, "it pays more coins than there are");
  if (faults.length > 0)
    return { batch: null, faults: faults.slice(0, WALLET_LIMITS.payoutFaults) };
  return { batch: { rows, total: asSompi(total) }, faults };
}

function checkedRows(
  texts: readonly Texts[],
  book: AddressBook,
  faults: PayoutFault[],
): readonly PayoutRow[] {
  const lines = new Map<string, number>();
  return texts.flatMap((row): PayoutRow[] => {
    const { line, reference } = row;
    try {
      const first = lines.get(reference);
      if (first !== undefined) throw new SvcError("wallet/payout-twice", { line: first });
      if (reference !== "") lines.set(reference, line);
      if (reference.length > WALLET_LIMITS.payoutReferenceChars) {
        throw badFile(line, "the reference is too long");
      }
      return [{ line, reference: reference === "" ? null : reference, payee: payeeOf(row, book) }];
    } catch (error) {
      faults.push({ line, error: SvcError.from(error).toJSON() });
      return [];
    }
  });
}

function payeeOf(row: Texts, book: AddressBook): Payee {
  const address = lowerCaseAddress(row.to.trim());
  const recipient = asRawAddress(encodeHex(book.decodeAddress(book.hrp, address)));
  return {
    address: asAddressText(address),
    recipient,
    value: amountOf(row),
    memo: encodeMemo(row.memo),
    own: book.isOwn(recipient),
  };
}

function amountOf({ line, amount, amountSompi }: Texts): Sompi {
  if ((amount === null) === (amountSompi === null)) {
    throw badFile(line, "it needs one amount, in coins or in sompi");
  }
  if (amount !== null) return parseCoins(amount);
  const sompi = parseU64((amountSompi ?? "").trim());
  if (sompi === 0n) throw new SvcError("amount/zero", {});
  return asSompi(sompi);
}

function csvTexts(text: string): readonly Texts[] {
  const [header, ...records] = csvRecords(text);
  if (header === undefined) throw badFile(1, "it is empty");
  const places = columnPlaces(header);
  return records.map(({ line, fields }): Texts => {
    if (fields.length !== header.fields.length) {
      throw badFile(line, `${fields.length} fields under ${header.fields.length} columns`);
    }
    const at = (column: Column): string | null => {
      const place = places.get(column);
      return place === undefined ? null : (fields[place] ?? "");
    };
    const [amount, amountSompi] = [filled(at("amount")), filled(at("amount_sompi"))];
    const [memo, reference] = [at("memo") ?? "", at("reference") ?? ""];
    return { line, to: at("to") ?? "", amount, amountSompi, memo, reference };
  });
}

function csvRecords(text: string): readonly CsvRecord[] {
  const { payoutRows, payoutFieldChars } = WALLET_LIMITS;
  const bounds = { records: payoutRows + 1, fields: COLUMNS.length, chars: payoutFieldChars };
  try {
    return readCsv(text, bounds);
  } catch (error) {
    if (!SvcError.is(error, "codec/bad-csv")) throw error;
    throw badFile(Number(error.data["line"]), error.data["reason"] ?? "", error);
  }
}

function columnPlaces({ line, fields }: CsvRecord): ReadonlyMap<Column, number> {
  const places = new Map<Column, number>();
  for (const [place, name] of fields.entries()) {
    const column = COLUMNS.find((known) => known === name.trim().toLowerCase());
    if (column === undefined)
      throw badFile(
        line,
        "its header has another column than to, amount, amount_sompi, memo, reference",
      );
    if (places.has(column)) throw badFile(line, `its header has the column ${column} twice`);
    places.set(column, place);
  }
  if (!places.has("to")) throw badFile(line, "its header lacks the column to");
  return places;
}

/** An empty field is none: both columns of amounts may be there. */
function filled(field: string | null): string | null {
  return field === null || field.trim() === "" ? null : field;
}

function jsonTexts(text: string, faults: PayoutFault[]): readonly Texts[] {
  const rows = jsonList(text);
  if (rows.length > WALLET_LIMITS.payoutRows) {
    throw badFile(WALLET_LIMITS.payoutRows + 1, `more than ${WALLET_LIMITS.payoutRows} payouts`);
  }
  return rows.flatMap((row, place): Texts[] => {
    const line = place + 1;
    const result = v.safeParse(jsonRow, row);
    if (!result.success) {
      const reason = `field ${v.getDotPath(result.issues[0]) ?? "none"}`;
      faults.push({ line, error: badFile(line, reason).toJSON() });
      return [];
    }
    const { amount = null, amountSompi = null, ...rest } = result.output;
    return [{ ...rest, line, amount, amountSompi }];
  });
}

function jsonList(text: string): readonly unknown[] {
  try {
    return v.parse(jsonRows, JSON.parse(text));
  } catch (error) {
    throw badFile(1, "it is no list of payouts", error);
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw badFile(1, "it is not UTF-8", error);
  }
}

function badFile(
  line: number,
  reason: string,
  cause?: unknown,
): SvcError<"wallet/bad-payout-file"> {
  return new SvcError("wallet/bad-payout-file", { line, reason }, cause);
}
