/** Test helper: calls of a merchant to a gateway, and payments of its invoices. */
import { expect } from "vitest";
import * as v from "valibot";
import { blockAt, outputOf } from "@svc/shared/invoice/testkit/invoices.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import { invoice, type InvoiceRecord } from "@svc/shared/protocol/gateway/invoiceRecord.ts";
import type { GatewayHost } from "./gatewayHost.ts";

/** The least that makes an invoice. */
export const TERMS = { orderId: "4711", amountSompi: "1000" } as const;

/** An answer: status, headers and JSON. */
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Readonly<Record<string, unknown>>;
};

let outputs = 0;

/** A merchant who calls a gateway with a key. */
export class GatewayCaller {
  readonly #host: GatewayHost;
  readonly #key: string | null;

  constructor(host: GatewayHost, key: string | null) {
    this.#host = host;
    this.#key = key;
  }

  /** Asks; a body is sent as JSON. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const sent: Record<string, string> = { ...headers };
    if (this.#key !== null) sent["Authorization"] ??= `Bearer ${this.#key}`;
    if (body !== undefined) sent["Content-Type"] ??= "application/json";
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const init: RequestInit = { method, headers: sent };
    if (body !== undefined) init.body = text;
    const response = await this.#host.fetch(path, init);
    const json: unknown = await response.json();
    return { status: response.status, headers: response.headers, json: recordOf(json) };
  }

  /** Makes an invoice. */
  async create(terms: object = {}, headers = {}): Promise<InvoiceRecord> {
    const answer = await this.ask("POST", "/api/v1/invoices", { ...TERMS, ...terms }, headers);
    expect(answer.status, JSON.stringify(answer.json)).toBe(201);
    return v.parse(invoice, answer.json);
  }

  /** The invoice as it is now. */
  async invoice(id: string): Promise<InvoiceRecord> {
    const answer = await this.ask("GET", `/api/v1/invoices/${id}`);
    expect(answer.status).toBe(200);
    return v.parse(invoice, answer.json);
  }

  /** Refuses to be answered with anything but this. */
  async refused(
    method: string,
    path: string,
    body: unknown,
    expected: { readonly status: number; readonly code: string },
  ): Promise<Answer> {
    const answer = await this.ask(method, path, body);
    expect({ status: answer.status, code: answer.json["code"] }).toEqual(expected);
    expect(typeof answer.json["error"]).toBe("string");
    expect(answer.json["requestId"]).toBe(answer.headers.get("x-request-id"));
    return answer;
  }
}

/** A payment of an invoice by an output of its own, in a block at a blue score. */
export async function payment(
  host: GatewayHost,
  id: string,
  amount: bigint,
  at: bigint,
): Promise<PaymentFact> {
  outputs += 1;
  const place = await host.addressOf(id);
  const block = blockAt(at, host.nowMs());
  return { ...place, input: { kind: "mined", output: outputOf(outputs, amount), block } };
}

/** The fact that a payment's block is no longer on the chain. */
export function takenBack({ key, index, input }: PaymentFact): PaymentFact {
  if (input.kind !== "mined") throw new TypeError("a payment that no block accepts");
  const { output, block } = input;
  return { key, index, input: { kind: "orphaned", output, block: block.hash } };
}

function recordOf(json: unknown): Readonly<Record<string, unknown>> {
  return v.parse(v.record(v.string(), v.unknown()), json);
}
