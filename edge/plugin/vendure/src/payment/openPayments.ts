import { Injectable, type OnApplicationBootstrap } from "@nestjs/common";
import {
  EventBus,
  isGraphQlErrorResult,
  Logger,
  OrderStateTransitionEvent,
  PaymentService,
} from "@vendure/core";
import { PaymentBook } from "../order/paymentBook.ts";
import { LOG_CONTEXT } from "../base/pluginOptions.ts";

/**
 * Cancels payments that nobody waits for any more. A payment that was begun counts as if it covered the order: a customer who goes
 * back to the cart, to change it or to pay in another way, would have nothing to pay afterwards.
 */
@Injectable()
export class OpenPayments implements OnApplicationBootstrap {
  readonly #events: EventBus;
  readonly #book: PaymentBook;
  readonly #payments: PaymentService;

  constructor(events: EventBus, book: PaymentBook, payments: PaymentService) {
    this.#events = events;
    this.#book = book;
    this.#payments = payments;
  }

  /** Listens to orders. */
  onApplicationBootstrap(): void {
    this.#events.registerBlockingEventHandler({
      event: OrderStateTransitionEvent,
      id: "svc-gateway-open-payments",
      handler: async (event) => {
        if (event.toState === "AddingItems" || event.toState === "Cancelled")
          await this.#end(event);
      },
    });
  }

  async #end({ ctx, order }: OrderStateTransitionEvent): Promise<void> {
    for (const { payment } of await this.#book.ofOrder(ctx, order.id)) {
      if (payment.state !== "Created") continue;
      const result = await this.#payments.cancelPayment(ctx, payment.id);
      if (isGraphQlErrorResult(result)) {
        Logger.warn(`order ${order.code}: payment ${payment.id} was not cancelled`, LOG_CONTEXT);
      }
    }
  }
}
