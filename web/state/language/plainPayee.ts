/** Payments as they are typed in the language of the page, and as the wallet worker reads them: amounts as plain decimal text. */
import { formatCoins, parseCoins } from "@svc/shared/base/money.ts";
import type { PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import { readTypedCoins } from "../../i18n/amounts/readTypedCoins.ts";
import { typedCoins } from "../../i18n/amounts/typedCoins.ts";

/** The payment for the wallet worker. Throws `amount/…` where the typed amount is none. */
export function plainPayee(typed: PayeeText, locale: string): PayeeText {
  return { ...typed, amount: formatCoins(readTypedCoins(typed.amount, locale)) };
}

/** A plain decimal amount as the payment form shows it; empty where there is none. Throws `amount/…` where it is malformed. */
export function shownAmount(plain: string, locale: string): string {
  return plain === "" ? "" : typedCoins(parseCoins(plain), locale);
}

/** A typed amount in another language; empty where it was no amount, since it could become one there. */
export function amountIn(typed: string, before: string, now: string): string {
  try {
    return typedCoins(readTypedCoins(typed, before), now);
  } catch {
    return "";
  }
}
