/** Interface (port) to the webhooks of merchants, and to the deliveries of events to them. */
import type { InvoiceId, MerchantId, TimestampMs } from "../base/brand.ts";
import type { ErrorJson } from "../base/svcError.ts";
import type { InvoiceEventType } from "../protocol/gateway/webhookEvent.ts";
import type { WebhookForm } from "../protocol/webhook/webhookForm.ts";
import type { GreenfieldEventType } from "./greenfield/greenfieldEventType.ts";
import type { Page, RequestKey } from "./gatewayPorts.ts";

/** A webhook. */
export type Webhook = {
  /** `wh_` and 32 hex digits. */
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly form: WebhookForm;
  /** Types that it gets; null for all, and for one of another form. */
  readonly events: readonly InvoiceEventType[] | null;
  /** Types of the form `greenfield` that it gets; null for all, and for one of another form. */
  readonly greenfieldEvents: readonly GreenfieldEventType[] | null;
  readonly disabledBy: "merchant" | "failures" | null;
  /** When the newest secret begins to sign; null when it does already. */
  readonly secretSwitchMs: TimestampMs | null;
  readonly createdMs: TimestampMs;
  readonly updatedMs: TimestampMs;
};

/** What a webhook is made from, or changed to: what is undefined stays as it is. */
export type WebhookWish = {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly events?: readonly InvoiceEventType[] | null | undefined;
  readonly greenfieldEvents?: readonly GreenfieldEventType[] | null | undefined;
  readonly enabled?: boolean | undefined;
  /** One that its merchant chose: it signs at once. */
  readonly secret?: string | undefined;
};

/** A webhook to make. It stays in its form. */
export type NewWebhook = WebhookWish & {
  readonly url: string;
  /** `svc` when left out. */
  readonly form?: WebhookForm | undefined;
};

/** A delivery of an event to a webhook. */
export type Delivery = {
  /** `dlv_` and 32 hex digits. */
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly invoiceId: InvoiceId | null;
  readonly state: "waiting" | "delivered" | "dead";
  readonly attempts: number;
  readonly createdMs: TimestampMs;
  readonly dueMs: TimestampMs;
  readonly error: ErrorJson | null;
};

/** A webhook and the secret that it was given: shown once. */
export type WebhookSecret = {
  readonly webhook: Webhook;
  readonly secret: string;
  readonly isReplay: boolean;
};

/** The webhooks. All but `list` and `create` reject with `gateway/no-webhook`. */
export interface WebhookPort {
  list(merchant: MerchantId): Promise<readonly Webhook[]>;
  /** Rejects with `webhook/bad-target`, `gateway/too-many-webhooks`, `gateway/idempotency-conflict`. */
  create(
    merchant: MerchantId,
    wish: NewWebhook,
    request: RequestKey | null,
  ): Promise<WebhookSecret>;
  get(merchant: MerchantId, id: string): Promise<Webhook>;
  /** Rejects with `webhook/bad-target`. */
  update(merchant: MerchantId, id: string, wish: WebhookWish): Promise<Webhook>;
  /** Forgets it with its deliveries. */
  remove(merchant: MerchantId, id: string): Promise<void>;
  /** Sends an event that carries no invoice. */
  ping(merchant: MerchantId, id: string): Promise<Delivery>;
  /** Makes a new secret, which signs `switchInMs` from now on. */
  rotate(merchant: MerchantId, id: string, switchInMs: bigint): Promise<WebhookSecret>;
  /** The deliveries, the newest first. `onlyDead`: those that were given up. */
  deliveries(
    merchant: MerchantId,
    id: string,
    question: {
      readonly onlyDead: boolean;
      readonly cursor: string | null;
      readonly limit: number;
    },
  ): Promise<Page<Delivery>>;
  /** A delivery and its body. Rejects with `gateway/no-delivery`. */
  delivery(
    merchant: MerchantId,
    id: string,
    delivery: string,
  ): Promise<{ readonly delivery: Delivery; readonly body: string }>;
  /** Sends the event of a delivery again, as a delivery of its own. Rejects with `gateway/no-delivery`. */
  redeliver(merchant: MerchantId, id: string, delivery: string): Promise<Delivery>;
}
