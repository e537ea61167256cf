/** The day's close as CSV (RFC 4180): a line for each sale, the one begun first first. Amounts are decimal text, and no field is a formula. */
import { writeCsv } from "../../base/csv.ts";
import { formatCoins } from "../../base/money.ts";
import type { DayClose } from "./dayClose.ts";
import type { Sale } from "./saleRecordOf.ts";
import { localTime } from "./tillDay.ts";

const HEAD = [
  ...["time", "time_zone", "till", "sale", "state"],
  ...["currency", "price", "tip", "rate", "rate_source", "rate_time"],
  ...["amount_coins", "tip_coins", "paid_coins", "overpaid_coins"],
] as const;

/** Writes it. Price and amount have the tip in them. */
export function dayCloseCsv({ till, timeZone, sales }: DayClose): string {
  const lines = sales
    .toReversed()
    .map((sale) => [
      localTime(sale.createdAt, timeZone),
      timeZone,
      till,
      sale.id,
      sale.status,
      ...priceFields(sale, timeZone),
      formatCoins(BigInt(sale.amountSompi)),
      formatCoins(BigInt(sale.tipSompi)),
      formatCoins(BigInt(sale.paidSompi)),
      formatCoins(BigInt(sale.overpaidSompi)),
    ]);
  return writeCsv([HEAD, ...lines]);
}

function priceFields({ price }: Sale, timeZone: string): readonly string[] {
  if (price === null) return ["", "", "", "", "", ""];
  const { currency, value, tip, rate, source, time } = price;
  return [currency, value, tip, rate, source, localTime(time, timeZone)];
}
