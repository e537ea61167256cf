/** Worker of the hosted gateway: its HTTP server, the consumer of the webhook queue, and the sweep of each minute. */
import { Hono } from "hono";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import type { WebhookReach } from "@svc/shared/protocol/webhook/webhookTarget.ts";
import { edgeNow } from "../platform/edgeClock.ts";
import { random32 } from "../platform/random32.ts";
import { SecretBox } from "../platform/secretBox.ts";
import { sweepDueTimes } from "../platform/sweepDueTimes.ts";
import { DeliveryStore } from "./deliveryStore.ts";
import type { GatewayEnv } from "./gatewayEnv.ts";
import { InvoiceObject } from "./invoiceObject.ts";
import { buryWebhooks, deliverWebhooks, sweepWebhooks } from "./webhookQueue.ts";

/** The name of the queue of dead letters ends so; `wrangler.toml` names both queues. */
const DEAD_QUEUE = /-dead$/;

const app = new Hono<{ Bindings: GatewayEnv }>();

app.get("/health", async ({ env, json }) => {
  await env.DB.prepare("SELECT 1").run();
  return json({ ok: true });
});

export { InvoiceObject };

export default {
  fetch: app.fetch,

  async queue({ queue, messages }, env) {
    const deliveries = new DeliveryStore(env.DB);
    if (DEAD_QUEUE.test(queue)) {
      await buryWebhooks(messages, { deliveries, now: edgeNow });
      return;
    }
    const secrets = await SecretBox.of(env.SVC_MASTER_KEY);
    const reach = reachOf(env.SVC_WEBHOOK_REACH);
    await deliverWebhooks(messages, {
      ...{ deliveries, secrets, reach },
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

/** Anything but `loopback` is `public`: a mistyped variable opens nothing. */
function reachOf(text: string): WebhookReach {
  return text === "loopback" ? text : "public";
}
