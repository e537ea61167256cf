/**
 * Typed client of the merchant gateway, for programs and pages: one method for each row of the table that is answered as JSON. It
 * works wherever there is `fetch`, follows no redirect and sends no cookies.
 *
 * A call that takes an idempotency key and was not answered is repeated under the same key. Fields that an answer lacks or has
 * beyond the table are no fault. All calls throw `gateway/unreachable`, `run/timeout`, `run/aborted`, `gateway/bad-answer` for
 * what is none of the API's answers (a proxy's page), `gateway/refused` for a code that this program does not know, and the
 * gateway's own errors, with the id of the request in their data.
 */
import { SvcError } from "../../base/svcError.ts";
import {
  CallTransport,
  NOTHING,
  type TransportFaults,
  type TransportParts,
} from "../contract/callTransport.ts";
import { MERCHANT_LIMITS } from "../merchantLimits.ts";
import {
  GATEWAY_ROUTES,
  type GatewayInput,
  type GatewayResult,
  type GatewayRouteName,
  type GatewayRoutes,
} from "./gatewayRoutes.ts";

/** Where the gateway is, and what opens it. */
export type GatewayClientParts = TransportParts & {
  /** The merchant's API key, which no page of the shop may hold; null for the calls that need none. */
  readonly apiKey: string | null;
};

/** How one call is made. */
export type GatewayCallOptions = {
  readonly signal: AbortSignal;
  /** For calls that take one: a repetition under the same key makes nothing more. */
  readonly idempotencyKey?: string;
};

/** What this client does not call: streams, sockets and files, and the rows of a till, which a browser opens with its cookie. */
type OtherRow =
  | { readonly isStream: true }
  | { readonly isSocket: true }
  | { readonly fileType: string }
  | { readonly credential: "till" }
  | { readonly credential: "password" };

/** Rows that are answered as JSON, to a key or to whoever asks. */
export type GatewayCallName = {
  [R in GatewayRouteName]: GatewayRoutes[R] extends OtherRow ? never : R;
}[GatewayRouteName];

type Body<R extends GatewayRouteName> = GatewayInput<R>["body"];
type Query<R extends GatewayRouteName> = GatewayInput<R>["query"];

const FAULTS: TransportFaults = {
  unreachable: (url, cause) => new SvcError("gateway/unreachable", { url }, cause),
  badAnswer: (status, reason, cause) =>
    new SvcError("gateway/bad-answer", { status, reason }, cause),
  refused: (status, reason) => new SvcError("gateway/refused", { status, reason }),
};

/** One merchant of a gateway. */
export class GatewayClient {
  readonly #apiKey: string | null;
  readonly #transport: CallTransport;

  constructor(parts: GatewayClientParts) {
    this.#apiKey = parts.apiKey;
    this.#transport = new CallTransport(parts, FAULTS, MERCHANT_LIMITS.answerBytes);
  }

  /** Makes an invoice. Rejects as `call` does. */
  createInvoice(body: Body<"createInvoice">, options: GatewayCallOptions) {
    return this.call("createInvoice", { ...NOTHING, body }, options);
  }

  /** A part of the list of invoices. Rejects as `call` does. */
  invoices(query: Query<"invoices">, options: GatewayCallOptions) {
    return this.call("invoices", { ...NOTHING, query }, options);
  }

  /** An invoice. Rejects as `call` does. */
  invoice(id: string, options: GatewayCallOptions) {
    return this.call("invoice", { ...NOTHING, params: { id } }, options);
  }

  /** A part of the payments of an invoice. Rejects as `call` does. */
  invoicePayments(id: string, query: Query<"invoicePayments">, options: GatewayCallOptions) {
    return this.call("invoicePayments", { ...NOTHING, params: { id }, query }, options);
  }

  /** A part of the settled payments of an invoice, with their receipts. Rejects as `call` does. */
  invoiceReceipts(id: string, query: Query<"invoiceReceipts">, options: GatewayCallOptions) {
    return this.call("invoiceReceipts", { ...NOTHING, params: { id }, query }, options);
  }

  /** A part of the events of an invoice. Rejects as `call` does. */
  invoiceEvents(id: string, query: Query<"invoiceEvents">, options: GatewayCallOptions) {
    return this.call("invoiceEvents", { ...NOTHING, params: { id }, query }, options);
  }

  /** Replaces the metadata of an invoice. Rejects as `call` does. */
  updateInvoice(id: string, body: Body<"updateInvoice">, options: GatewayCallOptions) {
    return this.call("updateInvoice", { ...NOTHING, params: { id }, body }, options);
  }

