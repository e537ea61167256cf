/** What a shop asks for with an invoice in the BTCPay interface, and the gateway's own order that it comes to. Unknown fields are passed over. */
import * as v from "valibot";
import { asSompi } from "../../base/brand.ts";
import { parseCoins } from "../../base/money.ts";
import { SvcError } from "../../base/svcError.ts";
import { NumberText } from "../../protocol/contract/numberText.ts";
import { priceField } from "../../protocol/gateway/gatewayFields.ts";
import { hasAtMostChars } from "../../protocol/gateway/hasAtMostChars.ts";
import { isWebUrl } from "../../protocol/gateway/webUrl.ts";
import { MERCHANT_LIMITS } from "../../protocol/merchantLimits.ts";
import { readPart } from "../../protocol/contract/requestParts.ts";
import type { InvoiceOrder, Merchant } from "../gatewayPorts.ts";
import { orderOf } from "../handlers/orderOf.ts";
import type { PricePort } from "../pricePort.ts";
import { GREENFIELD_LIMITS } from "./greenfieldLimits.ts";
import { isJsonObject, keptMetadata, type JsonObject } from "./greenfieldMetadata.ts";

/** Text, or the text of a JSON number. */
export const decimalText = v.union(
  [
    v.string(),
    v.pipe(
      v.instance(NumberText),
      v.transform(({ text }) => text),
    ),
  ],
  "a number as decimal text",
);

const objectField = v.custom<JsonObject>(isJsonObject, "an object");
const checkoutForm = v.looseObject({
  paymentMethods: v.nullish(v.array(v.string())),
  expirationMinutes: v.nullish(decimalText),
  monitoringMinutes: v.nullish(decimalText),
  paymentTolerance: v.nullish(decimalText),
  redirectURL: v.nullish(v.string()),
  defaultLanguage: v.nullish(v.string()),
});
const form = v.looseObject({
  amount: v.nullish(decimalText),
  currency: v.nullish(v.string()),
  metadata: v.nullish(objectField),
  checkout: v.nullish(checkoutForm),
});

const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;
const WHOLE = /^\d{1,9}(?:\.0{1,8})?$/;
const PERCENT = /^(\d{1,2})(?:\.(\d{1,8}))?$/;
const SECONDS = 60;

/** What an order is made with. */
export type GreenfieldOrderParts = {
  readonly prices: PricePort;
  /** Code of the network's coin. */
  readonly coin: string;
};

/** Makes the order. Rejects with `api/…` for a field that is wrong, `amount/…`, `gateway/price-stale`. */
export async function greenfieldOrder(
  body: unknown,
  merchant: Merchant,
  parts: GreenfieldOrderParts,
): Promise<InvoiceOrder> {
  const wish = readPart(form, body, "body");
  const checkout = wish.checkout ?? {};
  requireMethod(checkout.paymentMethods ?? null, parts.coin);
  const metadata = wish.metadata ?? {};
  const share = shareOf(checkout.paymentTolerance ?? null);
  const terms = {
    ...amountOf(wish.amount ?? null, wish.currency ?? null, parts.coin),
    orderId: orderIdOf(metadata),
    expiresIn: secondsOf("checkout.expirationMinutes", checkout.expirationMinutes ?? null, {
      least: 1,
      most: GREENFIELD_LIMITS.greenfieldExpiryMinutesMax,
    }),
    monitorSeconds: secondsOf("checkout.monitoringMinutes", checkout.monitoringMinutes ?? null, {
      least: 0,
      most: GREENFIELD_LIMITS.greenfieldMonitorMinutesMax,
    }),
    redirectUrl: redirectOf(checkout.redirectURL ?? null),
    // A language that the page does not have gives way to the browser's.
    language: LANGUAGE.test(checkout.defaultLanguage ?? "") ? checkout.defaultLanguage : null,
    metadata: keptMetadata(metadata),
  };
  const order = await orderOf(terms, merchant, parts.prices);
  if (share === null) return order;
  const toleranceUnder = asSompi((order.amountSompi * share.digits) / share.whole);
  return { ...order, policy: { ...order.policy, toleranceUnder } };
}

/** An amount in coins, or a price. Throws `api/bad-field` for none: an invoice over any amount is not offered. */
function amountOf(amount: string | null, currency: string | null, coin: string) {
  if (amount === null) {
    const expected = "given: an invoice over any amount is not offered";
    throw new SvcError("api/bad-field", { field: "amount", expected });
  }
  const code = (currency ?? "").trim().toUpperCase();
  if (code !== "" && code !== coin) {
    return { price: { currency: code, value: readPart(priceField, amount, "amount") } };
  }
  const sompi = parseCoins(amount);
  if (sompi > MERCHANT_LIMITS.amountSompiMax)
    throw new SvcError("amount/too-large", { text: amount });
  return { amountSompi: sompi };
}

/** Empty where the shop gives none. */
function orderIdOf({ orderId }: JsonObject): string {
  if (orderId === undefined || orderId === null) return "";
  const text = orderId instanceof NumberText ? orderId.text : orderId;
  if (typeof text === "string" && hasAtMostChars(text, MERCHANT_LIMITS.orderIdChars)) return text;
  const expected = `a text of at most ${MERCHANT_LIMITS.orderIdChars} characters`;
  throw new SvcError("api/bad-field", { field: "metadata.orderId", expected });
}

function secondsOf(
  field: string,
  text: string | null,
  { least, most }: { readonly least: number; readonly most: number },
): number | null {
  if (text === null) return null;
  const minutes = WHOLE.test(text) ? Number(text) : -1;
  if (minutes >= least && minutes <= most) return minutes * SECONDS;
  const expected = `a whole number from ${least} to ${most}`;
  throw new SvcError("api/bad-field", { field, expected });
}

/** The share of the amount that may be missing; null for the merchant's own tolerance. */
function shareOf(text: string | null): { readonly digits: bigint; readonly whole: bigint } | null {
  if (text === null) return null;
  const [, whole = "", fraction = ""] = PERCENT.exec(text) ?? [];
  if (whole === "") {
    const expected = "a percentage below 100";
    throw new SvcError("api/bad-field", { field: "checkout.paymentTolerance", expected });
  }
  return { digits: BigInt(whole + fraction), whole: 100n * 10n ** BigInt(fraction.length) };
}

function redirectOf(url: string | null): string | null {
  if (url === null || url === "") return null;
  if (isWebUrl(url)) return url;
  const expected = `a URL of http or https of at most ${MERCHANT_LIMITS.urlChars} characters`;
  throw new SvcError("api/bad-field", { field: "checkout.redirectURL", expected });
}

/** There is one way to pay. Shops write its name in several forms. */
function requireMethod(methods: readonly string[] | null, coin: string): void {
  if (methods === null || methods.length === 0) return;
  const known = new Set([coin, `${coin}_CHAIN`]);
  if (methods.some((method) => known.has(method.toUpperCase().replace("-", "_")))) return;
  const expected = `a list with ${coin}`;
  throw new SvcError("api/bad-field", { field: "checkout.paymentMethods", expected });
}
