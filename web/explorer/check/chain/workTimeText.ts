/** Text of work as time of a whole network. */
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";

/** Units of work, the largest first: each from twice itself on, so that rounding down loses less than half. */
const UNITS = [
  { unit: "day", ms: 86_400_000n },
  { unit: "hour", ms: 3_600_000n },
  { unit: "minute", ms: 60_000n },
  { unit: "second", ms: 1_000n },
] as const;

/** Whole units, rounded down. */
export function workTimeText(ms: bigint, locale: PageLocale): string {
  const { unit, ms: each } = UNITS.find((one) => ms >= 2n * one.ms) ?? UNITS[3];
  const form = { style: "unit", unit, unitDisplay: "long" } as const;
  return new Intl.NumberFormat(locale, form).format(ms / each);
}
