/** A shop's server for the gateway: it checks signatures, keeps what it was told by id, and fails now and then. */
import type { IncomingMessage, ServerResponse } from "node:http";
import * as v from "valibot";
import { webhookEvent, type WebhookEvent } from "@svc/shared/protocol/gateway/webhookEvent.ts";
import { verifySvcSignature } from "@svc/shared/protocol/webhook/signature.ts";
import type { SeededRandom } from "../../testkit/seededRandom.ts";
import { hookListener } from "../walletd/hookListener.ts";
import { signedNow } from "../../testkit/signedNow.ts";

/** Of so many deliveries one fails. */
const FAILS_OF = 6;

/** A shop that listens until the test ends. */
export class GatewayShop {
  /** Events that were taken, by id. */
  readonly events = new Map<string, WebhookEvent>();
  /** Bad signatures, and ids with two contents. */
  readonly faults: string[] = [];
  secret = "";
  readonly #bodies = new Map<string, string>();
  readonly #random: SeededRandom;
  /** Where deliveries go. */
  url = "";

  private constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** Listens. */
  static async start(random: SeededRandom): Promise<GatewayShop> {
    const shop = new GatewayShop(random);
    shop.url = await hookListener((...delivery) => shop.#take(...delivery));
    return shop;
  }

  /** The versions of an invoice that were told, ascending. */
  versionsOf(id: string): readonly number[] {
    const own = [...this.events.values()].filter((event) => event.invoice?.id === id);
    return own.map((event) => event.invoice?.version ?? 0).toSorted((a, b) => a - b);
  }

  async #take(body: Buffer, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const headers = { get: (name: string) => request.headers[name]?.toString() };
    const now = signedNow();
    const verdict = await verifySvcSignature(this.secret, headers, body, now);
    if (verdict !== "ok") this.faults.push(verdict);
    const text = body.toString();
    const event = v.parse(webhookEvent, JSON.parse(text));
    const known = this.#bodies.get(event.id);
    if (known !== undefined && known !== text) this.faults.push(`${event.id} has two contents`);
    this.#bodies.set(event.id, text);
    if (this.#random.below(FAILS_OF) === 0) {
      response.writeHead(503).end();
      return;
    }
    this.events.set(event.id, event);
    response.writeHead(200).end();
  }
}
