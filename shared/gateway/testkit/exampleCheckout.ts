/** A checkout for tests, and its states. */
import { asAddressText, asInvoiceId } from "../../base/brand.ts";
import { EXAMPLE_CHECKOUT } from "../../protocol/gateway/exampleRecords.ts";
import type { Checkout } from "../page/checkoutState.ts";

const ADDRESS = `svcsim:${"q".repeat(79)}`;

/** One that is new: 2.5 coins, and nothing was paid. */
export const exampleCheckout: Checkout = {
  ...EXAMPLE_CHECKOUT,
  id: asInvoiceId(EXAMPLE_CHECKOUT.id),
  address: asAddressText(ADDRESS),
  paymentUri: `${ADDRESS}?amount=2.5`,
  requiredBlueScore: 1_000,
};

/** Sums paid of it: a part, all, or more. */
export const PAID_SUMS = {
  part: { dueSompi: "150000000", paidSompi: "100000000" },
  all: { dueSompi: "0", paidSompi: "250000000" },
  over: { dueSompi: "0", paidSompi: "300000000", overpaidSompi: "50000000" },
} as const;
