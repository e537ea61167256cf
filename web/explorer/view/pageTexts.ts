/** Texts, numbers and times of an explorer page in its language. Money stays a bigint to the last step; times are UTC, so that server and browser write the same. */
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import { groupedCoins } from "../../i18n/amounts/groupedCoins.ts";
import { fillMessage, type SlotsOf, type SlotValue } from "../../i18n/message.ts";
import type { Catalogue, TextKey } from "../texts/catalogue.ts";
import type { en } from "../texts/en.ts";

const SECOND = 1_000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PREFIXES = ["", "k", "M", "G", "T", "P", "E"] as const;
const THOUSAND = 1_000;

type Arguments<K extends TextKey> =
  SlotsOf<(typeof en)[K]> extends never
    ? []
    : [slots: { readonly [S in SlotsOf<(typeof en)[K]>]: SlotValue }];

/** Keys whose text has no slots. */
export type PlainKey = {
  [K in TextKey]: SlotsOf<(typeof en)[K]> extends never ? K : never;
}[TextKey];

/** The texts of a page. */
export type PageTexts = ReturnType<typeof pageTexts>;

/** Makes them from a catalogue. */
export function pageTexts(locale: PageLocale, catalogue: Catalogue) {
  const t = <K extends TextKey>(key: K, ...[slots]: Arguments<K>): string =>
    fillMessage(catalogue[key], slots ?? {}, locale);
  const whole = new Intl.NumberFormat(locale);
  const count = (value: number | bigint | string): string =>
    whole.format(typeof value === "number" ? finite(value) : BigInt(value));
  const decimal = (value: number, digits: number): string =>
    numberText(locale, value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const duration = (seconds: number): string =>
    durationText(t, Math.max(0, Math.round(finite(seconds))));
  return {
    locale,
    t,
    count,
    decimal,
    duration,
    /** Sompi as decimal text, with their unit. */
    coins: (sompi: string): string =>
      t("coins.amount", { amount: groupedCoins(BigInt(sompi), locale) }),
    /** A number of coins for display, as documents give the reward of a block. */
    coinNumber: (coins: number): string =>
      t("coins.amount", { amount: numberText(locale, coins, { maximumFractionDigits: 8 }) }),
    percent: (share: number): string =>
      numberText(locale, share, { style: "percent", maximumFractionDigits: 1 }),
    hashrate: (perSecond: number): string => {
      const { value, prefix } = withPrefix(perSecond);
      return `${decimal(value, value < 10 ? 2 : 1)}\u00a0${prefix}H/s`;
    },
    /** A large number in few digits. */
    compact: (value: number): string => {
      const { value: shown, prefix } = withPrefix(value);
      return prefix === ""
        ? decimal(shown, shown < 10 ? 2 : 0)
        : `${decimal(shown, 2)}\u00a0${prefix}`;
    },
    age: (thenMs: number, nowMs: number): string => {
      const seconds = Math.floor((nowMs - thenMs) / SECOND);
      return seconds < 2 ? t("time.now") : t("time.ago", { time: duration(seconds) });
    },
    dateTime: (ms: number): string =>
      `${new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" }).format(ms)}\u00a0UTC`,
    /** A whole minute. */
    minute: (ms: number): string =>
      `${new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }).format(ms)}\u00a0UTC`,
    /** The time of day without its zone, for a column whose title names it. */
    clock: (ms: number): string =>
      new Intl.DateTimeFormat(locale, {
        timeStyle: "medium",
        hourCycle: "h23",
        timeZone: "UTC",
      }).format(ms),
    timeOfDay: (ms: number): string =>
      `${new Intl.DateTimeFormat(locale, { timeStyle: "medium", timeZone: "UTC" }).format(ms)}\u00a0UTC`,
  };
}

/** The beginning and the end of a long identity. */
export function shortId(text: string, ends = 8): string {
  return text.length <= ends * 2 + 1 ? text : `${text.slice(0, ends)}…${text.slice(-ends)}`;
}

function numberText(locale: PageLocale, value: number, options: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(locale, options).format(finite(value));
}

/** The number. Throws a `RangeError` for none: a document of another form has it, and no page says "NaN". */
function finite(value: number): number {
  if (!Number.isFinite(value)) throw new RangeError("a document has no number here");
  return value;
}

type Translate = <K extends TextKey>(key: K, ...[slots]: Arguments<K>) => string;

function durationText(t: Translate, seconds: number): string {
  if (seconds < MINUTE) return t("time.seconds", { count: seconds });
  if (seconds < HOUR) return t("time.minutes", { count: Math.floor(seconds / MINUTE) });
  if (seconds < 2 * DAY) return t("time.hours", { count: Math.round(seconds / HOUR) });
  return t("time.days", { count: Math.round(seconds / DAY) });
}

function withPrefix(value: number): { readonly value: number; readonly prefix: string } {
  let [shown, at] = [value, 0];
  while (shown >= THOUSAND && at < PREFIXES.length - 1) [shown, at] = [shown / THOUSAND, at + 1];
  return { value: shown, prefix: PREFIXES[at] ?? "" };
}