  /** Takes an invoice out of the lists. Rejects as `call` does. */
  archiveInvoice(id: string, options: GatewayCallOptions) {
    return this.call("archiveInvoice", { ...NOTHING, params: { id } }, options);
  }

  /** Puts an invoice back into the lists. Rejects as `call` does. */
  unarchiveInvoice(id: string, options: GatewayCallOptions) {
    return this.call("unarchiveInvoice", { ...NOTHING, params: { id } }, options);
  }

  /** Says by hand what an invoice counts as. Rejects as `call` does. */
  markInvoice(id: string, body: Body<"markInvoice">, options: GatewayCallOptions) {
    return this.call("markInvoice", { ...NOTHING, params: { id }, body }, options);
  }

  /** Gives an expired invoice new time. Rejects as `call` does. */
  extendInvoice(id: string, body: Body<"extendInvoice">, options: GatewayCallOptions) {
    return this.call("extendInvoice", { ...NOTHING, params: { id }, body }, options);
  }

  /** Offers money of an invoice back. Rejects as `call` does. */
  createRefund(id: string, body: Body<"createRefund">, options: GatewayCallOptions) {
    return this.call("createRefund", { ...NOTHING, params: { id }, body }, options);
  }

  /** A part of the list of refunds. Rejects as `call` does. */
  refunds(query: Query<"refunds">, options: GatewayCallOptions) {
    return this.call("refunds", { ...NOTHING, query }, options);
  }

  /** A refund. Rejects as `call` does. */
  refund(id: string, options: GatewayCallOptions) {
    return this.call("refund", { ...NOTHING, params: { id } }, options);
  }

  /** Lets a refund be paid to the address that was seen. Rejects as `call` does. */
  approveRefund(id: string, body: Body<"approveRefund">, options: GatewayCallOptions) {
    return this.call("approveRefund", { ...NOTHING, params: { id }, body }, options);
  }

  /** Takes back a refund. Rejects as `call` does. */
  cancelRefund(id: string, options: GatewayCallOptions) {
    return this.call("cancelRefund", { ...NOTHING, params: { id } }, options);
  }

  /** The endpoints for webhooks. Rejects as `call` does. */
  webhooks(options: GatewayCallOptions) {
    return this.call("webhooks", NOTHING, options);
  }

  /** Adds an endpoint; the answer alone has its secret. Rejects as `call` does. */
  createWebhook(body: Body<"createWebhook">, options: GatewayCallOptions) {
    return this.call("createWebhook", { ...NOTHING, body }, options);
  }

  /** An endpoint. Rejects as `call` does. */
  webhook(id: string, options: GatewayCallOptions) {
    return this.call("webhook", { ...NOTHING, params: { id } }, options);
  }

  /** Changes an endpoint. Rejects as `call` does. */
  updateWebhook(id: string, body: Body<"updateWebhook">, options: GatewayCallOptions) {
    return this.call("updateWebhook", { ...NOTHING, params: { id }, body }, options);
  }

  /** Removes an endpoint. Rejects as `call` does. */
  removeWebhook(id: string, options: GatewayCallOptions) {
    return this.call("removeWebhook", { ...NOTHING, params: { id } }, options);
  }

  /** Sends a test event to an endpoint. Rejects as `call` does. */
  pingWebhook(id: string, options: GatewayCallOptions) {
    return this.call("pingWebhook", { ...NOTHING, params: { id } }, options);
  }

  /** Makes a new secret for an endpoint; the answer alone has it. Rejects as `call` does. */
  rotateSecret(id: string, body: Body<"rotateSecret">, options: GatewayCallOptions) {
    return this.call("rotateSecret", { ...NOTHING, params: { id }, body }, options);
  }

  /** A part of the deliveries to an endpoint. Rejects as `call` does. */
  deliveries(id: string, query: Query<"deliveries">, options: GatewayCallOptions) {
    return this.call("deliveries", { ...NOTHING, params: { id }, query }, options);
  }

  /** A delivery with its body. Rejects as `call` does. */
  delivery(id: string, delivery: string, options: GatewayCallOptions) {
    return this.call("delivery", { ...NOTHING, params: { id, delivery } }, options);
  }

  /** Sends a delivery again. Rejects as `call` does. */
  redeliver(id: string, delivery: string, options: GatewayCallOptions) {
    return this.call("redeliver", { ...NOTHING, params: { id, delivery } }, options);
  }

