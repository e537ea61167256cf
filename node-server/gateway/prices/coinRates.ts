/**
 * Prices of a coin: fixed ones of the operator, and those of a file that a program of the operator writes. A fixed price is as old as the
 * question; one of the file is as old as the file says, and too old an age makes no invoice.
 */
import { readFileSync, statSync } from "node:fs";
import * as v from "valibot";
import { asTimestampMs, type TimestampMs } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import {
  CURRENCY_FORM,
  RATE_FORM,
  type CoinRate,
  type PricePort,
} from "@svc/shared/gateway/pricePort.ts";
import { MERCHANT_LIMITS } from "@svc/shared/protocol/merchantLimits.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";

/** A fixed price: a currency, and what one coin costs in it, decimal text. */
export type FixedRate = { readonly currency: string; readonly rate: string };

/** Dependencies and settings. */
export type CoinRatesParts = {
  readonly fixed: readonly FixedRate[];
  /** Path of the file; null for none. */
  readonly file: string | null;
  /** Age from which on a price of the file makes no invoice, ms. */
  readonly oldestMs: bigint;
  readonly clock: Pick<Clock, "nowMs">;
  readonly log: Pick<Log, "warn">;
};

const schema = v.record(
  v.pipe(v.string(), v.regex(CURRENCY_FORM)),
  v.object({
    rate: v.pipe(v.string(), v.regex(RATE_FORM)),
    /** Unix seconds. */
    time: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    source: v.pipe(v.string(), v.minLength(1), v.maxLength(MERCHANT_LIMITS.rateSourceChars)),
  }),
);

/** Reads `EUR=8.00`. Throws `node/bad-option`. */
export function fixedRateOf(text: string): FixedRate {
  const [currency = "", rate = "", ...more] = text.split("=");
  if (CURRENCY_FORM.test(currency) && RATE_FORM.test(rate) && more.length === 0)
    return { currency, rate };
  const reason = "it is no currency with the price of a coin, such as EUR=8.00";
  throw new SvcError("node/bad-option", { option: "--rate", reason });
}

/** The prices. */
export class CoinRates implements PricePort {
  readonly #parts: CoinRatesParts;
  #readAt = "";
  #read: readonly Omit<CoinRate, "isStale">[] = [];

  constructor(parts: CoinRatesParts) {
    this.#parts = parts;
  }

  async rate(currency: string): Promise<CoinRate | null> {
    return (await this.rates()).find((one) => one.currency === currency) ?? null;
  }

  async rates(): Promise<readonly CoinRate[]> {
    const { fixed, clock, oldestMs } = this.#parts;
    const nowMs = asTimestampMs(clock.nowMs());
    const own = fixed.map(({ currency, rate }): CoinRate => {
      return { currency, rate, source: "operator", toldMs: nowMs, isStale: false };
    });
    const known = new Set(own.map(({ currency }) => currency));
    const told = this.#fromFile().filter(({ currency }) => !known.has(currency));
    const aged = told.map((one) => ({ ...one, isStale: nowMs - one.toldMs > oldestMs }));
    return [...own, ...aged];
  }

  /** The file as it is now; as it was, where it does not read any more: the prices then grow old. */
  #fromFile(): readonly Omit<CoinRate, "isStale">[] {
    const { file, log } = this.#parts;
    if (file === null) return [];
    try {
      const { mtimeMs, size } = statSync(file);
      const mark = `${mtimeMs} ${size}`;
      if (mark === this.#readAt) return this.#read;
      if (size > GATEWAY_LIMITS.ratesFileBytes) throw new TypeError("the file is too large");
      this.#read = ratesIn(readFileSync(file, "utf8"));
      this.#readAt = mark;
    } catch (error) {
      const reason = error instanceof Error ? error.name : "unknown";
      log.warn({ reason }, "the file of prices was not read");
    }
    return this.#read;
  }
}

function ratesIn(text: string): readonly Omit<CoinRate, "isStale">[] {
  const told = v.parse(schema, JSON.parse(text));
  return Object.entries(told).map(([currency, { rate, time, source }]) => {
    return { currency, rate, source, toldMs: msOf(time) };
  });
}

function msOf(seconds: number): TimestampMs {
  return asTimestampMs(BigInt(seconds) * 1_000n);
}
