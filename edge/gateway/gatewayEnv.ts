/** What the gateway's Worker is given by `wrangler.toml` and by its operator. */
import type { WebhookMessage } from "./deliveryStore.ts";
import type { InvoiceObject } from "./invoiceObject.ts";

/** Bindings, variables and secrets. */
export type GatewayEnv = {
  /** Lists, keys, deliveries, due times. */
  readonly DB: D1Database;
  /** One object for each invoice. */
  readonly INVOICES: DurableObjectNamespace<InvoiceObject>;
  readonly WEBHOOKS: Queue<WebhookMessage>;
  /** Secret: the master keys, as `SecretBox.of` reads them. */
  readonly SVC_MASTER_KEY: string;
  /** Where webhooks may go: `public`, or `loopback` where the edge runs beside the shop. */
  readonly SVC_WEBHOOK_REACH: string;
};
