/** Addresses of the web that a merchant gives: where a payer is sent back to, and where webhooks go. */
import { MERCHANT_LIMITS } from "../merchantLimits.ts";

/** A scheme, a host without user and password, and what follows; no blanks and no control characters. */
const FORM = /^https?:\/\/[^/?#@\\{}\s\p{C}]+(?:[/?#][^\s\p{C}]*)?$/iu;
const PLACEHOLDER = /\{(?:InvoiceId|OrderId)\}/g;

/** Whether a text is an address of http or https. Whether the host may be sent to is another question. */
export function isWebUrl(text: string): boolean {
  return text.length <= MERCHANT_LIMITS.urlChars && FORM.test(text) && URL.canParse(text);
}

/**
 * The address that a payer is sent to: `{InvoiceId}` and `{OrderId}` are replaced, percent-encoded. It proves no payment.
 * `url` passed `isWebUrl`, so that no placeholder is in its host.
 */
export function redirectTarget(
  url: string,
  invoice: { readonly id: string; readonly orderId: string },
): string {
  return url.replaceAll(PLACEHOLDER, (placeholder) =>
    encodeURIComponent(placeholder === "{OrderId}" ? invoice.orderId : invoice.id),
  );
}
