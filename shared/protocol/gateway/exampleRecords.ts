/** Records that the examples of the table share. */

/** A shielded address. */
export const EXAMPLE_ADDRESS =
  "svc:pyfjy228l6gukj2vwztyq6q88eeyggjhvcuzf2jx8u4lvla42d6x0y3dsgp0wzggcc9cytqrfnfq463";
/** Id of an invoice. */
export const INVOICE_ID = `inv_${"5e".repeat(16)}`;
/** Id of an event. */
export const EVENT_ID = `evt_${"7a".repeat(16)}`;

/** Address of the file of a receipt. */
export const EXAMPLE_RECEIPT_URL = `https://pay.example.com/api/v1/invoices/${INVOICE_ID}/receipts/${"1a".repeat(32)}`;

const CREATED = 1_785_100_000;
const EXPIRES = CREATED + 900;

/** A payment in a block. */
export const EXAMPLE_PAYMENT = {
  txid: "ab".repeat(32),
  outputIndex: 0,
  cmx: "1a".repeat(32),
  amountSompi: "250000000",
  state: "mined",
  blockHash: "cd".repeat(32),
  blueScore: 803_900,
  daaScore: 811_000,
  blockTime: CREATED + 120,
  firstSeenAt: CREATED + 118,
  settled: true,
  late: false,
  receiptUrl: EXAMPLE_RECEIPT_URL,
} as const;

/** An invoice that nobody has paid. */
export const NEW_INVOICE = {
  id: INVOICE_ID,
  orderId: "4711",
  address: EXAMPLE_ADDRESS,
  amountSompi: "250000000",
  paidSompi: "0",
  dueSompi: "250000000",
  confirmedSompi: "0",
  overpaidSompi: "0",
  seenSompi: "0",
  status: "new",
  settled: false,
  late: false,
  expired: false,
  reorged: false,
  archived: false,
  marked: null,
  requiredBlueScore: 10,
  confirmations: 0,
  payments: [],
  paymentUri: `${EXAMPLE_ADDRESS}?amount=2.5`,
  checkoutUrl: `https://pay.example.com/checkout/${INVOICE_ID}`,
  redirectUrl: "https://shop.example.com/thanks?order={OrderId}",
  metadata: { platform: "vendure" },
  quote: {
    currency: "EUR",
    value: "20.00",
    rate: "8.00",
    source: "operator",
    time: CREATED - 30,
  },
  warnings: [],
  version: 1,
  livemode: true,
  network: "mainnet",
  createdAt: CREATED,
  expiresAt: EXPIRES,
  monitorUntil: EXPIRES + 86_400,
  updatedAt: CREATED,
  serverTime: CREATED,
} as const;

/** The same one when it is paid and confirmed. */
export const CONFIRMED_INVOICE = {
  ...NEW_INVOICE,
  paidSompi: "250000000",
  dueSompi: "0",
  confirmedSompi: "250000000",
  status: "confirmed",
  settled: true,
  confirmations: 12,
  payments: [EXAMPLE_PAYMENT],
  version: 4,
  updatedAt: CREATED + 135,
  serverTime: CREATED + 140,
} as const;

/** What a payer is shown of it. */
export const EXAMPLE_CHECKOUT = {
  id: INVOICE_ID,
  status: "new",
  amountSompi: "250000000",
  dueSompi: "250000000",
  paidSompi: "0",
  seenSompi: "0",
  overpaidSompi: "0",
  address: EXAMPLE_ADDRESS,
  paymentUri: `${EXAMPLE_ADDRESS}?amount=2.5`,
  settled: false,
  late: false,
  expired: false,
  canTopUp: false,
  requiredBlueScore: 10,
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
  expiresAt: EXPIRES,
  serverTime: CREATED,
} as const;
