import { Logger, ScheduledTask } from "@vendure/core";
import { GatewayFailure } from "../gateway/gatewayFailure.ts";
import { InvoiceSync } from "./invoiceSync.ts";
import { PaymentBook } from "./paymentBook.ts";
import { LOG_CONTEXT, OPTIONS, type CheckedOptions } from "../base/pluginOptions.ts";

/** The hourly task that reads invoices again, so that no order hangs on a webhook that never came. */
export const reconcileTask = new ScheduledTask({
  id: "svc-gateway-reconcile",
  description: "Reads invoices of the SVC gateway again",
  schedule: (time) => time.everyHour(),
  async execute({ injector }) {
    const [book, sync] = [injector.get(PaymentBook), injector.get(InvoiceSync)];
    const { nowS } = injector.get<CheckedOptions>(OPTIONS);
    const invoices = await book.watchedInvoices(await book.anyContext(), nowS());
    let applied = 0;
    for (const invoice of invoices) {
      try {
        if ((await sync.sync(invoice, null)) === "applied") applied += 1;
      } catch (error) {
        Logger.warn(`${invoice} was not reconciled: ${String(error)}`, LOG_CONTEXT);
        if (error instanceof GatewayFailure && error.kind === "unreachable") break;
      }
    }
    return { read: invoices.length, applied };
  },
});
