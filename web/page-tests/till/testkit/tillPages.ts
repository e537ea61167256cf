/** Pages of a till as its gateway renders them, in a language. */
import { posLanguage } from "@svc/shared/gateway/pos/posLanguage.ts";
import type { PosFrame } from "@svc/shared/gateway/pos/posDocument.ts";
import { checkoutPage } from "@svc/shared/gateway/page/checkoutPage.ts";
import type { Checkout } from "@svc/shared/gateway/page/checkoutState.ts";
import { pageLanguage } from "@svc/shared/gateway/page/pageLanguage.ts";
import { exampleCheckout } from "@svc/shared/gateway/testkit/exampleCheckout.ts";
import { exampleTill } from "@svc/shared/gateway/testkit/exampleTill.ts";
import type { TillRecord } from "@svc/shared/gateway/till/tillRecordOf.ts";

/** A till that knows what a coin costs: 8 euros. */
export const pricedTill: TillRecord = {
  ...exampleTill,
  rate: { currency: "EUR", rate: "8.00", source: "operator", time: 1_785_056_760, stale: false },
};

/** Parts of a page beside its content. */
export function posFrame(tag: string): PosFrame {
  return { language: posLanguage(tag), nonce: "00ff", script: null };
}

/** An answer with the checkout of a sale. */
export function saleAnswer(checkout: Partial<Checkout> = {}): Response {
  const frame = { language: pageLanguage("en", undefined), nonce: "00ff", script: null };
  const place = { frameOrigins: [], hasSocket: false };
  const html = checkoutPage({ ...exampleCheckout, ...checkout }, frame, place);
  return new Response(html, { headers: { "Content-Type": "text/html" } });
}
