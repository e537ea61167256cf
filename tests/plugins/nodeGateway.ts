/** Test helper: a gateway of one merchant over a real node, which runs in the test's own process. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import * as v from "valibot";
import { builtPages } from "@svc/node-server/app/folder/dataFolder.ts";
import { loadNetwork } from "@svc/node-server/app/program/network.ts";
import { AccessStore } from "@svc/node-server/gateway/access/accessStore.ts";
import { addMerchant, issueKey } from "@svc/node-server/gateway/access/issueKeys.ts";
import { newViewingKey, ViewingKeyFiles } from "@svc/node-server/gateway/keys/viewingKeyFile.ts";
import { startGateway, type Gateway } from "@svc/node-server/gateway/startGateway.ts";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { OWN_PAGES } from "@svc/node-server/platform/http/accessCheck.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { systemClock, type Clock } from "@svc/node-server/platform/time/clock.ts";
import { asMerchantId, asTimestampMs } from "@svc/shared/base/brand.ts";
import { TEST_POLICY } from "@svc/shared/invoice/testkit/invoices.ts";
import { invoice, type InvoiceRecord } from "@svc/shared/protocol/gateway/invoiceRecord.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { delivery } from "@svc/shared/protocol/gateway/webhookRecord.ts";

const SHOP = asMerchantId("shop");
const SEED_BYTES = 32;
const webhook = v.object({ id: v.string(), secret: v.string() });
const deliveries = v.object({ deliveries: v.array(delivery) });

/** The gateway. */
export class NodeGateway {
  /** The merchant's API key. */
  readonly key: string;
  readonly #gateway: Gateway;
  readonly #folder: ReturnType<typeof temporaryFolder>;

  private constructor(key: string, gateway: Gateway, folder: ReturnType<typeof temporaryFolder>) {
    this.key = key;
    this.#gateway = gateway;
    this.#folder = folder;
  }

  /** Starts one that asks the node at `host:port`, by the machine's clock where no other one is given. */
  static async start(node: string, clock: Clock = systemClock): Promise<NodeGateway> {
    const core = await loadCoreFile();
    const folder = temporaryFolder();
    const fvk = core.fullViewingKey(randomBytes(SEED_BYTES));
    const viewing = newViewingKey(core.incomingViewingKey(fvk), "simnet");
    new ViewingKeyFiles(join(folder.path, "keys")).put(viewing);
    const access = await AccessStore.open(folder.path);
    const nowMs = asTimestampMs(clock.nowMs());
    addMerchant(access, {
      ...{ id: SHOP, name: "The shop", key: viewing.id, policy: TEST_POLICY, expiresInS: 900 },
      ...{ frameOrigins: [], language: null, payout: null, createdMs: nowMs, closedMs: null },
    });
    const wish = { merchant: SHOP, label: "", scopes: KEY_SCOPES, mode: "test", nowMs } as const;
    const { text } = await issueKey(access, wish, randomBytes);
    await access.close();
    const gateway = await startGateway({
      ...{ core, node, folder: folder.path, pages: builtPages(), scanThreads: 1 },
      trustsNode: false,
      checkpoints: new Map(),
      profile: loadNetwork(core, { name: "simnet" }),
      ...{ publicUrl: null, webhookReach: "loopback", webhook: null },
      prices: { rate: async () => null, rates: async () => [] },
      server: {
        ...{ host: "127.0.0.1", port: 0, option: "--gateway-listen" },
        ...{ rules: OWN_PAGES, hasLimits: true },
      },
      ...{ clock, log: createLog("silent") },
    });
    return new NodeGateway(text, gateway, folder);
  }

  /** Where it serves its API and its pages. */
  get url(): string {
    return this.#gateway.address;
  }

  /** Adds a webhook; where it goes is said later, when that is known. */
  async addWebhook(): Promise<v.InferOutput<typeof webhook>> {
    const made = await this.#ask("POST", "/api/v1/webhooks", { url: "http://127.0.0.1:9/" });
    return v.parse(webhook, made);
  }

  /** Says where a webhook goes. */
  async pointWebhook(id: string, url: string): Promise<void> {
    await this.#ask("PATCH", `/api/v1/webhooks/${id}`, { url });
  }

  /** The newest deliveries to a webhook. */
  async deliveries(id: string): Promise<v.InferOutput<typeof deliveries>["deliveries"]> {
    return v.parse(deliveries, await this.#ask("GET", `/api/v1/webhooks/${id}/deliveries`))
      .deliveries;
  }

  /** An invoice as it is now. */
  async invoice(id: string): Promise<InvoiceRecord> {
    return v.parse(invoice, await this.#ask("GET", `/api/v1/invoices/${id}`));
  }

  /** Ends it, and removes its data. */
  async stop(): Promise<void> {
    await this.#gateway.stop();
    this.#folder.remove();
  }

  async #ask(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(this.url + path, {
      method,
      headers: { Authorization: `Bearer ${this.key}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  }
}
