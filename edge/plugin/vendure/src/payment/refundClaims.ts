import { createHash } from "node:crypto";
import { Inject, Injectable } from "@nestjs/common";
import {
  Logger,
  Payment,
  TransactionalConnection,
  type CreateRefundResult,
  type Order,
  type RequestContext,
} from "@vendure/core";
import { GatewayClient } from "../gateway/gatewayClient.ts";
import { GatewayFailure } from "../gateway/gatewayFailure.ts";
import { trustedOrigin } from "../base/gatewayUrl.ts";
import { metadataOf, noteOf, type InvoiceNote } from "../order/invoiceNote.ts";
import type { RefundClaim } from "../gateway/invoiceRecord.ts";
import { refundKey } from "../gateway/invoiceRequest.ts";
import { ceilDiv, inCoins } from "../base/money.ts";
import { OrderNotes } from "../order/orderNotes.ts";
import { VENDURE_LIMITS } from "../base/pluginLimits.ts";
import { LOG_CONTEXT, OPTIONS, type CheckedOptions } from "../base/pluginOptions.ts";

/** A refund that the shop asks for, in the smallest unit of the order's currency. */
export type RefundWish = { readonly amount: number; readonly reason: string };

/**
 * Refund claims: the chain does not tell who paid, so the payer names an address on a page of the gateway, and the merchant approves
 * the refund there. The plugin opens the claim and hands its link to the merchant.
 */
@Injectable()
export class RefundClaims {
  readonly #options: CheckedOptions;
  readonly #client: GatewayClient;
  readonly #connection: TransactionalConnection;
  readonly #notes: OrderNotes;

  constructor(
    @Inject(OPTIONS) options: CheckedOptions,
    client: GatewayClient,
    connection: TransactionalConnection,
    notes: OrderNotes,
  ) {
    this.#options = options;
    this.#client = client;
    this.#connection = connection;
    this.#notes = notes;
  }

  /** Opens a claim; the refund is then pending until the merchant settles it. A claim that the gateway does not open is a failed refund. */
  async open(
    ctx: RequestContext,
    order: Order,
    payment: Payment,
    wish: RefundWish,
  ): Promise<CreateRefundResult> {
    const note = noteOf(payment);
    const sompi = note === null ? null : sompiOfRefund(note, payment, wish.amount);
    if (note === null || sompi === null) return { state: "Failed" };
    try {
      const claim = await this.#claim(ctx, order, note, bodyOf(sompi, wish.reason));
      if (trustedOrigin(claim.url) !== this.#options.checkoutOrigin) {
        throw new GatewayFailure("unexpected", "the claim is on a foreign page");
      }
      await this.#keep(ctx, payment, claim);
      await this.#notes.add(
        ctx,
        order,
        `A refund of ${inCoins(claim.amountSompi)} coins was opened. Send this link to the customer alone, who names an address there; then approve it at the gateway, and settle the refund here: ${claim.url}`,
      );
      return { state: "Pending", transactionId: claim.id };
    } catch (error) {
      if (!(error instanceof GatewayFailure)) throw error;
      Logger.warn(`order ${order.code}: no refund claim: ${error.message}`, LOG_CONTEXT);
      await this.#notes.alert(ctx, order, `The gateway opened no refund: ${WHY[error.kind]}`);
      return { state: "Failed" };
    }
  }

  /** A claim whose answer was lost has the same number when it is tried again; another amount makes it another key. */
  async #claim(
    ctx: RequestContext,
    order: Order,
    { invoice, claims }: InvoiceNote,
    body: string,
  ): Promise<RefundClaim> {
    const key = refundKey(ctx, order, claims.length + 1);
    try {
      return await this.#client.createRefund(invoice, body, key);
    } catch (error) {
      if (!(error instanceof GatewayFailure) || error.kind !== "conflict") throw error;
      const digest = createHash("sha256").update(body).digest("hex").slice(0, 8);
      return this.#client.createRefund(invoice, body, `${key}-${digest}`);
    }
  }

  async #keep(ctx: RequestContext, payment: Payment, claim: RefundClaim): Promise<void> {
    const repository = this.#connection.getRepository(ctx, Payment);
    const now = await repository.findOneByOrFail({ id: payment.id });
    const note = noteOf(now);
    if (note === null) return;
    const noted = { id: claim.id, url: claim.url, sompi: String(claim.amountSompi) };
    now.metadata = metadataOf({ ...note, claims: [...note.claims, noted] });
    await repository.save(now, { reload: false });
  }
}

const WHY = {
  unreachable: "it did not answer. Try again.",
  refused: "it refused. Its key may lack the right, or more was to be refunded than was paid.",
  conflict: "another refund was asked for under the same number. Try again.",
  missing: "it does not know the invoice.",
  unexpected: "its answer is not that of a gateway.",
} as const;

/** The share of the invoice's amount that a refund has of the payment's, rounded up: at the rate of the invoice. */
function sompiOfRefund(note: InvoiceNote, payment: Payment, minor: number): bigint | null {
  const isRight = Number.isSafeInteger(minor) && minor > 0 && minor <= payment.amount;
  if (!isRight) return null;
  return ceilDiv(BigInt(note.amountSompi) * BigInt(minor), BigInt(payment.amount));
}

function bodyOf(sompi: bigint, reason: string): string {
  const line = reason.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();
  const told = [...line].slice(0, VENDURE_LIMITS.reasonChars).join("");
  return JSON.stringify({
    amount: "custom",
    amountSompi: String(sompi),
    ...(told === "" ? {} : { reason: told }),
  });
}
