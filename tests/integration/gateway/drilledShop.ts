/** Test helper: a merchant's shop over HTTP, as a drill plays against it. It makes invoices by the typed client, and checks what it is told. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import * as v from "valibot";
import type { DrillShop } from "@svc/node-server/gateway/drill/runScenes.ts";
import { GatewayClient } from "@svc/shared/protocol/gateway/gatewayClient.ts";
import { webhookEvent, type WebhookEvent } from "@svc/shared/protocol/gateway/webhookEvent.ts";
import { verifySvcSignature } from "@svc/shared/protocol/webhook/signature.ts";
import { signedNow } from "../../testkit/signedNow.ts";

/** What a shop does that it should not. */
export type ShopFault =
  | "at-partial"
  | "at-paid"
  | "at-paid-late"
  | "no-signature"
  | "no-time"
  | "each-delivery"
  | "does-nothing";

/** What a shop knows of its gateway. */
export type ShopSettings = {
  readonly gateway: string;
  readonly apiKey: string;
  readonly secret: string;
};

const GOODS_LEAVE = ["invoice.confirmed", "invoice.overpaid"];
/** The event for which a faulty shop hands over goods, too. */
const LEAVES_EARLY: Readonly<Partial<Record<ShopFault, string>>> = {
  "at-partial": "invoice.partial",
  "at-paid": "invoice.paid",
  "at-paid-late": "invoice.paid_late",
};

/** The shop. */
export class DrilledShop {
  readonly #server: Server;
  readonly #fault: ShopFault | null;
  readonly #settings: Promise<ShopSettings>;
  readonly #handedOver = new Map<string, number>();
  readonly #seen = new Set<string>();
  /** Tries after which an order was handed over. */
  readonly triesOf = new Map<string, number>();
  #orders = 0;

  private constructor(fault: ShopFault | null, settings: Promise<ShopSettings>) {
    this.#fault = fault;
    this.#settings = settings;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((thrown: unknown) => {
        response.writeHead(500).end(String(thrown));
      });
    });
  }

  /** Opens it; its settings come later, as a merchant writes them. */
  static async open(
    fault: ShopFault | null,
    settings: Promise<ShopSettings>,
  ): Promise<DrilledShop> {
    const shop = new DrilledShop(fault, settings);
    shop.#server.listen(0, "127.0.0.1");
    await once(shop.#server, "listening");
    return shop;
  }

  /** Where it listens. */
  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  }

  /** The shop as a drill works it that runs in this process. */
  get drilled(): DrillShop {
    return {
      ordersItself: true,
      countsItself: true,
      order: async () => void (await fetch(`${this.url}/order`, { method: "POST" })),
      handedOver: async ({ orderId }) =>
        Number(await (await fetch(`${this.url}/handed-over/${orderId}`)).text()),
    };
  }

  /** Ends it. */
  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Uint8Array[] = [];
    for await (const part of request) if (part instanceof Uint8Array) parts.push(part);
    const [, what, order = ""] = (request.url ?? "").split("/");
    if (what === "order") response.end(await this.#order());
    else if (what === "handed-over") response.end(String(this.#handedOver.get(order) ?? 0));
    else response.writeHead(await this.#hear(request, Buffer.concat(parts))).end();
  }

  async #order(): Promise<string> {
    const { gateway: baseUrl, apiKey } = await this.#settings;
    this.#orders += 1;
    const orderId = `order-${this.#orders}`;
    const client = new GatewayClient({ baseUrl, apiKey });
    const { signal } = new AbortController();
    await client.createInvoice({ orderId, amountSompi: 250_000_000n }, { signal });
    return orderId;
  }

  /** Hears a webhook; returns the status that it is answered with. */
  async #hear({ headers }: IncomingMessage, body: Uint8Array): Promise<number> {
    const { secret } = await this.#settings;
    const source = { get: (name: string) => headers[name]?.toString() };
    const now = signedNow();
    const verdict = await verifySvcSignature(secret, source, body, now);
    const isRefused = verdict === "bad-time" ? this.#fault !== "no-time" : verdict !== "ok";
    const looksAway = this.#fault === "no-signature" || this.#fault === "does-nothing";
    if (isRefused && !looksAway) return 401;
    const event = v.parse(webhookEvent, JSON.parse(new TextDecoder().decode(body)));
    if (this.#fault === "does-nothing") return 200;
    this.#handOver(event);
    const tries = Number(headers["svc-delivery-attempt"]);
    if (GOODS_LEAVE.includes(event.type)) this.triesOf.set(event.invoice?.orderId ?? "", tries);
    return 200;
  }

  #handOver({ type, invoice }: WebhookEvent): void {
    const order = invoice?.orderId ?? "";
    const leaves = this.#fault !== null && type === LEAVES_EARLY[this.#fault];
    if (!leaves && !GOODS_LEAVE.includes(type)) return;
    if (this.#seen.has(order) && this.#fault !== "each-delivery") return;
    this.#seen.add(order);
    this.#handedOver.set(order, (this.#handedOver.get(order) ?? 0) + 1);
  }
}
