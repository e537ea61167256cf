/** Interface of the queue that a sender of webhooks works off. What it holds outlives the program. */
import type { TimestampMs } from "@svc/shared/base/brand.ts";
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import type { WebhookForm } from "@svc/shared/protocol/webhook/webhookForm.ts";
import type { WebhookReach } from "@svc/shared/protocol/webhook/webhookTarget.ts";

/** A delivery whose time has come. */
export type DueDelivery = {
  /** Names it to the queue. */
  readonly key: string;
  /** Deliveries of one lane are made one after the other. */
  readonly lane: string;
  /** Tries that have failed. */
  readonly attempts: number;
  /** When it was made. */
  readonly createdMs: TimestampMs;
};

/** Where a delivery goes, and what it is signed with. */
export type WebhookEndpoint = {
  readonly url: URL;
  readonly reach: WebhookReach;
  /** Text, from a configuration. */
  readonly secret: string;
  /** `svc` when left out. */
  readonly form?: WebhookForm;
};

/** The content of a delivery. */
export type DeliveryContent = {
  readonly endpoint: WebhookEndpoint;
  /** The event's id: the same at each try. */
  readonly id: string;
  readonly type: string;
  readonly body: Uint8Array;
};

/** How a try ended. */
export type DeliveryOutcome =
  | { readonly kind: "delivered" }
  | { readonly kind: "again"; readonly atMs: TimestampMs; readonly error: ErrorJson }
  /** A dead letter: it stays, and goes out again when somebody asks for it. */
  | { readonly kind: "dead"; readonly error: ErrorJson };

/** The queue of a sender. Throws `store/…`. */
export interface DeliveryQueue {
  /** At most `limit` deliveries that are due, those due longest first; of a lane in order, the first alone. */
  due(nowMs: TimestampMs, limit: number): readonly DueDelivery[];
  /** When the next one is due; null for never. */
  nextMs(): TimestampMs | null;
  /** What to send; null for one that is no longer there. */
  content(delivery: DueDelivery): DeliveryContent | null;
  /** Writes down how a try ended. */
  settle(delivery: DueDelivery, outcome: DeliveryOutcome): void;
}
