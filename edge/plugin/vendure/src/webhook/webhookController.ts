import { Controller, Inject, Post, Req, Res } from "@nestjs/common";
import { Logger } from "@vendure/core";
import type { Request, Response } from "express";
import { GatewayFailure } from "../gateway/gatewayFailure.ts";
import { InvoiceSync } from "../order/invoiceSync.ts";
import { LockBusy } from "../base/keyedLock.ts";
import { VENDURE_LIMITS } from "../base/pluginLimits.ts";
import { LOG_CONTEXT, OPTIONS, type CheckedOptions } from "../base/pluginOptions.ts";
import { UpdateFailure } from "../order/updateFailure.ts";
import { parseEvent, type WebhookEvent } from "./webhookEvent.ts";
import { isSigned } from "./webhookSignature.ts";

/** Path of the receiver. */
export const WEBHOOK_PATH = "svc-gateway/webhook";

/**
 * The receiver of webhooks. Everybody may call it; what has no right signature is refused. A right one is a hint to look at an
 * invoice: it is answered with 2xx when the order is as the gateway says, and else the gateway repeats it.
 */
@Controller(WEBHOOK_PATH)
export class WebhookController {
  readonly #options: CheckedOptions;
  readonly #sync: InvoiceSync;

  constructor(@Inject(OPTIONS) options: CheckedOptions, sync: InvoiceSync) {
    this.#options = options;
    this.#sync = sync;
  }

  /** Takes a webhook. */
  @Post()
  async receive(@Req() request: Request, @Res() response: Response): Promise<void> {
    const body: unknown = request.body;
    const bytes = body instanceof Uint8Array ? body : new Uint8Array();
    const headers = {
      svc: request.header("svc-signature"),
      id: request.header("webhook-id"),
      timestamp: request.header("webhook-timestamp"),
      signature: request.header("webhook-signature"),
    };
    const secret = this.#options.webhookSecret.reveal();
    if (!isSigned(secret, headers, bytes, this.#options.nowS())) {
      Logger.debug("a webhook without a right signature was refused", LOG_CONTEXT);
      return refuse(response, 401, "bad_signature");
    }
    const event = parseEvent(bytes);
    if (event === null || (headers.id ?? event.id) !== event.id) {
      return refuse(response, 400, "bad_event");
    }
    if (event.invoice === null) {
      response.status(200).json({ ok: true, result: "ping" });
      return;
    }
    await this.#process(response, event, event.invoice);
  }

  async #process(response: Response, event: WebhookEvent, invoice: string): Promise<void> {
    try {
      const cause = { event: event.id, version: event.version };
      const result = await this.#sync.sync(invoice, cause);
      const isOurs = result === "applied" || result === "duplicate";
      response.status(isOurs ? 200 : 202).json({ ok: true, result });
    } catch (error) {
      const reason = error instanceof Error ? error.message : "";
      Logger.warn(`event ${event.id} of invoice ${invoice} waits: ${reason}`, LOG_CONTEXT);
      response.setHeader("Retry-After", String(VENDURE_LIMITS.retryS));
      refuse(response, 503, codeOf(error));
    }
  }
}

function codeOf(error: unknown): string {
  if (error instanceof LockBusy) return "busy";
  if (error instanceof GatewayFailure) return "gateway_not_asked";
  return error instanceof UpdateFailure ? "not_taken" : "failed";
}

function refuse(response: Response, status: number, code: string): void {
  response.status(status).json({ error: `The webhook was not taken: ${code}.`, code });
}
