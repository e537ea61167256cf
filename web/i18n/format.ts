/** Formatters for amounts, dates and durations. Money stays a bigint to the last step. */
import { SOMPI_PER_COIN } from "@svc/shared/base/money.ts";
import { groupedCoins } from "./amounts/groupedCoins.ts";
import { locale, numbers } from "./language.ts";
import { numberSigns } from "./amounts/numberSigns.ts";
import { t } from "./translate.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** An amount in two parts, so that the fraction can be set smaller. */
export type AmountParts = { readonly whole: string; readonly fraction: string };

/** Splits an amount of smallest units: grouped coins, and the decimals with their sign. */
export function amountParts(sompi: bigint): AmountParts {
  const { decimal } = numberSigns(numbers());
  const [whole = "0", fraction] = groupedCoins(sompi < 0n ? -sompi : sompi, numbers()).split(
    decimal,
  );
  const sign = sompi < 0n ? "−" : "";
  return { whole: sign + whole, fraction: fraction === undefined ? "" : decimal + fraction };
}

/** An amount with its unit, for sentences. */
export function amountText(sompi: bigint): string {
  const { whole, fraction } = amountParts(sompi);
  return t("amount.withUnit", { amount: whole + fraction, unit: unitText(sompi) });
}

/** The name of the unit beside this amount. */
export function unitText(sompi: bigint): string {
  return t(sompi === SOMPI_PER_COIN ? "amount.unitOne" : "amount.unit");
}

/** A whole number, grouped. */
export function countText(value: bigint | number): string {
  return new Intl.NumberFormat(numbers()).format(value);
}

/** A share of a thousand, in percent with one decimal. */
export function permilleText(permille: number): string {
  const form = new Intl.NumberFormat(numbers(), { style: "percent", minimumFractionDigits: 1 });
  return form.format(permille / 1_000);
}

/** How long something lasts, in one or two units. */
export function durationText(seconds: number | bigint): string {
  const whole = Math.max(0, Math.round(Number(seconds)));
  if (whole < MINUTE) return t("time.seconds", { count: whole });
  if (whole < HOUR) {
    const rest = whole % MINUTE;
    const minutes = Math.floor(whole / MINUTE);
    return minutes < 10 && rest > 0
      ? t("time.minutesSeconds", { minutes, seconds: rest })
      : t("time.minutes", { count: minutes });
  }
  if (whole < 2 * DAY) return t("time.hours", { count: Math.round(whole / HOUR) });
  return t("time.days", { count: Math.round(whole / DAY) });
}

/** Milliseconds of each unit of work's time, longest first, with the count from which it is used. */
const WORK_UNITS = [
  { key: "work.days", ms: 86_400_000n, from: 2n },
  { key: "work.hours", ms: 3_600_000n, from: 1n },
  { key: "work.minutes", ms: 60_000n, from: 1n },
] as const;

/** How long the whole network worked, in one unit, rounded down: "about 17 minutes". */
export function workTimeText(ms: bigint): string {
  const unit = WORK_UNITS.find((each) => ms / each.ms >= each.from);
  return unit === undefined
    ? t("work.seconds", { count: ms / 1_000n })
    : t(unit.key, { count: ms / unit.ms });
}

/** The time of day, with its date where that is not today's. */
export function momentText(ms: bigint | number, nowMs: number): string {
  const moment = new Date(Number(ms));
  if (moment.toDateString() !== new Date(nowMs).toDateString()) return dateText(ms);
  return new Intl.DateTimeFormat(locale(), { timeStyle: "short" }).format(moment);
}

/** How long ago within an hour, else the time of day: beside the name of the day. */
export function agoText(ms: bigint | number, nowMs: number): string {
  const minutes = Math.floor((nowMs - Number(ms)) / (MINUTE * 1_000));
  if (minutes === 0) return t("ago.now");
  if (minutes > 0 && minutes < 60) return t("ago.minutes", { count: minutes });
  return new Intl.DateTimeFormat(locale(), { timeStyle: "short" }).format(Number(ms));
}

/** The name of a day: today, yesterday, or its date. */
export function dayText(ms: bigint | number, nowMs: number): string {
  const day = new Date(Number(ms)).toDateString();
  const before = new Date(nowMs);
  if (day === before.toDateString()) return t("day.today");
  before.setDate(before.getDate() - 1);
  if (day === before.toDateString()) return t("day.yesterday");
  return new Intl.DateTimeFormat(locale(), { dateStyle: "full" }).format(Number(ms));
}

/** Date and time of day. */
export function dateText(ms: bigint | number): string {
  const form = new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" });
  return form.format(Number(ms));
}

/** The beginning and the end of a long identity. */
export function shortId(text: string, ends = 6): string {
  return text.length <= ends * 2 + 1 ? text : `${text.slice(0, ends)}…${text.slice(-ends)}`;
}

/** An address: its prefix and both ends of its data. */
export function shortAddress(text: string): string {
  const colon = text.indexOf(":");
  return `${text.slice(0, colon + 1)}${shortId(text.slice(colon + 1), 8)}`;
}
