/** Test scene: a shop, its gateway with the desks of `svc gateway`, and the chain. Both stand at this machine, and share a clock. */
import { DeskHost } from "@svc/node-server/gateway/testkit/deskHost.ts";
import { postWebhook, type WebhookPost } from "@svc/node-server/client/webhookPost.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import type { PricePort } from "@svc/shared/gateway/pricePort.ts";
import { KEY_SCOPES, type KeyScope } from "@svc/shared/protocol/gateway/route.ts";
import { expect } from "vitest";
import { GatewayCaller, payment, takenBack } from "../gateway/gatewayCaller.ts";
import type { ReceivedHook } from "../gateway/gatewayHost.ts";
import { serveHost, type ServedHost } from "../gateway/serveHost.ts";
import { VendureShop, type ShopOptions } from "./vendureShop.ts";

const WEBHOOK_PATH = "/svc-gateway/webhook";
const NOTHING_ELSE = new AbortController().signal;

/** What a scene differs in. */
export type SceneOptions = Partial<ShopOptions> & {
  readonly prices?: PricePort;
  readonly scopes?: readonly KeyScope[];
};

/** The scene. */
export class VendureScene {
  readonly host: DeskHost;
  readonly gateway: GatewayCaller;
  readonly shop: VendureShop;
  readonly key: string;
  readonly secret: string;
  readonly #served: ServedHost;
  readonly #calls: string[];
  #blueScore = 1_000n;

  private constructor(parts: {
    readonly host: DeskHost;
    readonly gateway: GatewayCaller;
    readonly served: ServedHost;
    readonly shop: VendureShop;
    readonly key: string;
    readonly secret: string;
    readonly calls: string[];
  }) {
    this.host = parts.host;
    this.gateway = parts.gateway;
    this.shop = parts.shop;
    this.key = parts.key;
    this.secret = parts.secret;
    this.#served = parts.served;
    this.#calls = parts.calls;
  }

  /** Opens one; a coin costs 0.25 USD where nothing else is said. */
  static async open(options: SceneOptions = {}): Promise<VendureScene> {
    const { prices, scopes = KEY_SCOPES, ...rest } = options;
    let url = "";
    const post = (one: WebhookPost) =>
      postWebhook({ ...one, url: new URL(WEBHOOK_PATH, url) }, NOTHING_ELSE);
    const host = await DeskHost.open(null, { post, ...(prices === undefined ? {} : { prices }) });
    const calls: string[] = [];
    const served = await serveHost(host, (call) => calls.push(call));
    const gateway = new GatewayCaller(host, await host.issueKey("shop", KEY_SCOPES));
    const key = await host.issueKey("shop", scopes);
    const hook = await gateway.ask("POST", "/api/v1/webhooks", { url: "http://127.0.0.1:9/hook" });
    const secret = String(hook.json["secret"]);
    const shop = await VendureShop.start(
      {
        ...{ gatewayUrl: served.url, apiKey: key, webhookSecret: secret },
        ...{ conversion: { USD: "4" }, checkoutOrigin: "https://pay.example", ...rest },
      },
      host.nowMs() / 1_000n,
    );
    url = shop.url;
    return new VendureScene({ host, gateway, served, shop, key, secret, calls });
  }

  /** Ends everything. */
  async close(): Promise<void> {
    await this.shop.stop();
    await this.#served.close();
    await this.host.close();
  }

  /** Calls that the gateway was asked since the last time, method and path. */
  calls(): readonly string[] {
    return this.#calls.splice(0);
  }

  /** Has the gateway do what it is asked next, and its answer get lost. */
  loseNextAnswer(): void {
    this.#served.loseNextAnswer();
  }

  /** Pays so many sompi in the next block, which then has so many blocks above it. The webhooks are not sent yet. */
  async pay(invoice: string, sompi: bigint, depth: bigint): Promise<PaymentFact> {
    this.#blueScore += 1n;
    const fact = await payment(this.host, invoice, sompi, this.#blueScore);
    this.#blueScore += depth;
    await this.host.tell([fact], this.#blueScore);
    return fact;
  }

  /** Adds blocks to the chain. */
  async grow(blocks: bigint): Promise<void> {
    this.#blueScore += blocks;
    await this.host.tell([], this.#blueScore);
  }

  /** Takes the block of a payment off the chain. */
  async takeBack(fact: PaymentFact): Promise<void> {
    await this.host.tell([takenBack(fact)], this.#blueScore);
  }

  /** A block takes the payment in again, and has so many above it. */
  async takeAgain(fact: PaymentFact, depth: bigint): Promise<void> {
    this.#blueScore += depth;
    await this.host.tell([fact], this.#blueScore);
  }

  /** Lets time pass, at the gateway and in the shop. */
  async pass(seconds: bigint): Promise<void> {
    await this.host.pass(seconds * 1_000n);
    await this.shop.setNow(this.host.nowMs() / 1_000n);
  }

  /** Sends all webhooks that are due to the shop; what was sent. */
  deliver(): Promise<readonly ReceivedHook[]> {
    return this.host.hooks();
  }

  /** Sends all webhooks that are due while the shop is down; what was tried. */
  loseDeliveries(): Promise<readonly ReceivedHook[]> {
    return this.host.hooks(503);
  }

  /** Sends something to the shop's receiver by hand; status and what it says. */
  async post(
    body: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const response = await fetch(new URL(WEBHOOK_PATH, this.shop.url), {
      ...{ method: "POST", body },
      headers: { "Content-Type": "application/json", ...headers },
    });
    return { status: response.status, text: await response.text() };
  }

  /** Sends a webhook again as it was. */
  again({ body, headers }: ReceivedHook): ReturnType<VendureScene["post"]> {
    return this.post(body, signatureOf(headers));
  }

  /** The invoices that the gateway has of an order. */
  async invoicesOf(code: string): Promise<readonly unknown[]> {
    const { json, status } = await this.gateway.ask("GET", `/api/v1/invoices?orderId=${code}`);
    expect(status).toBe(200);
    return json["invoices"] as readonly unknown[];
  }
}

/** The headers of a webhook that its receiver reads. */
export function signatureOf(headers: Headers): Record<string, string> {
  const names = ["svc-signature", "webhook-id", "webhook-timestamp", "webhook-signature"];
  return Object.fromEntries(names.map((name) => [name, headers.get(name) ?? ""]));
}
