/** Test helper: a shop's receiver of webhooks, which takes each and remembers what it was told of which invoice. */
import { once } from "node:events";
import { createServer } from "node:http";
import * as v from "valibot";
import { webhookEvent } from "@svc/shared/protocol/gateway/webhookEvent.ts";

const CONFIRMED = "invoice.confirmed";

/** The receiver. */
export class ToldShop {
  readonly #told = new Map<string, string[]>();
  readonly #waiting = new Set<() => void>();
  readonly #server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => void parts.push(part));
    request.on("end", () => {
      const { type, data } = v.parse(webhookEvent, JSON.parse(Buffer.concat(parts).toString()));
      const id = data.invoice?.id ?? "";
      this.#told.set(id, [...(this.#told.get(id) ?? []), type]);
      response.writeHead(200).end();
      for (const look of this.#waiting) look();
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
    return (this.#told.get(invoice) ?? []).filter((type) => type === CONFIRMED).length;
  }

  /** Resolves when it was told that an invoice is confirmed. */
  async confirmed(invoice: string): Promise<void> {
    const told = Promise.withResolvers<void>();
    const look = (): void => {
      if (this.confirmations(invoice) > 0) told.resolve();
    };
    this.#waiting.add(look);
    look();
    await told.promise;
    this.#waiting.delete(look);
  }

  /** Ends it. */
  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
