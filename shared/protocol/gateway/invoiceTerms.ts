/** Schemas of what a merchant asks for with an invoice: the body of its creation, and what may be changed of it later. */
import * as v from "valibot";
import { requestObject } from "../contract/requestFields.ts";
import { MERCHANT_LIMITS } from "../merchantLimits.ts";
import {
  amountField,
  currencyField,
  patternField,
  priceField,
  printableField,
  urlField,
  wholeField,
} from "./gatewayFields.ts";
import { metadataField } from "./metadataField.ts";

/** Life of an invoice from now on. */
export const expiresInField = wholeField(
  MERCHANT_LIMITS.expirySecondsMin,
  MERCHANT_LIMITS.expirySecondsMax,
  `Seconds until the invoice expires; ${MERCHANT_LIMITS.expirySecondsDefault} when left out.`,
);

/** A price in a currency, which a quote turns into an amount. */
export const priceFields = requestObject({ currency: currencyField, value: priceField });

const fields = requestObject({
  orderId: printableField(
    MERCHANT_LIMITS.orderIdChars,
    "The merchant's own number of the order. Several invoices may have the same one.",
  ),
  amountSompi: v.nullish(amountField(1n, "What is to be paid, in sompi. Or give `price`.")),
  price: v.nullish(priceFields),
  expiresIn: v.nullish(expiresInField),
  requiredBlueScore: v.nullish(
    wholeField(
      MERCHANT_LIMITS.depthMin,
      MERCHANT_LIMITS.depthMax,
      `Blue blocks above the accepting block of a payment until it counts as confirmed; ${MERCHANT_LIMITS.depthDefault} when left out.`,
    ),
  ),
  redirectUrl: v.nullish(
    urlField(
      "Where the payer goes from the checkout page. `{InvoiceId}` and `{OrderId}` are filled in. It proves no payment.",
    ),
  ),
  metadata: v.nullish(metadataField),
  toleranceUnderSompi: v.nullish(
    amountField(0n, "What may be missing of the amount; nothing when left out."),
  ),
  toleranceOverSompi: v.nullish(
    amountField(0n, "What may be paid above the amount before the invoice is `overpaid`."),
  ),
  monitorSeconds: v.nullish(
    wholeField(
      0,
      MERCHANT_LIMITS.monitorSecondsMax,
      `Seconds after the end for which payments are watched for; ${MERCHANT_LIMITS.monitorSecondsDefault} when left out.`,
    ),
  ),
  poolLimitSompi: v.nullish(
    amountField(
      0n,
      "Up to this amount payments that wait in a node's pool make the invoice `paid`. The merchant's setting when left out.",
    ),
  ),
  language: v.nullish(
    patternField(
      /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/,
      "a language tag such as `en` or `de-AT`",
      "Language of the checkout page; the browser's when left out.",
    ),
  ),
});

type Terms = v.InferOutput<typeof fields>;

/**
 * The body that creates an invoice. It has an amount or a price, and not both. Of a price the amount comes from the quote,
 * after which the server holds the tolerance against it, too.
 */
export const invoiceTerms = v.pipe(
  fields,
  v.forward(
    v.check((terms: Terms) => hasAmount(terms) || hasPrice(terms), "given, or price in its place"),
    ["amountSompi"],
  ),
  v.forward(
    v.check(
      (terms: Terms) => !(hasAmount(terms) && hasPrice(terms)),
      "left out where amountSompi is given",
    ),
    ["price"],
  ),
  v.forward(v.check(isBelowAmount, "less than amountSompi"), ["toleranceUnderSompi"]),
);

function hasAmount({ amountSompi }: Terms): boolean {
  return amountSompi !== null && amountSompi !== undefined;
}

function hasPrice({ price }: Terms): boolean {
  return price !== null && price !== undefined;
}

/** With a tolerance of the whole amount nothing would have to be paid. */
function isBelowAmount({ amountSompi, toleranceUnderSompi }: Terms): boolean {
  return (toleranceUnderSompi ?? 0n) < (amountSompi ?? MERCHANT_LIMITS.amountSompiMax);
}

/** The body that changes an invoice: its metadata as a whole. */
export const invoiceChange = requestObject({ metadata: metadataField });
