/** An invoice, its state and its payments in the form of BTCPay's Greenfield API. */
import { formatCoins } from "../../base/money.ts";
import { assessInvoice } from "../../invoice/assessInvoice.ts";
import type { Invoice } from "../../invoice/invoice.ts";
import { paymentOf, paymentUriOf, seconds, type RecordPlace } from "../invoiceRecordOf.ts";
import { coinOfAddress } from "./coinCode.ts";
import { greenfieldPayment } from "./greenfieldEvents.ts";
import { greenfieldMetadata, type JsonObject } from "./greenfieldMetadata.ts";

/** The states of an invoice there. */
export const GREENFIELD_STATUSES = ["New", "Processing", "Expired", "Invalid", "Settled"] as const;
/** A state of an invoice there. */
export type GreenfieldStatus = (typeof GREENFIELD_STATUSES)[number];
/** Why it is in that state. */
export type GreenfieldMore = "None" | "PaidLate" | "PaidPartial" | "Marked" | "PaidOver";

/** A state and its reason. */
export type GreenfieldState = {
  readonly status: GreenfieldStatus;
  readonly additionalStatus: GreenfieldMore;
};

const MS_PER_MINUTE = 60_000n;

/** The state of an invoice. It is `Settled` for `confirmed` and `overpaid` alone. */
export function greenfieldState(invoice: Invoice, nowMs: bigint): GreenfieldState {
  if (invoice.mark !== null) {
    const status = invoice.mark.as === "settled" ? "Settled" : "Invalid";
    return { status, additionalStatus: "Marked" };
  }
  const { status, expired, due, overpaid } = assessInvoice(invoice, nowMs);
  switch (status) {
    case "new":
      return { status: "New", additionalStatus: "None" };
    case "partial":
      return { status: expired ? "Expired" : "New", additionalStatus: "PaidPartial" };
    case "paid":
      return { status: "Processing", additionalStatus: overpaid > 0n ? "PaidOver" : "None" };
    case "confirmed":
      return { status: "Settled", additionalStatus: "None" };
    case "overpaid":
      return { status: "Settled", additionalStatus: "PaidOver" };
    case "expired":
      return { status: "Expired", additionalStatus: "None" };
    case "paidLate": {
      const isCovered = due <= invoice.terms.policy.toleranceUnder;
      return { status: "Expired", additionalStatus: isCovered ? "PaidLate" : "PaidPartial" };
    }
  }
}

/** The invoice, as JSON. */
export function greenfieldInvoice(invoice: Invoice, place: RecordPlace): JsonObject {
  const { terms, archived } = invoice;
  const { policy, quote } = terms;
  const coin = coinOfAddress(terms.address.text);
  return {
    id: terms.id,
    storeId: terms.merchant,
    amount: quote?.value ?? formatCoins(terms.amount),
    currency: quote?.currency ?? coin,
    type: "Standard",
    checkoutLink: `${place.publicUrl}/checkout/${terms.id}`,
    createdTime: seconds(terms.createdMs),
    expirationTime: seconds(terms.expiresMs),
    monitoringExpiration: seconds(terms.expiresMs + policy.monitorMs),
    ...greenfieldState(invoice, place.nowMs),
    availableStatusesForManualMarking: ["Settled", "Invalid"],
    archived,
    metadata: greenfieldMetadata(terms.metadata, terms.orderId),
    checkout: {
      // The depth of payments is the merchant's own setting, in blue blocks.
      speedPolicy: null,
      paymentMethods: [coin],
      defaultPaymentMethod: coin,
      expirationMinutes: Number(terms.lifeMs / MS_PER_MINUTE),
      monitoringMinutes: Number(policy.monitorMs / MS_PER_MINUTE),
      paymentTolerance: toleranceOf(policy.toleranceUnder, terms.amount),
      redirectURL: terms.redirectUrl,
      redirectAutomatically: terms.redirectUrl !== null,
      requiresRefundEmail: false,
      defaultLanguage: terms.language,
    },
    receipt: { enabled: false, showQR: null, showPayments: null },
  };
}

/** Percent with two decimals, rounded down. */
function toleranceOf(under: bigint, amount: bigint): number {
  return Number((under * 10_000n) / amount) / 100;
}

/** The one way to pay it, with its payments, as JSON. Fields have the names of both versions of the interface. */
export function greenfieldMethods(invoice: Invoice, place: RecordPlace): readonly JsonObject[] {
  const { terms } = invoice;
  const address = terms.address.text;
  const coin = coinOfAddress(address);
  const { paid, due } = assessInvoice(invoice, place.nowMs);
  const found = invoice.payments.filter((payment) => payment.place.kind !== "lost");
  return [
    {
      activated: true,
      paymentMethod: coin,
      paymentMethodId: coin,
      cryptoCode: coin,
      currency: coin,
      destination: address,
      paymentLink: paymentUriOf(invoice, place.nowMs),
      rate: terms.quote?.rate ?? "1",
      paymentMethodPaid: formatCoins(paid),
      totalPaid: formatCoins(paid),
      due: formatCoins(due),
      amount: formatCoins(terms.amount),
      networkFee: "0",
      paymentMethodFee: "0",
      payments: found.map((payment) => {
        const record = paymentOf(invoice, payment, place);
        const { amount } = payment.output;
        return greenfieldPayment({ ...record, amountSompi: amount }, address);
      }),
      additionalData: {},
    },
  ];
}
