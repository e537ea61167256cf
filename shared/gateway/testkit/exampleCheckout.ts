/** A checkout for tests, and its states. */
import { asAddressText, asInvoiceId } from "../../base/brand.ts";
import type { Checkout } from "../page/checkoutState.ts";

const ADDRESS = `svcsim:${"q".repeat(79)}`;

/** One that is new: 2.5 coins, and nothing was paid. */
export const exampleCheckout: Checkout = {
  id: asInvoiceId(`inv_${"5e".repeat(16)}`),
  status: "new",
  amountSompi: "250000000",
  dueSompi: "250000000",
  paidSompi: "0",
  seenSompi: "0",
  overpaidSompi: "0",
  address: asAddressText(ADDRESS),
  paymentUri: `${ADDRESS}?amount=2.5`,
  settled: false,
  late: false,
  expired: false,
  canTopUp: false,
  requiredBlueScore: 1_000,
  confirmations: 0,
  receipts: 0,
  receiptUrls: [],
  storeName: "Example shop",
  price: { currency: "EUR", value: "20.00" },
  redirectUrl: null,
  theme: { scheme: "auto", accent: null },
  language: null,
  livemode: true,
  network: "mainnet",
  version: 1,
  expiresAt: 1_785_100_900,
  serverTime: 1_785_100_000,
};

/** Sums paid of it: a part, all, or more. */
export const PAID_SUMS = {
  part: { dueSompi: "150000000", paidSompi: "100000000" },
  all: { dueSompi: "0", paidSompi: "250000000" },
  over: { dueSompi: "0", paidSompi: "300000000", overpaidSompi: "50000000" },
} as const;
