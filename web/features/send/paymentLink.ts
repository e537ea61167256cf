/** Payment links (URIs) pasted into the address field of the payment form. */
import type { PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import { plainText } from "../../i18n/plainText.ts";
import type { LinkFields } from "../../wallet-api/walletApi.ts";

/** True for text that is more than an address: with fields, or wrapped for a protocol handler. */
export function isLink(text: string): boolean {
  return text.includes("?") || /^\s*web\+/i.test(text);
}

/** The form after a link: what the link leaves open stays as it was typed, and no character of it turns the text around. */
export function fillFrom(link: LinkFields, typed: PayeeText): PayeeText {
  return {
    address: link.address,
    amount: link.amount || typed.amount,
    memo: plainText(link.memo) || typed.memo,
  };
}
