/**
 * The table of the gateway API: one row for each call that is served. Server, typed client, OpenAPI document and reference page
 * are made from it, and the server has a handler for each row.
 */
import type { AnswerOf, InputOf, ResultOf } from "../contract/routeTypes.ts";
import { CHANGE_ROUTES } from "./routes/changeRoutes.ts";
import { CHECKOUT_ROUTES } from "./routes/checkoutRoutes.ts";
import { INVOICE_ROUTES } from "./routes/invoiceRoutes.ts";
import { RECEIPT_ROUTES } from "./routes/receiptRoutes.ts";
import { REFUND_ROUTES } from "./routes/refundRoutes.ts";
import { SERVICE_ROUTES } from "./routes/serviceRoutes.ts";
import { TILL_ROUTES } from "./routes/tillRoutes.ts";
import { WEBHOOK_ROUTES } from "./routes/webhookRoutes.ts";
import { X402_ROUTES } from "./routes/x402Routes.ts";

/** The rows by their names. */
export const GATEWAY_ROUTES = {
  ...INVOICE_ROUTES,
  ...CHANGE_ROUTES,
  ...REFUND_ROUTES,
  ...WEBHOOK_ROUTES,
  ...CHECKOUT_ROUTES,
  ...RECEIPT_ROUTES,
  ...X402_ROUTES,
  ...SERVICE_ROUTES,
  ...TILL_ROUTES,
} as const;

/** The table. */
export type GatewayRoutes = typeof GATEWAY_ROUTES;
/** Name of a row. */
export type GatewayRouteName = keyof GatewayRoutes;

/** The parts of a request as a client writes them. */
export type GatewayInput<R extends GatewayRouteName> = InputOf<GatewayRoutes[R]>;

/** The answer as a client reads it. */
export type GatewayResult<R extends GatewayRouteName> = ResultOf<GatewayRoutes[R]>;

/** The answer as a handler writes it: what a client may find absent is always there. */
export type GatewayAnswer<R extends GatewayRouteName> = AnswerOf<GatewayRoutes[R]>;
