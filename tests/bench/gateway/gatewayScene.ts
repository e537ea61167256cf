/** A gateway in a process of its own over the node of a wallet scene, with one merchant and a shop's server. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import * as v from "valibot";
import { AccessStore } from "@svc/node-server/gateway/access/accessStore.ts";
import { addMerchant, issueKey } from "@svc/node-server/gateway/access/issueKeys.ts";
import { newViewingKey, ViewingKeyFiles } from "@svc/node-server/gateway/keys/viewingKeyFile.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { asBlueScore, asMerchantId, asSompi, asTimestampMs } from "@svc/shared/base/brand.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { networkId, readProfile } from "@svc/shared/chain/profile.ts";
import { TEST_POLICY } from "@svc/shared/invoice/testkit/invoices.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { webhookEvent } from "@svc/shared/protocol/gateway/webhookEvent.ts";
import type { LineProcess } from "../peers/lineProcess.ts";
import type { WalletScene } from "../wallet/walletScene.ts";

const SHOP = asMerchantId("shop");
const DAY_S = 86_400;
const MERCHANT_SEED = new Uint8Array(32).fill(33);
const LOOK_MS = 50;
/** What is paid to an invoice here; so much counts as paid while it waits. */
const POOL_LIMIT = asSompi(1_000_000n);
const made = v.looseObject({ id: v.string(), address: v.string() });

/** An invoice, as far as its payment needs it. */
export type MadeInvoice = { readonly id: string; readonly address: string };

/** The scene. */
export class GatewayScene {
  /** When the shop was told first that an invoice has a status, by `ID STATUS`; of `performance.now()`. */
  readonly told = new Map<string, number>();
  readonly #address: string;
  readonly #key: string;
  readonly #shop: Server;
  #orders = 0;

  private constructor(address: string, key: string) {
    this.#address = address;
    this.#key = key;
    this.#shop = createServer((request, response) => void this.#take(request, response));
  }

  /** Starts the gateway in `program`; its shop hears of nothing before `hearHooks`. */
  static async start(program: LineProcess, scene: WalletScene): Promise<GatewayScene> {
    const folder = scene.newFolder();
    const key = await addShop(scene, folder);
    const { profileFile, nodeAddress: node } = scene;
    const started = await program.ask({ op: "start", folder, profileFile, node });
    const gateway = new GatewayScene(started.text("address"), key);
    while (!(await gateway.#isReady())) await pause();
    return gateway;
  }

  /** Makes so many invoices over so many connections; each is durable before its answer. */
  async make(count: number, connections: number): Promise<readonly MadeInvoice[]> {
    const invoices: MadeInvoice[] = [];
    let left = count;
    const make = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        invoices.push(await this.#create());
      }
    };
    await Promise.all(Array.from({ length: connections }, make));
    return invoices;
  }

  /** The shop's server listens, and the gateway tells it of everything from now on. */
  async hearHooks(): Promise<void> {
    this.#shop.listen(0, "127.0.0.1");
    await once(this.#shop, "listening");
    const place = this.#shop.address();
    const port = typeof place === "object" && place !== null ? place.port : 0;
    await this.#post("/api/v1/webhooks", { url: `http://127.0.0.1:${port}/hook` });
  }

  /** Resolves when the shop was told of all of them that they have this status. */
  async untilTold(invoices: readonly MadeInvoice[], status: string): Promise<readonly number[]> {
    for (;;) {
      const times = invoices.flatMap(({ id }) => this.told.get(`${id} ${status}`) ?? []);
      if (times.length === invoices.length) return times;
      await pause();
    }
  }

  /** Closes the shop. The gateway ends with its process. */
  stop(): void {
    this.#shop.close();
    this.#shop.closeAllConnections();
  }

  async #create(): Promise<MadeInvoice> {
    this.#orders += 1;
    const orderId = this.#orders.toString();
    const body = { orderId, amountSompi: String(POOL_LIMIT), expiresIn: DAY_S };
    return v.parse(made, await this.#post("/api/v1/invoices", body, orderId));
  }

  async #post(path: string, body: object, idempotencyKey?: string): Promise<unknown> {
    const response = await fetch(this.#address + path, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${this.#key}`,
        "Content-Type": "application/json",
        ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  }

  async #isReady(): Promise<boolean> {
    const response = await fetch(`${this.#address}/health/ready`);
    await response.text();
    return response.ok;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Uint8Array[] = [];
    for await (const part of request) if (part instanceof Uint8Array) parts.push(part);
    const came = performance.now();
    response.writeHead(200).end();
    const event = v.parse(webhookEvent, JSON.parse(Buffer.concat(parts).toString()));
    if (event.invoice === null) return;
    const name = `${event.invoice.id} ${event.invoice.status}`;
    if (!this.told.has(name)) this.told.set(name, came);
  }
}

/** A merchant whose invoices count as paid by what waits, and as confirmed one block later; returns an API key of his. */
async function addShop({ core, profile }: WalletScene, folder: string): Promise<string> {
  const network = networkId(readProfile(callCore(() => core.canonicalProfile(profile))));
  const fvk = callCore(() => core.fullViewingKey(MERCHANT_SEED));
  const viewing = newViewingKey(
    callCore(() => core.incomingViewingKey(fvk)),
    network,
  );
  new ViewingKeyFiles(join(folder, "keys")).put(viewing);
  const access = await AccessStore.open(folder);
  const nowMs = asTimestampMs(systemClock.nowMs());
  addMerchant(access, {
    ...{ id: SHOP, name: "The shop", key: viewing.id, expiresInS: DAY_S },
    policy: { ...TEST_POLICY, poolLimit: POOL_LIMIT, requiredBlueScore: asBlueScore(1n) },
    ...{ frameOrigins: [], language: null, payout: null, createdMs: nowMs, closedMs: null },
  });
  const wish = { merchant: SHOP, label: "", scopes: KEY_SCOPES, mode: "test", nowMs } as const;
  const { text } = await issueKey(access, wish, randomBytes);
  await access.close();
  return text;
}

function pause(): Promise<void> {
  return systemClock.sleep(LOOK_MS, new AbortController().signal);
}
