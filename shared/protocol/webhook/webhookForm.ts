/** The forms in which a webhook is told of events. */

/** `svc`: the gateway's own events and signatures. `greenfield`: those of BTCPay's Greenfield API. */
export const WEBHOOK_FORMS = ["svc", "greenfield"] as const;

/** One of these words. */
export type WebhookForm = (typeof WEBHOOK_FORMS)[number];
