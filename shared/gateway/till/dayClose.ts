/** The day's close of a till: its own sales, and their totals by state. */
import { decimalText, readDecimal, sumOf } from "./decimals.ts";
import { SvcError } from "../../base/svcError.ts";
import { INVOICE_STATUSES, type InvoiceStatus } from "../../protocol/gateway/invoiceRecord.ts";
import { MERCHANT_LIMITS } from "../../protocol/merchantLimits.ts";
import type { InvoicePort } from "../gatewayPorts.ts";
import { seconds, type RecordPlace } from "../invoiceRecordOf.ts";
import { dayOrder } from "./saleOrder.ts";
import { saleRecordOf, type Sale } from "./saleRecordOf.ts";
import { dayBefore, dayOf } from "./tillDay.ts";
import type { Till } from "./tillPort.ts";

/** Sums of the sales that are in one state. */
export type SaleTotal = {
  readonly status: InvoiceStatus;
  readonly count: number;
  readonly amountSompi: string;
  readonly tipSompi: string;
  readonly paidSompi: string;
  readonly prices: readonly PriceTotal[];
};

type PriceTotal = { readonly currency: string; readonly value: string; readonly tip: string };

/** The close of a day. */
export type DayClose = {
  readonly till: string;
  readonly day: string;
  readonly timeZone: string;
  readonly complete: boolean;
  readonly totals: readonly SaleTotal[];
  readonly sales: readonly Sale[];
  readonly serverTime: number;
};

/** Makes it. Null is the present day. Rejects with `api/bad-field` for a day that is neither the present one nor the one before. */
export async function dayClose(
  till: Till,
  wanted: string | null,
  {
    invoices,
    place,
  }: { readonly invoices: Pick<InvoicePort, "list">; readonly place: RecordPlace },
): Promise<DayClose> {
  const today = dayOf(seconds(place.nowMs), till.timeZone);
  const day = wanted ?? today;
  if (day !== today && day !== dayBefore(today)) {
    const expected = `${today} or the day before`;
    throw new SvcError("api/bad-field", { field: "day", expected });
  }
  const filter = {
    orderIds: [dayOrder(till.name, day)],
    ...{ statuses: [], text: null, fromMs: null, toMs: null, withArchived: true },
  };
  const sales: Sale[] = [];
  let cursor: string | null = null;
  do {
    const room = Math.min(MERCHANT_LIMITS.rowsMax, MERCHANT_LIMITS.daySalesMax - sales.length);
    const page = await invoices.list(till.merchant.id, filter, cursor, room);
    sales.push(...page.rows.map((invoice) => saleRecordOf(invoice, place.nowMs)));
    cursor = page.next;
  } while (cursor !== null && sales.length < MERCHANT_LIMITS.daySalesMax);
  return {
    till: till.name,
    day,
    timeZone: till.timeZone,
    complete: cursor === null,
    totals: totalsOf(sales),
    sales,
    serverTime: seconds(place.nowMs),
  };
}

/** Totals by state, in the order of the states; none of a state that no sale is in. */
export function totalsOf(sales: readonly Sale[]): readonly SaleTotal[] {
  return INVOICE_STATUSES.flatMap((status) => {
    const own = sales.filter((sale) => sale.status === status);
    if (own.length === 0) return [];
    return [
      {
        status,
        count: own.length,
        amountSompi: sum(own, "amountSompi"),
        tipSompi: sum(own, "tipSompi"),
        paidSompi: sum(own, "paidSompi"),
        prices: pricesOf(own),
      },
    ];
  });
}

function sum(sales: readonly Sale[], of: "amountSompi" | "tipSompi" | "paidSompi"): string {
  return String(sales.reduce((all, sale) => all + BigInt(sale[of]), 0n));
}

function pricesOf(sales: readonly Sale[]): readonly PriceTotal[] {
  const sums = new Map<string, PriceTotal>();
  for (const { price } of sales) {
    if (price === null) continue;
    const { currency, value, tip } = price;
    const before = sums.get(currency) ?? { currency, value: "0", tip: "0" };
    sums.set(currency, {
      currency,
      value: added(before.value, value),
      tip: added(before.tip, tip),
    });
  }
  return [...sums.values()];
}

function added(a: string, b: string): string {
  const nothing = { digits: 0n, scale: 0 };
  return decimalText(sumOf(readDecimal(a) ?? nothing, readDecimal(b) ?? nothing));
}
