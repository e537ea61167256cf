import { Inject, Injectable } from "@nestjs/common";
import { GatewayFailure, type FailureKind } from "./gatewayFailure.ts";
import {
  fieldsOf,
  isInvoiceId,
  parseInvoice,
  parseRefund,
  type InvoiceRecord,
  type RefundClaim,
} from "./invoiceRecord.ts";
import { VENDURE_LIMITS } from "../base/pluginLimits.ts";
import { OPTIONS, type CheckedOptions } from "../base/pluginOptions.ts";

type Call = { readonly method: "GET" | "POST"; readonly path: string; body?: string; key?: string };

/** The calls of the gateway's API that the plugin makes. All reject with a `GatewayFailure`. */
@Injectable()
export class GatewayClient {
  readonly #options: CheckedOptions;

  constructor(@Inject(OPTIONS) options: CheckedOptions) {
    this.#options = options;
  }

  /** Creates an invoice. The same key with the same body gives the same invoice again. */
  async createInvoice(body: string, key: string): Promise<InvoiceRecord> {
    return invoiceIn(await this.#call({ method: "POST", path: "/api/v1/invoices", body, key }));
  }

  /** The invoice as it is now. */
  async readInvoice(id: string): Promise<InvoiceRecord> {
    return this.#ownRecord(id, await this.#call({ method: "GET", path: pathOf(id) }));
  }

  /** Lets an invoice count as settled that was paid in full, but late. */
  async markSettled(id: string, reason: string): Promise<InvoiceRecord> {
    const body = JSON.stringify({ as: "settled", reason });
    const path = `${pathOf(id)}/mark`;
    return this.#ownRecord(id, await this.#call({ method: "POST", path, body }));
  }

  /** Opens a refund claim: a page on which the payer names an address; the merchant then approves it at the gateway. */
  async createRefund(id: string, body: string, key: string): Promise<RefundClaim> {
    const path = `${pathOf(id)}/refunds`;
    const claim = parseRefund(await this.#call({ method: "POST", path, body, key }));
    if (claim === null) throw new GatewayFailure("unexpected", "the answer is no refund claim");
    return claim;
  }

  #ownRecord(id: string, json: unknown): InvoiceRecord {
    const record = invoiceIn(json);
    if (record.id !== id) throw new GatewayFailure("unexpected", "the answer is another invoice");
    return record;
  }

  async #call({ method, path, body, key }: Call): Promise<unknown> {
    const headers: Record<string, string> = {
      Authorization: `Bearer ${this.#options.apiKey.reveal()}`,
      Accept: "application/json",
    };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (key !== undefined) headers["Idempotency-Key"] = key;
    const where = `${method} ${path}`;
    try {
      const response = await fetch(this.#options.base + path, {
        ...{ method, headers },
        ...(body === undefined ? {} : { body }),
        // A key that follows a redirect has left the gateway.
        redirect: "manual",
        signal: AbortSignal.timeout(VENDURE_LIMITS.callMs),
      });
      return judged(where, response, jsonOf(await boundedText(response)));
    } catch (error) {
      if (error instanceof GatewayFailure) throw error;
      throw new GatewayFailure(
        "unreachable",
        `${where}: ${error instanceof Error ? error.name : "no answer"}`,
      );
    }
  }
}

/** The JSON of an answer that says yes. Throws a `GatewayFailure` for any other. */
function judged(where: string, response: Response, json: unknown): unknown {
  if (response.ok) return json;
  const { code, error } = fieldsOf(json) ?? {};
  const word = typeof code === "string" ? code : "";
  const said = `${word} ${typeof error === "string" ? error : ""}`;
  const kind = kindOf(response.status, response.headers.has("retry-after"), word);
  throw new GatewayFailure(kind, `${where}: ${response.status} ${shown(said)}`);
}

function kindOf(status: number, hasRetry: boolean, code: string): FailureKind {
  if (status >= 500 || status === 429 || status === 408) return "unreachable";
  if (status === 409 && hasRetry) return "unreachable";
  if (status === 409 && (code === "" || code.includes("idempotency"))) return "conflict";
  if (status === 404) return "missing";
  return status >= 400 ? "refused" : "unexpected";
}

function invoiceIn(json: unknown): InvoiceRecord {
  const record = parseInvoice(json);
  if (record === null) throw new GatewayFailure("unexpected", "the answer is no invoice");
  return record;
}

function pathOf(id: string): string {
  if (!isInvoiceId(id)) throw new GatewayFailure("missing", "the payment names no invoice");
  return `/api/v1/invoices/${id}`;
}

async function boundedText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop ends the connection.
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > VENDURE_LIMITS.answerBytes) {
      throw new GatewayFailure("unexpected", "the answer is too long");
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function shown(text: string): string {
  return text.slice(0, VENDURE_LIMITS.shownChars).replaceAll(/[^\x20-\x7e]/g, "?");
}
