/** Amounts of coins as a language writes them, exact to the last sompi. */
import { formatCoins } from "@svc/shared/base/money.ts";

/** Writes sompi as coins with the digits and signs of a language, without their unit. They may be below zero. */
export function groupedCoins(sompi: bigint, locale: string): string {
  const [coins = "0", decimals] = formatCoins(sompi < 0n ? -sompi : sompi).split(".");
  const sign = sompi < 0n ? "-" : "";
  const grouped = `${sign}${new Intl.NumberFormat(locale).format(BigInt(coins))}`;
  if (decimals === undefined) return grouped;
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(0);
  const point = parts.find(({ type }) => type === "decimal")?.value ?? ".";
  return `${grouped}${point}${decimals}`;
}
