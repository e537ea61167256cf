/** Worker of the hosted gateway: its HTTP server, the consumer of the webhook queue, and the sweep of each minute. */
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { edgeNow } from "../platform/edgeClock.ts";
import { random32 } from "../platform/random32.ts";
import { SecretBox } from "../platform/secretBox.ts";
import { sweepDueTimes } from "../platform/sweepDueTimes.ts";
import { DeliveryStore } from "./deliveryStore.ts";
import { edgeApp, reachOf, type EdgeApp } from "./edgeApp.ts";
import type { GatewayEnv } from "./gatewayEnv.ts";
import { InvoiceObject } from "./objects/invoiceObject.ts";
import { MerchantObject } from "./objects/merchantObject.ts";
import { RateObject } from "./objects/rateObject.ts";
import { ScannerObject } from "./objects/scannerObject.ts";
import { buryWebhooks, deliverWebhooks, sweepWebhooks } from "./webhookQueue.ts";

/** The name of the queue of dead letters ends so; `wrangler.toml` names both queues. */
const DEAD_QUEUE = /-dead$/;

/** The server of each environment: an instance of the Worker has one. */
const apps = new WeakMap<GatewayEnv, EdgeApp>();

export { InvoiceObject, MerchantObject, RateObject, ScannerObject };

export default {
  fetch(request, env) {
    const app = apps.get(env) ?? edgeApp(env);
    apps.set(env, app);
    return app(request);
  },

  async queue({ queue, messages }, env) {
    const deliveries = new DeliveryStore(env.DB);
    if (DEAD_QUEUE.test(queue)) {
      await buryWebhooks(messages, { deliveries, now: edgeNow });
      return;
    }
    const secrets = await SecretBox.of(env.SVC_MASTER_KEY);
    await deliverWebhooks(messages, {
      ...{ deliveries, secrets, reach: reachOf(env) },
      queue: env.WEBHOOKS,
      now: edgeNow,
      random: random32,
    });
  },

  async scheduled({ scheduledTime }, env) {
    const now = asTimestampMs(BigInt(scheduledTime));
    await sweepDueTimes(env.DB, now, new Map([["INVOICES", env.INVOICES]]));
    const deliveries = new DeliveryStore(env.DB);
    await sweepWebhooks({ deliveries, queue: env.WEBHOOKS, now: () => now });
  },
} satisfies ExportedHandler<GatewayEnv>;
