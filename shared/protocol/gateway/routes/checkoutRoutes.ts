/** Routes of the payer, who knows the id of an invoice and has no key: the checkout and the claim of a refund. */
import * as v from "valibot";
import { ADDRESS_REFUSALS, addressField, requestObject } from "../../contract/requestFields.ts";
import { MERCHANT_LIMITS } from "../../merchantLimits.ts";
import { checkoutRecord } from "../checkoutRecord.ts";
import { EXAMPLE_ADDRESS, EXAMPLE_CHECKOUT, INVOICE_ID } from "../exampleRecords.ts";
import { idField } from "../gatewayFields.ts";
import { claim } from "../refundRecord.ts";
import { route } from "../route.ts";
import { invoiceParams } from "./invoiceRoutes.ts";

const claimParams = v.object({ claim: idField("a claim") });
const CLAIM = `clm_${"3d".repeat(16)}`;

const EXAMPLE_CLAIM = {
  state: "requested",
  amountSompi: "50000000",
  address: null,
  storeName: "Example shop",
  network: "mainnet",
  expiresAt: EXAMPLE_CHECKOUT.serverTime + 2_592_000,
  serverTime: EXAMPLE_CHECKOUT.serverTime,
} as const;

/** The rows. */
export const CHECKOUT_ROUTES = {
  checkout: route({
    group: "checkout",
    method: "GET",
    path: "/api/v1/checkout/{id}",
    credential: "none",
    scope: "any",
    params: invoiceParams,
    answer: checkoutRecord,
    refusals: ["gateway/no-invoice"],
    about:
      "Gives what the payer of an invoice is shown, without the order, its metadata and transactions.",
    example: { path: `/api/v1/checkout/${INVOICE_ID}`, answer: EXAMPLE_CHECKOUT },
    timeoutMs: MERCHANT_LIMITS.callMs,
  }),
  topUpCheckout: route({
    group: "checkout",
    method: "POST",
    path: "/api/v1/checkout/{id}/topup",
    credential: "none",
    scope: "any",
    params: invoiceParams,
    answer: checkoutRecord,
    refusals: ["gateway/no-invoice", "gateway/wrong-state", "gateway/price-stale"],
    about:
      "Asks for time to pay what is due of an expired invoice; what is due of a price is quoted anew.",
    example: {
      path: `/api/v1/checkout/${INVOICE_ID}/topup`,
      answer: {
        ...EXAMPLE_CHECKOUT,
        version: 3,
        expiresAt: EXAMPLE_CHECKOUT.expiresAt + 960,
        serverTime: EXAMPLE_CHECKOUT.expiresAt + 60,
      },
    },
    timeoutMs: MERCHANT_LIMITS.callMs,
    endsWithCaller: false,
  }),
  checkoutEvents: route({
    group: "checkout",
    method: "GET",
    path: "/api/v1/checkout/{id}/events",
    credential: "none",
    scope: "any",
    params: invoiceParams,
    answer: checkoutRecord,
    refusals: ["gateway/no-invoice"],
    about:
      "Sends the record of the checkout at once and at each change, as the event `invoice` whose `id` is the version; a comment every 15 s keeps the stream open.",
    example: { path: `/api/v1/checkout/${INVOICE_ID}/events`, answer: EXAMPLE_CHECKOUT },
    timeoutMs: MERCHANT_LIMITS.callMs,
    isStream: true,
  }),
  checkoutSocket: route({
    group: "checkout",
    method: "GET",
    path: "/api/v1/checkout/{id}/ws",
    credential: "none",
    scope: "any",
    params: invoiceParams,
    answer: checkoutRecord,
    refusals: [
      "gateway/no-invoice",
      "http/bad-request",
      "http/foreign-origin",
      "http/not-found",
      "http/too-many-connections",
    ],
    about:
      "Opens a WebSocket that sends the record of the checkout at once and at each change, where the host offers one: a hosted gateway does, and beside a node it is `http/not-found`. A client sends nothing: a message of it closes the connection with 1008, a long one with 1009. Clients fall back to the events and then to the record itself.",
    example: { path: `/api/v1/checkout/${INVOICE_ID}/ws`, answer: EXAMPLE_CHECKOUT },
    timeoutMs: MERCHANT_LIMITS.callMs,
    isSocket: true,
  }),
  claim: route({
    group: "claims",
    method: "GET",
    path: "/api/v1/claims/{claim}",
    credential: "none",
    scope: "any",
    params: claimParams,
    answer: claim,
    refusals: ["gateway/no-claim"],
    about: "Gives what the payer is shown of a refund.",
    example: { path: `/api/v1/claims/${CLAIM}`, answer: EXAMPLE_CLAIM },
    timeoutMs: MERCHANT_LIMITS.callMs,
  }),
  fillClaim: route({
    group: "claims",
    method: "POST",
    path: "/api/v1/claims/{claim}",
    credential: "none",
    scope: "any",
    params: claimParams,
    body: requestObject({ address: addressField }),
    answer: claim,
    refusals: [...ADDRESS_REFUSALS, "gateway/no-claim", "gateway/claim-over"],
    about:
      "Takes the address that a refund shall go to; it can be changed until the merchant approves.",
    example: {
      path: `/api/v1/claims/${CLAIM}`,
      body: { address: EXAMPLE_ADDRESS },
      answer: { ...EXAMPLE_CLAIM, state: "claimed", address: EXAMPLE_ADDRESS },
    },
    timeoutMs: MERCHANT_LIMITS.callMs,
    endsWithCaller: false,
  }),
} as const;
