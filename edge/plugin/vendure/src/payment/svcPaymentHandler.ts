import {
  LanguageCode,
  Logger,
  PaymentMethodHandler,
  type Injector,
  type Order,
  type Payment,
  type SettlePaymentErrorResult,
} from "@vendure/core";
import { GatewayClient } from "../gateway/gatewayClient.ts";
import { GatewayFailure } from "../gateway/gatewayFailure.ts";
import { noteOf } from "../order/invoiceNote.ts";
import { InvoiceStart } from "./invoiceStart.ts";
import { isFinal } from "../gateway/invoiceRecord.ts";
import { HANDLER_CODE } from "../order/paymentStates.ts";
import { LOG_CONTEXT } from "../base/pluginOptions.ts";
import { RefundClaims } from "./refundClaims.ts";

type Parts = {
  readonly starts: InvoiceStart;
  readonly client: GatewayClient;
  readonly refunds: RefundClaims;
};

/** Text for a customer whose payment cannot be started; the log has the reason. */
const NOT_STARTED = "The payment could not be started. Please try again, or choose another method.";

let parts: Parts | null = null;

/** The payment handler. It has no arguments: its settings are the plugin's, so that no secret is in the database or in an API. */
export const svcPaymentHandler = new PaymentMethodHandler({
  code: HANDLER_CODE,
  description: [{ languageCode: LanguageCode.en, value: "Shielded payment by a merchant gateway" }],
  args: {},
  init(injector: Injector) {
    parts = {
      starts: injector.get(InvoiceStart),
      client: injector.get(GatewayClient),
      refunds: injector.get(RefundClaims),
    };
  },
  async createPayment(ctx, order, amount) {
    try {
      return await theParts().starts.start(ctx, order, amount);
    } catch (error) {
      if (!(error instanceof GatewayFailure)) throw error;
      Logger.warn(`order ${order.code}: no payment: ${error.message}`, LOG_CONTEXT);
      return { amount, state: "Error", errorMessage: NOT_STARTED, metadata: {} };
    }
  },
  async settlePayment(_ctx, order, payment) {
    const obstacle = await obstacleOf(order, payment);
    return obstacle === null ? { success: true } : obstacle;
  },
  cancelPayment() {
    return { success: true };
  },
  createRefund(ctx, input, amount, order, payment) {
    return theParts().refunds.open(ctx, order, payment, { amount, reason: input.reason ?? "" });
  },
});

/** Whoever asks to settle a payment, a webhook or a person: the gateway's record decides. Null where it may be settled. */
async function obstacleOf(
  order: Order,
  payment: Payment,
): Promise<SettlePaymentErrorResult | null> {
  const { state } = payment;
  if (state === "Settled") return null;
  const note = noteOf(payment);
  // It stays as it is: the payment may still be confirmed.
  const waits = (errorMessage: string) => ({ success: false, state, errorMessage }) as const;
  if (note === null) return waits("The payment has no invoice.");
  try {
    const record = await theParts().client.readInvoice(note.invoice);
    const isOurs =
      record.id === note.invoice &&
      record.orderId === order.code &&
      String(record.amountSompi) === note.amountSompi;
    if (!isOurs) return waits("The gateway's invoice is of another order or amount.");
    return isFinal(record) ? null : waits(`The invoice is not confirmed: it is ${record.status}.`);
  } catch (error) {
    if (!(error instanceof GatewayFailure)) throw error;
    return waits("The gateway could not be asked.");
  }
}

function theParts(): Parts {
  if (parts === null) throw new Error("the payment handler was not started");
  return parts;
}
