/** The page of a day's close: what was taken, tips apart, totals by state, and each sale. */
import type { InvoiceStatus } from "../../protocol/gateway/invoiceRecord.ts";
import { decimalText, readDecimal, sumOf } from "../till/decimals.ts";
import { filled, markup, type Markup } from "../page/markup.ts";
import { coinsText, countText, priceText } from "../page/pageNumbers.ts";
import type { DayClose, SaleTotal } from "../till/dayClose.ts";
import type { Sale } from "../till/saleRecordOf.ts";
import { dayBefore } from "../till/tillDay.ts";
import type { TillRecord } from "../till/tillRecordOf.ts";
import { posDocument, type PosFrame } from "./posDocument.ts";
import type { PosLanguage } from "./posLanguage.ts";
import { tillHeader } from "./posPage.ts";

const TAKEN: readonly InvoiceStatus[] = ["confirmed", "overpaid"];

/** Renders it. */
export function closePage(close: DayClose, till: TillRecord, frame: PosFrame): string {
  const { language } = frame;
  const { pos } = language;
  const day = dayText(close.day, language);
  const body = markup`${tillHeader(till, language, "till")}
<h1>${filled(pos.closeOf, { day })}</h1>
${till.livemode ? null : markup`<p class="notice">${pos.testNetwork}</p>`}
<div class="days">${dayLink(close, till, language)}<p class="zone">${filled(pos.zone, { zone: close.timeZone })}</p></div>
${close.complete ? null : markup`<p class="problem">${pos.notAll}</p>`}
${takings(close.totals, language)}
${close.sales.length === 0 ? markup`<p class="card">${pos.noSales}</p>` : tables(close, language)}
<p><a class="button download" href="/pos/v1/close.csv?day=${close.day}" download="${close.till}-${close.day}.csv">${pos.download}</a></p>
<p id="problem" class="problem" role="alert"></p>`;
  const title = filled(pos.closeOf, { day });
  return posDocument({ title, view: "close", data: null, body }, frame);
}

/** The day in words; a day has no time zone. */
function dayText(day: string, { tag }: PosLanguage): string {
  const form = new Intl.DateTimeFormat(tag, { dateStyle: "long", timeZone: "UTC" });
  return form.format(Date.parse(`${day}T00:00:00Z`));
}

function dayLink({ day }: DayClose, till: TillRecord, { pos }: PosLanguage): Markup {
  const [other, words] = day === till.day ? [dayBefore(day), pos.dayBefore] : [till.day, pos.today];
  return markup`<a class="button second" href="/pos/close?day=${other}">${words}</a>`;
}

/** What is confirmed: nothing else is money that was taken. */
function takings(totals: readonly SaleTotal[], language: PosLanguage): Markup {
  const { pos } = language;
  const taken = totals.filter(({ status }) => TAKEN.includes(status));
  const sum = (of: "amountSompi" | "tipSompi"): bigint =>
    taken.reduce((all, total) => all + BigInt(total[of]), 0n);
  const prices = pricesOf(taken);
  return markup`<section class="card takings">
<h2>${pos.taken}</h2>
<strong>${coinsText(sum("amountSompi"), language)}</strong>
${prices.map(({ currency, value }) => markup`<strong>${priceText({ currency, value }, language)}</strong>`)}
<p>${pos.takenText}; ${pos.ofWhichTips} ${coinsText(sum("tipSompi"), language)}${prices.map(({ currency, tip }) => markup`, ${priceText({ currency, value: tip }, language)}`)}</p>
</section>`;
}

type Price = { readonly currency: string; readonly value: string; readonly tip: string };

function pricesOf(totals: readonly SaleTotal[]): readonly Price[] {
  const sums = new Map<string, Price>();
  for (const { currency, value, tip } of totals.flatMap(({ prices }) => prices)) {
    const before = sums.get(currency) ?? { currency, value: "0", tip: "0" };
    const sum = { currency, value: added(before.value, value), tip: added(before.tip, tip) };
    sums.set(currency, sum);
  }
  return [...sums.values()];
}

function added(a: string, b: string): string {
  const nothing = { digits: 0n, scale: 0 };
  return decimalText(sumOf(readDecimal(a) ?? nothing, readDecimal(b) ?? nothing));
}

function tables(close: DayClose, language: PosLanguage): Markup {
  const { pos } = language;
  const states = close.totals.map((total) => totalRow(total, language));
  const sales = close.sales.map((sale) => saleRow(sale, close, language));
  return markup`<section class="card stack">
<h2>${pos.byState}</h2>
<table class="lines"><thead><tr><th scope="col">${pos.state}</th><th scope="col" class="sum">${pos.count}</th><th scope="col" class="sum">${pos.amount}</th><th scope="col" class="sum">${pos.tip}</th><th scope="col" class="sum">${pos.paid}</th></tr></thead>
<tbody>${states}</tbody></table>
</section>
<section class="card stack">
<h2>${pos.allSales}</h2>
<table class="lines"><thead><tr><th scope="col">${pos.time}</th><th scope="col">${pos.state}</th><th scope="col" class="sum">${pos.amount}</th><th scope="col" class="sum">${pos.tip}</th></tr></thead>
<tbody>${sales}</tbody></table>
</section>`;
}

function totalRow(total: SaleTotal, language: PosLanguage): Markup {
  const { pos } = language;
  const coins = (sompi: string): string => coinsText(BigInt(sompi), language);
  const prices = (of: "value" | "tip"): readonly Markup[] =>
    total.prices.map(
      (price) =>
        markup`<small>${priceText({ currency: price.currency, value: price[of] }, language)}</small>`,
    );
  return markup`<tr><th scope="row">${stateText(total.status, language)}</th><td class="sum" data-of="${pos.count}">${countText(total.count, language)}</td><td class="sum" data-of="${pos.amount}">${coins(total.amountSompi)}${prices("value")}</td><td class="sum" data-of="${pos.tip}">${coins(total.tipSompi)}${prices("tip")}</td><td class="sum" data-of="${pos.paid}">${coins(total.paidSompi)}</td></tr>`;
}

function saleRow(sale: Sale, { timeZone }: DayClose, language: PosLanguage): Markup {
  const { pos } = language;
  const { price } = sale;
  const coins = (sompi: string): string => coinsText(BigInt(sompi), language);
  const inCurrency = (value: string | undefined): Markup | null =>
    price === null || value === undefined
      ? null
      : markup`<small>${priceText({ currency: price.currency, value }, language)}</small>`;
  const form = new Intl.DateTimeFormat(language.tag, { timeStyle: "short", timeZone });
  const tip =
    sale.tipSompi === "0" ? markup`–` : markup`${coins(sale.tipSompi)}${inCurrency(price?.tip)}`;
  return markup`<tr><td><a href="/pos#${sale.id}">${form.format(sale.createdAt * 1_000)}</a></td><td>${stateText(sale.status, language)}</td><td class="sum" data-of="${pos.amount}">${coins(sale.amountSompi)}${inCurrency(price?.value)}</td><td class="sum" data-of="${pos.tip}">${tip}</td></tr>`;
}

function stateText(status: InvoiceStatus, { pos }: PosLanguage): string {
  return {
    new: pos.stateNew,
    partial: pos.statePartial,
    paid: pos.statePaid,
    confirmed: pos.stateConfirmed,
    overpaid: pos.stateOverpaid,
    expired: pos.stateExpired,
    paidLate: pos.statePaidLate,
  }[status];
}
