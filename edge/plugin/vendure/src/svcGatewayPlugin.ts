import { PluginCommonModule, VendurePlugin, type Type } from "@vendure/core";
import { GatewayClient } from "./gateway/gatewayClient.ts";
import { InvoiceStart } from "./payment/invoiceStart.ts";
import { InvoiceSync } from "./order/invoiceSync.ts";
import { OpenPayments } from "./payment/openPayments.ts";
import { OrderNotes } from "./order/orderNotes.ts";
import { OrderUpdate } from "./order/orderUpdate.ts";
import { PaymentBook } from "./order/paymentBook.ts";
import {
  checkOptions,
  OPTIONS,
  type CheckedOptions,
  type SvcGatewayOptions,
} from "./base/pluginOptions.ts";
import { reconcileTask } from "./order/reconcileTask.ts";
import { RefundClaims } from "./payment/refundClaims.ts";
import { svcPaymentHandler } from "./payment/svcPaymentHandler.ts";
import { readWebhook } from "./webhook/readWebhook.ts";
import { waitingPayment, waitingRefund } from "./payment/waitingStates.ts";
import { WEBHOOK_PATH, WebhookController } from "./webhook/webhookController.ts";

let checked: CheckedOptions | null = null;

/** The options that `init` was given. */
function theOptions(): CheckedOptions {
  if (checked === null) throw new Error("SvcGatewayPlugin.init was not called");
  return checked;
}

/**
 * Takes shielded payments in a Vendure shop, by a merchant gateway:
 * `plugins: [SvcGatewayPlugin.init({gatewayUrl, apiKey, webhookSecret, conversion})]`.
 */
@VendurePlugin({
  imports: [PluginCommonModule],
  compatibility: "^3.7.0",
  controllers: [WebhookController],
  providers: [
    { provide: OPTIONS, useFactory: theOptions },
    GatewayClient,
    PaymentBook,
    InvoiceStart,
    OrderNotes,
    OrderUpdate,
    InvoiceSync,
    RefundClaims,
    OpenPayments,
  ],
  configuration: (config) => {
    config.paymentOptions.paymentMethodHandlers.push(svcPaymentHandler);
    const { paymentOptions } = config;
    paymentOptions.process = [...(paymentOptions.process ?? []), waitingPayment];
    paymentOptions.refundProcess = [...(paymentOptions.refundProcess ?? []), waitingRefund];
    config.schedulerOptions.tasks = [...(config.schedulerOptions.tasks ?? []), reconcileTask];
    config.apiOptions.middleware.push({
      route: `/${WEBHOOK_PATH}`,
      beforeListen: true,
      handler: readWebhook,
    });
    return config;
  },
})
export class SvcGatewayPlugin {
  /** Sets the plugin up. Throws an `Error` that names each option that is wrong. */
  static init(options: SvcGatewayOptions): Type<SvcGatewayPlugin> {
    checked = checkOptions(options);
    return SvcGatewayPlugin;
  }
}
