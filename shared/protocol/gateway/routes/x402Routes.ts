/** Routes of x402: a challenge for a resource, and the facilitator that checks its payment and broadcasts it. */
import * as v from "valibot";
import { integerOf, txid } from "../../contract/answerFields.ts";
import { hexField, requestObject } from "../../contract/requestFields.ts";
import { MERCHANT_LIMITS } from "../../merchantLimits.ts";
import { EXAMPLE_ADDRESS, EXAMPLE_PAYMENT, INVOICE_ID, NEW_INVOICE } from "../exampleRecords.ts";
import { amountField, printableField, wholeField } from "../gatewayFields.ts";
import { expiresInField } from "../invoiceTerms.ts";
import { route } from "../route.ts";
import {
  challengeField,
  payloadAsked,
  requirements,
  requirementsAsked,
  settleAnswer,
  spendAnswer,
  supportedAnswer,
  transactionField,
  verifyAnswer,
  X402_SCHEME,
  X402_VERSION,
  x402Asset,
} from "../x402Records.ts";

const NETWORK = `svc:${"5a".repeat(16)}`;
const EXAMPLE_HASH = "c0".repeat(32);

const REQUIREMENTS = {
  scheme: X402_SCHEME,
  network: NETWORK,
  amount: "250000000",
  asset: x402Asset(NETWORK),
  payTo: EXAMPLE_ADDRESS,
  maxTimeoutSeconds: 300,
  extra: {
    challenge: INVOICE_ID,
    upload: "https://pay.example.com/x402/payments",
    requiredBlueScore: null,
    sessionSeconds: null,
  },
} as const;

/** The resource by its method and URL, as the merchant's server names it. */
const resourceField = printableField(
  MERCHANT_LIMITS.resourceChars,
  "The resource that is paid for: its method and URL, as the merchant's server names it.",
);

/** What `/verify` and `/settle` are asked. */
const payment = requestObject({
  paymentPayload: payloadAsked,
  paymentRequirements: requirementsAsked,
  resource: v.nullish(resourceField),
});

/** A call of the facilitator, as it is read. */
export type AskedPayment = v.InferOutput<typeof payment>;

const EXAMPLE_ASKED = {
  paymentPayload: {
    x402Version: X402_VERSION,
    accepted: REQUIREMENTS,
    payload: { transactionId: EXAMPLE_PAYMENT.txid },
  },
  paymentRequirements: REQUIREMENTS,
  resource: "GET https://api.example.com/report",
} as const;

const PAYMENT_ROW = {
  group: "x402",
  method: "POST",
  credential: "key",
  scope: "x402",
  body: payment,
  bodyBytes: MERCHANT_LIMITS.paymentBodyBytes,
  endsWithCaller: false,
} as const;

