/**
 * Receiver of webhooks as a shop has one: a server that checks both signatures, keeps each event once, and itself fails now and
 * then, by an error, a cut connection or silence.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import * as v from "valibot";
import {
  verifyStandardWebhook,
  verifySvcSignature,
  type HeaderSource,
} from "@svc/shared/protocol/webhook/signature.ts";
import type { SeededRandom } from "../../testkit/seededRandom.ts";
import { hookListener } from "./hookListener.ts";
import { signedNow } from "../../testkit/signedNow.ts";

/** Secret of the signatures. */
export const HOOK_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** Of so many first tries one fails, while failures are left. */
const FAILS_OF = 3;

const message = v.object({
  id: v.string(),
  data: v.object({
    wallet: v.string(),
    event: v.object({
      cursor: v.string(),
      kind: v.string(),
      txid: v.string(),
      amountSompi: v.string(),
    }),
  }),
});

/** An event as it came. */
export type ReceivedEvent = v.InferOutput<typeof message>["data"];

/** A receiver that listens until the test ends. */
export class WebhookReceiver {
  /** Events that were taken, by id, in the order in which each was taken first. */
  readonly events = new Map<string, ReceivedEvent>();
  /** Faults of deliveries: a bad signature, a changed body, a wrong order. */
  readonly faults: string[] = [];
  /** Deliveries that came whole. */
  deliveries = 0;
  /** Deliveries that were not taken. */
  refused = 0;
  /** How many deliveries may yet fail. */
  failuresLeft = 0;
  readonly #bodies = new Map<string, string>();
  readonly #random: SeededRandom;
  /** Where deliveries go. */
  url = "";

  private constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** Listens. */
  static async start(random: SeededRandom): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(random);
    receiver.url = await hookListener((...delivery) => receiver.#take(...delivery));
    return receiver;
  }

  async #take(bytes: Buffer, request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.deliveries += 1;
    await this.#verify(request, bytes);
    const { id, data } = v.parse(message, JSON.parse(bytes.toString()));
    const before = this.#bodies.get(id) ?? bytes.toString();
    if (before !== bytes.toString()) this.faults.push(`${id} has another body`);
    this.#bodies.set(id, before);
    if (this.#fails(request, response)) return;
    if (!this.events.has(id)) this.events.set(id, data);
    response.writeHead(204).end();
  }

  async #verify(request: IncomingMessage, body: Uint8Array): Promise<void> {
    const headers: HeaderSource = { get: (name) => request.headers[name]?.toString() };
    const now = signedNow();
    const verdicts = [
      await verifySvcSignature(HOOK_SECRET, headers, body, now),
      await verifyStandardWebhook(HOOK_SECRET, headers, body, now),
    ];
    if (verdicts.some((verdict) => verdict !== "ok")) this.faults.push(verdicts.join(" "));
  }

  /** Fails with a first try now and then; a second failure of one delivery would keep all behind it for a minute. */
  #fails(request: IncomingMessage, response: ServerResponse): boolean {
    const isFirst = request.headers["svc-delivery-attempt"] === "1";
    if (!isFirst || this.failuresLeft === 0 || this.#random.below(FAILS_OF) > 0) return false;
    this.failuresLeft -= 1;
    this.refused += 1;
    const way = this.#random.below(3);
    if (way === 0) response.writeHead(500).end("not now");
    else if (way === 1) request.socket.destroy();
    // Else it says nothing, until its sender is killed or has waited long enough.
    return true;
  }
}