  /** What the payer of an invoice is shown. Rejects as `call` does. */
  checkout(id: string, options: GatewayCallOptions) {
    return this.call("checkout", { ...NOTHING, params: { id } }, options);
  }

  /** A part of the settled payments of an invoice, with their receipts, for its payer. Rejects as `call` does. */
  checkoutReceipts(id: string, query: Query<"checkoutReceipts">, options: GatewayCallOptions) {
    return this.call("checkoutReceipts", { ...NOTHING, params: { id }, query }, options);
  }

  /** Asks for time to pay an expired invoice. Rejects as `call` does. */
  topUpCheckout(id: string, options: GatewayCallOptions) {
    return this.call("topUpCheckout", { ...NOTHING, params: { id } }, options);
  }

  /** What the payer is shown of a refund. Rejects as `call` does. */
  claim(claim: string, options: GatewayCallOptions) {
    return this.call("claim", { ...NOTHING, params: { claim } }, options);
  }

  /** Says where a refund shall go to. Rejects as `call` does. */
  fillClaim(claim: string, body: Body<"fillClaim">, options: GatewayCallOptions) {
    return this.call("fillClaim", { ...NOTHING, params: { claim }, body }, options);
  }

  /** Makes a challenge of x402. Rejects as `call` does. */
  createChallenge(body: Body<"createChallenge">, options: GatewayCallOptions) {
    return this.call("createChallenge", { ...NOTHING, body }, options);
  }

  /** Hands over a payment of a challenge. Rejects as `call` does. */
  uploadPayment(body: Body<"uploadPayment">, options: GatewayCallOptions) {
    return this.call("uploadPayment", { ...NOTHING, body }, options);
  }

  /** Checks a payment of a challenge. Rejects as `call` does. */
  verifyPayment(body: Body<"verifyPayment">, options: GatewayCallOptions) {
    return this.call("verifyPayment", { ...NOTHING, body }, options);
  }

  /** Broadcasts a payment of a challenge. Rejects as `call` does. */
  settlePayment(body: Body<"settlePayment">, options: GatewayCallOptions) {
    return this.call("settlePayment", { ...NOTHING, body }, options);
  }

  /** What the facilitator takes. Rejects as `call` does. */
  supportedPayments(options: GatewayCallOptions) {
    return this.call("supportedPayments", NOTHING, options);
  }

  /** Takes the price of a request from a session. Rejects as `call` does. */
  spendSession(body: Body<"spendSession">, options: GatewayCallOptions) {
    return this.call("spendSession", { ...NOTHING, body }, options);
  }

  /** The price of a coin. Rejects as `call` does. */
  rates(query: Query<"rates">, options: GatewayCallOptions) {
    return this.call("rates", { ...NOTHING, query }, options);
  }

  /** What an invoice of a price would ask for now. Rejects as `call` does. */
  quote(body: Body<"quote">, options: GatewayCallOptions) {
    return this.call("quote", { ...NOTHING, body }, options);
  }

  /** What the API key may do. Rejects as `call` does. */
  ownKey(options: GatewayCallOptions) {
    return this.call("ownKey", NOTHING, options);
  }

  /** Whether the gateway answers. Rejects as `call` does. */
  health(options: GatewayCallOptions) {
    return this.call("health", NOTHING, options);
  }

  /** Whether the process is alive. Rejects as `call` does. */
  live(options: GatewayCallOptions) {
    return this.call("live", NOTHING, options);
  }

  /** Whether invoices can be made and payments are seen; an answer with 503 too. Rejects as `call` does. */
  ready(options: GatewayCallOptions) {
    return this.call("ready", NOTHING, options);
  }

  /** Makes the call of a row. The API key goes with the rows that need one alone. Rejects as the head of this file says. */
  async call<R extends GatewayCallName>(
    name: R,
    input: GatewayInput<R>,
    options: GatewayCallOptions,
  ): Promise<GatewayResult<R>> {
    const row: GatewayRoutes[R] = GATEWAY_ROUTES[name];
    const { signal, idempotencyKey } = options;
    const headers = {
      ...(this.#apiKey === null || row.credential === "none"
        ? {}
        : { Authorization: `Bearer ${this.#apiKey}` }),
      ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
    };
    const answer = await this.#transport.ask(row, input, { signal, headers });
    return this.#transport.answerOf<GatewayRoutes[R]["answer"]>(row.answer, answer);
  }
}
