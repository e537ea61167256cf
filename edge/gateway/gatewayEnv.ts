/** What the gateway's Worker is given by `wrangler.toml` and by its operator. */
import type { WebhookMessage } from "./deliveryStore.ts";
import type { InvoiceObject } from "./objects/invoiceObject.ts";
import type { MerchantObject } from "./objects/merchantObject.ts";
import type { RateObject } from "./objects/rateObject.ts";
import type { ScannerObject } from "./objects/scannerObject.ts";

/** Bindings, variables and secrets. */
export type GatewayEnv = {
  /** Lists, merchants, keys, deliveries, due times, and where the scanner stands. */
  readonly DB: D1Database;
  /** One object for each invoice, by its id. */
  readonly INVOICES: DurableObjectNamespace<InvoiceObject>;
  /** One object for each viewing key: addresses, and idempotency keys of its merchants. */
  readonly MERCHANTS: DurableObjectNamespace<MerchantObject>;
  /** One object that applies what the scanner tells. */
  readonly SCANNERS: DurableObjectNamespace<ScannerObject>;
  /** Objects that count the calls of callers, by part of these. */
  readonly RATES: DurableObjectNamespace<RateObject>;
  readonly WEBHOOKS: Queue<WebhookMessage>;
  /** Files beside the Worker: the script of the checkout pages. Without them the pages have none. */
  readonly ASSETS?: Pick<Fetcher, "fetch">;
  /** Secret: the master keys, as `SecretBox.of` reads them. */
  readonly SVC_MASTER_KEY: string;
  /** Secret: signs what the scanner tells. Without it nobody is listened to. */
  readonly SVC_INGEST_SECRET?: string;
  /** Secret: signs what the operator does with merchants and keys. Without it nobody is listened to. */
  readonly SVC_ADMIN_SECRET?: string;
  /** The scanner that is listened to. */
  readonly SVC_SCANNER: string;
  /** Name of the network. */
  readonly SVC_NETWORK: string;
  /** Code of the network's coin for shops that speak BTCPay's API: the prefix of its addresses, in capitals. */
  readonly SVC_COIN: string;
  /** Where payers and shops reach the gateway, without a slash at its end. */
  readonly SVC_PUBLIC_URL: string;
  /** Where webhooks may go: `public`, or `loopback` where the edge runs beside the shop. */
  readonly SVC_WEBHOOK_REACH: string;
};
