/** The price of a coin in a till's currency, with who told it and when. */
import { readDecimal, type Decimal } from "@svc/shared/gateway/till/decimals.ts";
import { priceText } from "@svc/shared/gateway/page/pageNumbers.ts";
import { objectOf, textOf } from "./objectOf.ts";
import { filledText, type Say } from "./posPart.ts";

/** A till's currency and time zone, and the newest rate. */
export type TillState = {
  /** Null for coins alone. */
  readonly currency: string | null;
  readonly timeZone: string;
  readonly rate: TillRate | null;
};

/** The price of one coin. */
export type TillRate = {
  readonly price: Decimal;
  readonly text: string;
  readonly source: string;
  /** Unix seconds. */
  readonly time: number;
  /** Too old for a sale to be made with it. */
  readonly stale: boolean;
};

/** Reads the record of a till. */
export function readTill(record: Readonly<Record<string, unknown>>): TillState {
  const { currency, timeZone } = record;
  return {
    currency: typeof currency === "string" ? currency : null,
    timeZone: typeof timeZone === "string" ? timeZone : "UTC",
    rate: rateOf(objectOf(record["rate"])),
  };
}

/** What is said of the rate: price, source and time, or why there is none. Nothing for a till that rings up in coins. */
export function rateText({ currency, timeZone, rate }: TillState, say: Say): string {
  if (currency === null) return "";
  if (rate === null) return filledText(say("noRate"), { currency });
  if (rate.stale) return filledText(say("staleRate"), { currency });
  const tag = document.documentElement.lang;
  const form = new Intl.DateTimeFormat(tag, { timeStyle: "short", timeZone });
  return filledText(say("rate"), {
    price: priceText({ currency, value: rate.text }, { tag }),
    source: rate.source,
    time: form.format(rate.time * 1_000),
  });
}

function rateOf(record: Readonly<Record<string, unknown>> | null): TillRate | null {
  const text = record?.["rate"];
  const price = typeof text === "string" ? readDecimal(text) : null;
  if (record === null || typeof text !== "string" || price === null) return null;
  const { source, time, stale } = record;
  return {
    ...{ price, text },
    source: textOf(source),
    time: Number(time),
    stale: stale !== false,
  };
}
