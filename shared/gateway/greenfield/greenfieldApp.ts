/**
 * The BTCPay interface of the gateway, below `/btcpay`: what BTCPay's own plugins for shops call, over the gateway's ports. A shop that
 * spoke to a BTCPay Server changes the address, the key and the store's name.
 */
import { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { SvcError } from "../../base/svcError.ts";
import { countStranger } from "../callRates.ts";
import type { RecordPlace } from "../invoiceRecordOf.ts";
import type { InvoicePort } from "../gatewayPorts.ts";
import type { GatewayHealth } from "../handlers/serviceHandlers.ts";
import type { PricePort } from "../pricePort.ts";
import type { RefundPort } from "../refundPort.ts";
import type { WebhookPort } from "../webhookPort.ts";
import { addAuthorizePages } from "./authorizePages.ts";
import { greenfieldCall, type GreenfieldHost, type GreenfieldRow } from "./greenfieldCall.ts";
import { greenfieldInvoices } from "./greenfieldInvoices.ts";
import { greenfieldRefunds } from "./greenfieldRefunds.ts";
import { greenfieldRefusal } from "./greenfieldRefusal.ts";
import { greenfieldStores } from "./greenfieldStores.ts";
import { greenfieldWebhooks } from "./greenfieldWebhooks.ts";

/** What the interface stands over. */
export type GreenfieldParts = {
  readonly invoices: InvoicePort;
  readonly webhooks: WebhookPort;
  /** Null where the gateway pays nothing back: its rows are not there then. */
  readonly refunds: RefundPort | null;
  readonly prices: PricePort;
  readonly health: () => Promise<GatewayHealth>;
  readonly place: () => RecordPlace;
  /** Code of the network's coin (`coinCode`). */
  readonly coin: string;
};

/** The context of a request. */
type Env = { Variables: { requestId: string } };

/** Where it is mounted. */
export const GREENFIELD_PATH = "/btcpay";

const API = "/api/v1";
const JSON_HEADERS = { "Content-Type": "application/json", "Cache-Control": "no-store" };
const INVOICE = /^inv_[0-9a-f]{32}$/;
/** Characters of a foreign path in an error. */
const SHOWN = 80;

/** Makes it. */
export function greenfieldApp(parts: GreenfieldParts, host: GreenfieldHost): Hono<Env> {
  const app = new Hono<Env>();
  app.onError((thrown, c) => {
    const error = SvcError.from(thrown);
    host.onError(error, c.get("requestId"));
    const { status, headers, body } = greenfieldRefusal(error);
    return c.body(JSON.stringify(body), asStatus(status), { ...JSON_HEADERS, ...headers });
  });
  for (const row of rowsOf(parts)) {
    app.on(row.method, API + row.path, async (c) => {
      const call = await greenfieldCall(c, row, host);
      return c.body(JSON.stringify(await row.answer(call)), 200, JSON_HEADERS);
    });
  }
  app.get(`${API}/health`, async (c) => {
    await countStranger(c, "ready", host);
    const { reasons } = await parts.health();
    return c.body(JSON.stringify({ synchronized: reasons.length === 0 }), 200, JSON_HEADERS);
  });
  // Plugins send a payer back to an invoice by this path.
  app.get("/i/:id", (c) => {
    const id = c.req.param("id");
    if (!INVOICE.test(id)) throw new SvcError("gateway/no-invoice", {});
    return c.redirect(`${parts.place().publicUrl}/checkout/${id}`, 302);
  });
  addAuthorizePages(app, host, parts.refunds !== null);
  app.all("/*", (c) => {
    throw new SvcError("http/not-found", { path: c.req.path.slice(0, SHOWN) });
  });
  return app;
}

function rowsOf(parts: GreenfieldParts): readonly GreenfieldRow[] {
  const { refunds } = parts;
  return [
    ...greenfieldStores({ ...parts, hasRefunds: refunds !== null }),
    ...greenfieldInvoices(parts),
    ...greenfieldWebhooks(parts.webhooks),
    ...(refunds === null ? [] : greenfieldRefunds({ ...parts, refunds })),
  ];
}

function asStatus(status: number): ContentfulStatusCode {
  return isStatus(status) ? status : 500;
}

function isStatus(status: number): status is ContentfulStatusCode {
  return Number.isInteger(status) && status >= 400 && status < 600;
}
