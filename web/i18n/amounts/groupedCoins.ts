/** Amounts of coins as a language writes them, exact to the last sompi. */
import { formatCoins } from "@svc/shared/base/money.ts";
import { numberSigns } from "./numberSigns.ts";

/** Writes sompi as coins with the digits and signs of a language, without their unit. They may be below zero. */
export function groupedCoins(sompi: bigint, locale: string): string {
  const [coins = "0", decimals] = formatCoins(sompi < 0n ? -sompi : sompi).split(".");
  const sign = sompi < 0n ? "-" : "";
  const grouped = `${sign}${new Intl.NumberFormat(locale).format(BigInt(coins))}`;
  return decimals === undefined ? grouped : grouped + numberSigns(locale).decimal + decimals;
}
