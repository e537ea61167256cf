/** Test helper: a shop's receiver of webhooks, which takes each and remembers what it was told of which invoice. */
import { once } from "node:events";
import { createServer } from "node:http";
import * as v from "valibot";
import { webhookEvent } from "@svc/shared/protocol/gateway/webhookEvent.ts";

/**
 * ms. How long the last word about an invoice may take: a hosted delivery waits up to two minutes for one before it whose
 * handling failed, and the platform hands that one over again after half a minute.
 */
export const TOLD_MS = 150_000;

/** The receiver. */
export class ToldShop {
  readonly #told = new Map<string, string[]>();
  readonly #server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => void parts.push(part));
    request.on("end", () => {
      const { type, data } = v.parse(webhookEvent, JSON.parse(Buffer.concat(parts).toString()));
      const id = data.invoice?.id ?? "";
      this.#told.set(id, [...(this.#told.get(id) ?? []), type]);
      response.writeHead(200).end();
    });
  });

  private constructor() {}

  /** Starts it on a port of the system's choice. */
  static async listen(): Promise<ToldShop> {
    const shop = new ToldShop();
    shop.#server.listen(0, "127.0.0.1");
    await once(shop.#server, "listening");
    return shop;
  }

  /** Where it takes webhooks. */
  get url(): string {
    const address = this.#server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    return `http://127.0.0.1:${port}/hook`;
  }

  /** How often it was told that an invoice is confirmed. */
  confirmations(invoice: string): number {
    return (this.#told.get(invoice) ?? []).filter((type) => type === "invoice.confirmed").length;
  }

  /** Ends it. */
  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
