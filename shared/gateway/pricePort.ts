/** Interface (port) to the prices of a coin in other currencies. */
import type { TimestampMs } from "../base/brand.ts";

/** A currency: three capital letters, as ISO 4217 has them. */
export const CURRENCY_FORM = /^[A-Z]{3}$/;
/** A price of one coin, more than nothing. */
export const RATE_FORM = /^(?=.*[1-9])\d{1,12}(?:\.\d{1,8})?$/;

/** What one coin costs, as a source told it. */
export type CoinRate = {
  /** Three capital letters, as ISO 4217 has them. */
  readonly currency: string;
  /** Price of one coin, decimal text. */
  readonly rate: string;
  readonly source: string;
  readonly toldMs: TimestampMs;
  /** Too old for an invoice to be made with it. */
  readonly isStale: boolean;
};

/** The prices that a gateway has. */
export interface PricePort {
  /** The newest rate of a currency; null where there is none. */
  rate(currency: string): Promise<CoinRate | null>;
  /** The newest rate of each currency. */
  rates(): Promise<readonly CoinRate[]>;
}
