/** Payment links (URIs) pasted into the address field of the payment form. */
import type { PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import { numbers } from "../../i18n/language.ts";
import { plainText } from "../../i18n/plainText.ts";
import { shownAmount } from "../../state/language/plainPayee.ts";
import type { LinkFields } from "../../wallet-api/walletApi.ts";

/** True for text that is more than an address: with fields, or wrapped for a protocol handler. */
export function isLink(text: string): boolean {
  return text.includes("?") || /^\s*web\+/i.test(text);
}

/**
 * The payees of a link as the form shows them. What the link leaves open of its first payee stays as it was typed, and no character of a
 * memo turns the text around.
 */
export function fillFrom(link: Pick<LinkFields, "payees">, typed: PayeeText): readonly PayeeText[] {
  return link.payees.map(({ address, amount, memo }, index) => {
    const before = index === 0 ? typed : { amount: "", memo: "" };
    return {
      address,
      amount: shownAmount(amount, numbers()) || before.amount,
      memo: plainText(memo) || before.memo,
    };
  });
}