/** The rows. */
export const X402_ROUTES = {
  createChallenge: route({
    group: "x402",
    method: "POST",
    path: "/x402/challenges",
    credential: "key",
    scope: "x402",
    body: requestObject({
      amountSompi: amountField(1n, "What is to be paid, in sompi."),
      resource: resourceField,
      expiresIn: v.nullish(expiresInField),
      requiredBlueScore: v.nullish(
        wholeField(
          MERCHANT_LIMITS.depthMin,
          MERCHANT_LIMITS.depthMax,
          "Depth at which the payment is answered as settled. Left out: when a pool has it, up to the merchant's limit for that, and the merchant's own depth above it.",
        ),
      ),
      sessionSeconds: v.nullish(
        wholeField(
          MERCHANT_LIMITS.expirySecondsMin,
          MERCHANT_LIMITS.sessionSecondsMax,
          "The payment opens a prepaid session that lives so long.",
        ),
      ),
    }),
    answer: v.object({
      requirements,
      expiresAt: integerOf("When the challenge ends, in Unix seconds."),
    }),
    refusals: ["gateway/no-address"],
    about:
      "Makes a challenge for a resource, which is an invoice with an address of its own; what it asks for goes into `PAYMENT-REQUIRED`.",
    example: {
      body: { amountSompi: "250000000", resource: "GET https://api.example.com/report" },
      answer: { requirements: REQUIREMENTS, expiresAt: NEW_INVOICE.expiresAt },
    },
    timeoutMs: MERCHANT_LIMITS.createMs,
    status: 201,
    takesKey: true,
    endsWithCaller: false,
  }),
  uploadPayment: route({
    group: "x402",
    method: "POST",
    path: "/x402/payments",
    credential: "none",
    scope: "any",
    body: requestObject({ challenge: challengeField, transaction: transactionField }),
    bodyBytes: MERCHANT_LIMITS.paymentBodyBytes,
    answer: v.object({ transactionId: txid }),
    refusals: ["gateway/no-invoice", "gateway/wrong-state"],
    about:
      "Hands over a signed payment that is too long for a header. Nothing is broadcast; the answer is what the payload names the payment by.",
    example: {
      body: { challenge: INVOICE_ID, transaction: "AgAA" },
      answer: { transactionId: EXAMPLE_PAYMENT.txid },
    },
    timeoutMs: MERCHANT_LIMITS.createMs,
  }),
  verifyPayment: route({
    ...PAYMENT_ROW,
    path: "/x402/verify",
    answer: verifyAnswer,
    about:
      "Checks a payment of a challenge and binds it to that one: proof, signatures, nullifiers, anchor and fee by the node, address and amount by the merchant's viewing key. Nothing is broadcast.",
    example: { body: EXAMPLE_ASKED, answer: { isValid: true, invalidReason: "" } },
    timeoutMs: MERCHANT_LIMITS.createMs,
  }),
  settlePayment: route({
    ...PAYMENT_ROW,
    path: "/x402/settle",
    answer: settleAnswer,
    about:
      "Broadcasts a payment and answers when a pool has it, or when it is as deep as the challenge asks. The same payment has the same answer; `extra.replayed` says whether a call with another idempotency key had it before.",
    example: {
      body: EXAMPLE_ASKED,
      answer: {
        success: true,
        errorReason: "",
        transaction: EXAMPLE_PAYMENT.txid,
        network: NETWORK,
        amount: "250000000",
        extra: { replayed: false },
      },
    },
    timeoutMs: MERCHANT_LIMITS.settleMs,
    takesKey: true,
  }),
  supportedPayments: route({
    group: "x402",
    method: "GET",
    path: "/x402/supported",
    credential: "none",
    scope: "any",
    answer: supportedAnswer,
    about: "Tells what the facilitator takes.",
    example: {
      answer: {
        kinds: [
          {
            x402Version: X402_VERSION,
            scheme: X402_SCHEME,
            network: NETWORK,
            extra: { asset: x402Asset(NETWORK) },
          },
        ],
        extensions: ["prepaid-session"],
        signers: {},
      },
    },
    timeoutMs: MERCHANT_LIMITS.callMs,
  }),
  spendSession: route({
    group: "x402",
    method: "POST",
    path: "/x402/sessions/spend",
    credential: "key",
    scope: "x402",
    body: requestObject({
      sessionHash: hexField(32),
      amountSompi: amountField(1n, "What the request costs, in sompi."),
    }),
    answer: spendAnswer,
    about:
      "Takes the price of a request from a prepaid session, which is named by the SHA-256 of its token; it is on disk before it is answered, and never takes more than is left.",
    example: {
      body: { sessionHash: EXAMPLE_HASH, amountSompi: "1000" },
      answer: {
        isValid: true,
        invalidReason: "",
        balanceSompi: "249999000",
        expiresAt: NEW_INVOICE.expiresAt,
      },
    },
    timeoutMs: MERCHANT_LIMITS.createMs,
    endsWithCaller: false,
  }),
} as const;
