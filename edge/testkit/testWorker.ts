/** The gateway's Worker with an object beside it whose time and work the tests choose. */
import { asTimestampMs, type TimestampMs } from "@svc/shared/base/brand.ts";
import gatewayWorker, {
  InvoiceObject,
  MerchantObject,
  RateObject,
  ScannerObject,
} from "../gateway/gatewayWorker.ts";
import type { WebhookMessage } from "../gateway/deliveryStore.ts";
import { DueObject } from "../platform/dueObject.ts";
import { HELD_MERCHANTS } from "./heldQueue.ts";
import type { TestEnv } from "./testEnv.ts";

export { InvoiceObject, MerchantObject, RateObject, ScannerObject };

/** An object that is due when it is told so. */
export class ProbeObject extends DueObject<TestEnv> {
  protected override readonly kind = "PROBES";
  /** Its clock. */
  time: TimestampMs = asTimestampMs(0n);
  /** When its work was called. */
  readonly runs: TimestampMs[] = [];
  /** What its work does. */
  work: () => Promise<TimestampMs | null> = () => Promise.resolve(null);

  protected override now(): TimestampMs {
    return this.time;
  }

  protected override onDue(now: TimestampMs): Promise<TimestampMs | null> {
    this.runs.push(now);
    return this.work();
  }

  /** As a caller of the object would set it. */
  waitUntil(due: TimestampMs | null): Promise<void> {
    return this.setDue(due);
  }

  /** What it waits for. */
  waitsFor(): Promise<TimestampMs | null> {
    return this.due();
  }
}

export default {
  ...gatewayWorker,

  async queue(batch, env) {
    const mine = batch.messages.filter(({ body }) => !HELD_MERCHANTS.has(body.merchant));
    if (mine.length > 0) await gatewayWorker.queue({ ...batch, messages: mine }, env);
  },
} satisfies ExportedHandler<TestEnv, WebhookMessage>;
