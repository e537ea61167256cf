/**
 * WebSockets of one invoice (gateway sheet 7.4). The platform holds them while the invoice's object is not in memory, so an open page costs
 * nothing until something changes. Each is sent the checkout's record when it opens, and then whenever it is another one.
 */
import * as v from "valibot";
import { asTimestampMs, type BlueScore, type TimestampMs } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { checkoutOf } from "@svc/shared/gateway/findCheckout.ts";
import type { Invoice } from "@svc/shared/invoice/invoice.ts";
import { EDGE_LIMITS } from "../../edgeLimits.ts";
import { edgeNow } from "../../platform/edgeClock.ts";
import { edgePlace } from "../edgePlace.ts";
import type { GatewayEnv } from "../gatewayEnv.ts";
import { MerchantStore } from "../merchantStore.ts";

/** The header with a name of the host that asks: the same one each time, and no address. */
export const SOCKET_HOST = "X-Socket-Host";

/** What the platform keeps of a socket while the object is away. */
const attachment = v.object({ openedMs: v.number(), sent: v.string() });

/** A record, and what tells it from another one. */
type Told = { readonly json: string; readonly mark: string };

const SWITCHED = 101;
/** Why a socket is closed: its time is over, it spoke, it spoke at length. */
const CODES = { over: 1_000, spoke: 1_008, tooLong: 1_009 } as const;

/** The sockets of one invoice. */
export class CheckoutSockets {
  readonly #ctx: DurableObjectState;
  readonly #env: GatewayEnv;

  constructor(ctx: DurableObjectState, env: GatewayEnv) {
    this.#ctx = ctx;
    this.#env = env;
  }

  /** How many are open. */
  get count(): number {
    return this.#open().length;
  }

  /** When the next one has to be closed; null where none is open. */
  endMs(): TimestampMs | null {
    const opened = this.#open().map((socket) => BigInt(attachmentOf(socket).openedMs));
    const [first] = opened.toSorted((a, b) => (a < b ? -1 : 1));
    return first === undefined ? null : asTimestampMs(first + EDGE_LIMITS.socketLifeMs);
  }

  /** Whether no further one may be opened by a host. */
  isFull(host: string): boolean {
    this.closeOld();
    return (
      this.count >= EDGE_LIMITS.socketsPerInvoice ||
      this.#open(host).length >= EDGE_LIMITS.socketsPerHost
    );
  }

  /** Opens one, with 101. Rejects with what D1 says. */
  async open(invoice: Invoice, tip: BlueScore | null, host: string): Promise<Response> {
    const told = await this.#told(invoice, tip);
    const { 0: client, 1: server } = new WebSocketPair();
    this.#ctx.acceptWebSocket(server, [host]);
    server.serializeAttachment({ openedMs: Number(edgeNow()), sent: told.mark });
    server.send(told.json);
    return new Response(null, { status: SWITCHED, webSocket: client });
  }

  /** Sends the record to those that were sent another one last. Rejects with what D1 says. */
  async tell(invoice: Invoice, tip: BlueScore | null): Promise<void> {
    const { json, mark } = await this.#told(invoice, tip);
    for (const socket of this.#open()) {
      const { openedMs, sent } = attachmentOf(socket);
      if (sent === mark) continue;
      socket.send(json);
      socket.serializeAttachment({ openedMs, sent: mark });
    }
  }

  /** A client that speaks does not know what this is. */
  heard(socket: WebSocket, message: string | ArrayBuffer): void {
    const length = typeof message === "string" ? message.length : message.byteLength;
    const isLong = length > EDGE_LIMITS.socketMessageBytes;
    socket.close(isLong ? CODES.tooLong : CODES.spoke, "a client sends nothing");
  }

  /** Closes those whose time is over. */
  closeOld(): void {
    const before = edgeNow() - EDGE_LIMITS.socketLifeMs;
    for (const socket of this.#open()) {
      const isOld = BigInt(attachmentOf(socket).openedMs) <= before;
      if (isOld) socket.close(CODES.over, "its time is over");
    }
  }

  /** Those of a host, or all. */
  #open(host?: string): readonly WebSocket[] {
    return this.#ctx
      .getWebSockets(host)
      .filter(({ readyState }) => readyState === WebSocket.READY_STATE_OPEN);
  }

  async #told(invoice: Invoice, tip: BlueScore | null): Promise<Told> {
    const record = await checkoutOf(invoice, {
      invoices: { find: async () => invoice },
      merchants: new MerchantStore(this.#env.DB, edgeNow),
      place: () => edgePlace(this.#env, tip, edgeNow()),
    });
    // Time alone is no change.
    const text = JSON.stringify({ ...record, serverTime: 0 });
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    return { json: JSON.stringify(record), mark: encodeHex(new Uint8Array(digest)) };
  }
}

function attachmentOf(socket: WebSocket): v.InferOutput<typeof attachment> {
  return v.parse(attachment, socket.deserializeAttachment());
}
