/** Prices of a coin as an operator's program tells them to a gateway on another machine, as JSON. Times are milliseconds, decimal text. */
import * as v from "valibot";
import { fields } from "../base/fields.ts";
import { stableJson } from "../base/stableJson.ts";
import { SvcError } from "../base/svcError.ts";
import { wireFault } from "../protocol/contract/wireFault.ts";
import { MERCHANT_LIMITS } from "../protocol/merchantLimits.ts";
import { CURRENCY_FORM, RATE_FORM, type CoinRate } from "./pricePort.ts";

/** A price, as old as its time says. */
export type ToldRate = Omit<CoinRate, "isStale">;

const rate = v.object({
  currency: v.pipe(v.string(), v.regex(CURRENCY_FORM)),
  rate: v.pipe(v.string(), v.regex(RATE_FORM)),
  source: v.pipe(v.string(), v.minLength(1), v.maxLength(MERCHANT_LIMITS.rateSourceChars)),
  toldMs: fields.timestampMs,
});
const rates = v.object({
  rates: v.pipe(v.array(rate), v.maxLength(MERCHANT_LIMITS.toldRates)),
});

/** Writes prices. */
export function encodeToldRates(told: readonly ToldRate[]): string {
  const rows = told.map((one) => {
    const { currency, rate: price, source, toldMs } = one;
    return { currency, rate: price, source, toldMs };
  });
  return stableJson({ rates: rows });
}

/** Reads them. Throws `codec/bad-json`, and the error that names the field at fault. */
export function decodeToldRates(json: string): readonly ToldRate[] {
  const read = v.safeParse(rates, parsed(json));
  if (read.success) return read.output.rates;
  throw wireFault(read.issues, "rates");
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new SvcError("codec/bad-json", { reason: "rates" }, error);
  }
}
