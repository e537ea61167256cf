/** Amounts as they are typed into a search, whole ones and their beginnings. */
import { formatCoins } from "@svc/shared/base/money.ts";
import { numberSigns } from "./numberSigns.ts";
import { readTypedCoins } from "./readTypedCoins.ts";

/**
 * What a searched text would be as a part of an amount in plain decimal. An amount of the language is that amount; what is none yet (",5",
 * "0,0") has the signs of the language replaced. Text of another kind comes back as such, and is no part of any amount.
 */
export function searchedAmount(text: string, locale: string): string {
  try {
    return formatCoins(readTypedCoins(text, locale));
  } catch {
    const { group, decimal } = numberSigns(locale);
    return text.trim().replaceAll(group, "").replace(decimal, ".");
  }
}
