/** Handlers of the payer, who knows the id of an invoice and has no key (gateway sheet 7.4). */
import { asTimestampMs, type InvoiceId } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import type { Invoice } from "../../invoice/invoice.ts";
import { canTopUp } from "../checkoutRecordOf.ts";
import { checkoutOf, findInvoice } from "../findCheckout.ts";
import { StreamedAnswer, type GatewayHandlers } from "../gatewayHandlers.ts";
import type { InvoicePort, MerchantPort } from "../gatewayPorts.ts";
import type { RecordPlace } from "../invoiceRecordOf.ts";
import type { PricePort } from "../pricePort.ts";
import { extensionOf } from "./extensionOf.ts";

/** Hears of changes of invoices. */
export interface InvoiceWatchPort {
  /**
   * Ticks of an invoice, at most one waiting: `changed` when it or the tip may have changed, `quiet` when nothing did for a while. Ends
   * with the signal. Throws `http/unavailable` when too many watch.
   */
  watch(id: InvoiceId, signal: AbortSignal): AsyncIterable<"changed" | "quiet">;
}

/** Dependencies. */
export type CheckoutHandlerParts = {
  readonly invoices: InvoicePort;
  readonly merchants: Pick<MerchantPort, "merchant">;
  readonly prices: PricePort;
  readonly changes: InvoiceWatchPort;
  readonly place: () => RecordPlace;
};

type Rows = "checkout" | "topUpCheckout" | "checkoutEvents";

/** ms that a browser waits before it asks again for a stream that broke. */
const RETRY = "retry: 3000\n\n";
/** Keeps proxies from closing a stream on which nothing happens. */
const QUIET = ": quiet\n\n";

/** Makes the handlers. */
export function checkoutHandlers(parts: CheckoutHandlerParts): Pick<GatewayHandlers, Rows> {
  const { invoices, place } = parts;
  const find = (id: string): Promise<Invoice> => findInvoice(id, parts);
  const record = (invoice: Invoice) => checkoutOf(invoice, parts);
  return {
    checkout: async ({ params }) => record(await find(params.id)),
    topUpCheckout: async ({ params }) => {
      const invoice = await find(params.id);
      const { nowMs } = place();
      if (!canTopUp(invoice, nowMs)) {
        throw new SvcError("gateway/wrong-state", { status: invoice.told.status });
      }
      // As long as the merchant gave at first: a payer cannot choose.
      const lifeMs = invoice.terms.lifeMs;
      const expiresMs = asTimestampMs(nowMs + lifeMs);
      const { input, allow } = await extensionOf(invoice, parts.prices, { nowMs, expiresMs });
      return record(await invoices.change(invoice.terms.id, input, allow));
    },
    checkoutEvents: async ({ params, signal }) => {
      const { terms } = await find(params.id);
      const ticks = parts.changes.watch(terms.id, signal);
      const told = async (): Promise<string> => JSON.stringify(await record(await find(terms.id)));
      return new StreamedAnswer(streamOf(ticks, told));
    },
  };
}

/** The record at once and then whenever it is another one, its clock apart. */
async function* streamOf(
  ticks: AsyncIterable<"changed" | "quiet">,
  told: () => Promise<string>,
): AsyncGenerator<string, void> {
  let last = await told();
  yield `${RETRY}${eventOf(last)}`;
  for await (const tick of ticks) {
    const now = tick === "changed" ? await told() : last;
    if (withoutClock(now) === withoutClock(last)) {
      if (tick === "quiet") yield QUIET;
      continue;
    }
    last = now;
    yield eventOf(now);
  }
}

function withoutClock(json: string): string {
  return json.replace(/,"serverTime":\d+/, "");
}

function eventOf(json: string): string {
  const [, version = "0"] = /"version":(\d+)/.exec(json) ?? [];
  return `event: invoice\nid: ${version}\ndata: ${json}\n\n`;
}
