/** Test helper: a shop that speaks to a gateway as BTCPay's own plugins do. */
import { expect } from "vitest";
import * as v from "valibot";
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { GatewayHost, ReceivedHook } from "../gatewayHost.ts";

/** An answer: status and JSON. */
export type ShopAnswer = { readonly status: number; readonly json: unknown };

const loose = v.looseObject({});

/** The calls of a store with a key. */
export class GreenfieldShop {
  readonly #host: GatewayHost;
  readonly #key: string;
  readonly store: string;

  constructor(host: GatewayHost, key: string, store = "shop") {
    this.#host = host;
    this.#key = key;
    this.store = store;
  }

  /** Asks below `/api/v1`. */
  async ask(method: string, path: string, body?: unknown): Promise<ShopAnswer> {
    const headers: Record<string, string> = { Authorization: `token ${this.#key}` };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const init: RequestInit =
      body === undefined ? { method, headers } : { method, headers, body: text };
    const response = await this.#host.fetch(`/btcpay/api/v1${path}`, init);
    const json: unknown = await response.json();
    return { status: response.status, json };
  }

  /** Asks of the store; what comes is an object with status 200. */
  async own(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const { status, json } = await this.ask(method, `/stores/${this.store}${path}`, body);
    expect(status, JSON.stringify(json)).toBe(200);
    return v.parse(loose, json);
  }

  /** Asks of the store for a list. */
  async list(path: string): Promise<readonly Record<string, unknown>[]> {
    const { status, json } = await this.ask("GET", `/stores/${this.store}${path}`);
    expect(status, JSON.stringify(json)).toBe(200);
    return v.parse(v.array(loose), json);
  }

  /** Makes an invoice over coins; returns its id. */
  async invoice(change: object = {}): Promise<string> {
    const made = await this.own("POST", "/invoices", {
      ...{ amount: "0.00001000", currency: "SVCSIM", metadata: { orderId: "4711" } },
      ...change,
    });
    return String(made["id"]);
  }
}

/** Whether a delivery is signed with a secret, as the plugin's library decides it. */
export async function isSigned(
  { headers, body }: Pick<ReceivedHook, "headers" | "body">,
  secret: string,
): Promise<boolean> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes(secret), algorithm, false, ["sign"]);
  const expected = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes(body)));
  return headers.get("btcpay-sig") === `sha256=${encodeHex(expected)}`;
}

/** The events of deliveries: type and the fields that a test names. */
export function toldBy(hooks: readonly ReceivedHook[]): readonly Record<string, unknown>[] {
  return hooks.map(({ body }) => v.parse(loose, JSON.parse(body)));
}

/** Where the plugin listens. */
export const HOOK = "http://127.0.0.1:9/wc-api/btcpaygf_default/";

/** An hour, ms. */
export const HOUR_MS = 3_600_000n;

/** Makes the shop of a test. */
export type MakeShop = () => GreenfieldShop;

/** Adds a webhook of the plugin; returns its id and secret. */
export async function hooked(
  shop: GreenfieldShop,
  change: object = {},
): Promise<{ id: string; secret: string }> {
  const made = await shop.own("POST", "/webhooks", {
    ...{ enabled: true, automaticRedelivery: true, url: HOOK },
    authorizedEvents: { everything: true },
    ...change,
  });
  return { id: String(made["id"]), secret: String(made["secret"]) };
}
