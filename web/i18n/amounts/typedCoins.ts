/** Amounts of coins as a field for typing shows them: in digits of the language, not grouped. */
import { formatCoins } from "@svc/shared/base/money.ts";
import { numberSigns } from "./numberSigns.ts";

/** Writes an amount so that `readTypedCoins` reads it back exactly in the same language. */
export function typedCoins(sompi: bigint, locale: string): string {
  return formatCoins(sompi).replace(".", numberSigns(locale).decimal);
}
