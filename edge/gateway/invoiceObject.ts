/** Durable Object of one invoice. */
import type { TimestampMs } from "@svc/shared/base/brand.ts";
import { DueObject } from "../platform/dueObject.ts";
import type { GatewayEnv } from "./gatewayEnv.ts";

/** The object of an invoice. It is woken by its alarm or by the sweep. */
export class InvoiceObject extends DueObject<GatewayEnv> {
  protected override readonly kind = "INVOICES";

  protected override onDue(): Promise<TimestampMs | null> {
    return Promise.resolve(null);
  }
}
