/** Amounts, prices and times as the checkout page shows them, in the form of its language. No float holds an amount. */
import { formatCoins, SOMPI_PER_COIN } from "../../base/money.ts";
import type { PageLanguage } from "./pageLanguage.ts";

/** A language's name, and what it calls coins. */
export type CoinWords = {
  readonly tag: string;
  readonly messages: { readonly coin: string; readonly coins: string };
};

/** An amount with its unit: `1,234.5 coins`. */
export function coinsText(sompi: bigint, { tag, messages }: CoinWords): string {
  const unit = sompi === SOMPI_PER_COIN ? messages.coin : messages.coins;
  return `${decimalText(formatCoins(sompi), tag)}\u00a0${unit}`;
}

/** A price of a shop; a currency that is no code of three letters stands as it is. */
export function priceText(price: Price, { tag }: Pick<CoinWords, "tag">): string {
  const [whole = "0", decimals = ""] = price.value.split(".");
  if (!/^\d+$/.test(whole)) return `${price.value} ${price.currency}`;
  const style = styleOf(price.currency, decimals.length);
  const parts = new Intl.NumberFormat(tag, style).formatToParts(BigInt(whole));
  const text = parts.map(({ type, value }) => (type === "fraction" ? decimals : value)).join("");
  return style.currency === undefined ? `${text} ${price.currency}` : text;
}

/** A moment in Unix seconds, for readers whose time zone the server does not know. */
export function timeText(seconds: number, { tag }: PageLanguage): string {
  const form = new Intl.DateTimeFormat(tag, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return `${form.format(seconds * 1_000)}\u00a0UTC`;
}

/** The same moment for programs. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}

/** A whole number, such as of confirmations. */
export function countText(count: number, { tag }: PageLanguage): string {
  return new Intl.NumberFormat(tag).format(count);
}

type Price = { readonly currency: string; readonly value: string };

function styleOf(currency: string, decimals: number): Intl.NumberFormatOptions {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return /^[A-Z]{3}$/.test(currency) ? { ...digits, style: "currency", currency } : digits;
}

function decimalText(text: string, locale: string): string {
  const [whole = "0", decimals] = text.split(".");
  const shown = new Intl.NumberFormat(locale).format(BigInt(whole));
  if (decimals === undefined) return shown;
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(0);
  const point = parts.find(({ type }) => type === "decimal")?.value ?? ".";
  return `${shown}${point}${decimals}`;
}
