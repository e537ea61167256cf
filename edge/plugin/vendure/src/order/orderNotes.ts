import { Injectable } from "@nestjs/common";
import { HistoryEntryType } from "@vendure/common/lib/generated-types";
import { HistoryService, Logger, type Order, type RequestContext } from "@vendure/core";
import { LOG_CONTEXT } from "../base/pluginOptions.ts";

/** What a merchant has to know of an order: notes in its history, which customers do not see. */
@Injectable()
export class OrderNotes {
  readonly #history: HistoryService;

  constructor(history: HistoryService) {
    this.#history = history;
  }

  /** Writes a note. */
  async add(ctx: RequestContext, order: Order, note: string): Promise<void> {
    const type = HistoryEntryType.ORDER_NOTE;
    await this.#history.createHistoryEntryForOrder(
      { ctx, orderId: order.id, type, data: { note } },
      false,
    );
  }

  /** Writes a note that asks for a decision, and a line in the log. */
  async alert(ctx: RequestContext, order: Order, note: string): Promise<void> {
    Logger.warn(`order ${order.code}: ${note}`, LOG_CONTEXT);
    await this.add(ctx, order, `Attention: ${note}`);
  }
}
