/** Forms of the numbers of a chart: how its values and the places of its axis are written in a language. Times are UTC. */
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";

/** What a value is. */
export type ValueKind = "hashrate" | "number" | "rate" | "share" | "coins";
/** What the axis below is: Unix seconds, or DAA scores. */
export type AxisKind = "time" | "score";

const SECOND_MS = 1_000;
const THOUSAND = 1_000;
const PREFIXES = ["", "k", "M", "G", "T", "P", "E"] as const;
const [MINUTE_S, HOUR_S, DAY_S] = [60, 3_600, 86_400];
const UNITS = [
  ["day", DAY_S],
  ["hour", HOUR_S],
  ["minute", MINUTE_S],
] as const;
const TIME_STEPS_S: number[] = [
  ...[1, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_S),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_S),
  ...[1, 2, 7, 14, 30, 61, 91, 182].map((days) => days * DAY_S),
];
/** Longer spans are written without the time of day. */
const SHORT_SPAN = 2 * 86_400;

/** Writes a value. */
export function valueWriter(kind: ValueKind, locale: PageLocale): (value: number) => string {
  const short = new Intl.NumberFormat(locale, { maximumSignificantDigits: 4 });
  switch (kind) {
    case "hashrate":
      return (value) => `${withPrefix(value, short)}H/s`;
    case "coins":
      return (value) => withPrefix(value, short).trimEnd();
    case "number":
      return (value) => withPrefix(value, short).trimEnd();
    case "rate":
      return (value) => short.format(value);
    case "share": {
      const percent = new Intl.NumberFormat(locale, {
        style: "percent",
        maximumFractionDigits: 2,
      });
      return (value) => percent.format(value);
    }
  }
}

/** Writes a place of the axis as a whole, for a table or a sentence. */
export function placeWriter(kind: AxisKind, locale: PageLocale): (x: number) => string {
  if (kind === "score") {
    const whole = new Intl.NumberFormat(locale);
    return (x) => whole.format(x);
  }
  const form = new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return (x) => form.format(x * SECOND_MS);
}

/** Writes a place as short as a mark on an axis of this span allows. */
export function markWriter(
  kind: AxisKind,
  locale: PageLocale,
  span: number,
): (x: number) => string {
  if (kind === "score") {
    const short = new Intl.NumberFormat(locale, { maximumSignificantDigits: 4 });
    return (x) => withPrefix(x, short).trimEnd();
  }
  const form = new Intl.DateTimeFormat(locale, {
    timeZone: "UTC",
    ...(span <= SHORT_SPAN ? { timeStyle: "short" } : { day: "numeric", month: "short" }),
  });
  return (x) => form.format(x * SECOND_MS);
}

/** Distances between the marks of an axis: in time those of clocks and calendars, else what the plot chooses. */
export function markSteps(kind: AxisKind): { readonly incrs?: number[] } {
  return kind === "score" ? {} : { incrs: TIME_STEPS_S };
}

/** Writes how long something takes, in its largest whole unit. */
export function spanText(seconds: number, locale: PageLocale): string {
  const [unit, length] = UNITS.find(([, each]) => seconds % each === 0) ?? UNITS[2];
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(
    seconds / length,
  );
}

function withPrefix(value: number, form: Intl.NumberFormat): string {
  let [shown, at] = [value, 0];
  while (Math.abs(shown) >= THOUSAND && at < PREFIXES.length - 1) {
    [shown, at] = [shown / THOUSAND, at + 1];
  }
  return `${form.format(shown)}\u00a0${PREFIXES[at] ?? ""}`;
}
