/** The gateway over a real node: an invoice that a wallet pays with a real proof, seen in the pool, mined, confirmed and told to a shop. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as v from "valibot";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { AccessStore } from "@svc/node-server/gateway/access/accessStore.ts";
import { addMerchant, issueKey, setPayout } from "@svc/node-server/gateway/access/issueKeys.ts";
import { newViewingKey, ViewingKeyFiles } from "@svc/node-server/gateway/keys/viewingKeyFile.ts";
import { type Gateway } from "@svc/node-server/gateway/startGateway.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { asMerchantId, asSompi, asTimestampMs } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { TEST_POLICY } from "@svc/shared/invoice/testkit/invoices.ts";
import { invoice, type InvoiceRecord } from "@svc/shared/protocol/gateway/invoiceRecord.ts";
import { refund, type RefundState } from "@svc/shared/protocol/gateway/refundRecord.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { webhookEvent } from "@svc/shared/protocol/gateway/webhookEvent.ts";
import { verifySvcSignature } from "@svc/shared/protocol/webhook/signature.ts";
import { core } from "../engine/engineFixture.ts";
import { startTestNode } from "../node/nodeFixture.ts";
import { untilFound } from "../node/untilFound.ts";
import { ALICE, fixture, fund, mine, options } from "../walletd/walletApiCalls.ts";
import { WalletApiScene } from "../walletd/walletApiScene.ts";
import { startTestGateway } from "./startTestGateway.ts";
import { signedNow } from "../../testkit/signedNow.ts";

const { alice, bob } = fixture.owners;
const SHOP = asMerchantId("shop");
const folder = temporaryFolder();

let node: RunningNode;
let wallet: WalletApiScene;
let gateway: Gateway;
let shop: Shop;
let key: string;

/** A shop's server: it keeps what it was told and was signed. */
class Shop {
  readonly types: string[] = [];
  readonly verdicts = new Set<string>();
  secret = "";
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  static async open(): Promise<Shop> {
    const shop = new Shop();
    shop.#server.listen(0, "127.0.0.1");
    await once(shop.#server, "listening");
    return shop;
  }

  get url(): string {
    const address = this.#server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    return `http://127.0.0.1:${port}/hook`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Uint8Array[] = [];
    for await (const part of request) if (part instanceof Uint8Array) parts.push(part);
    const body = Buffer.concat(parts);
    const headers = { get: (name: string) => request.headers[name]?.toString() };
    const now = signedNow();
    this.verdicts.add(await verifySvcSignature(this.secret, headers, body, now));
    this.types.push(v.parse(webhookEvent, JSON.parse(body.toString())).type);
    response.writeHead(200).end();
  }
}

async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(gateway.address + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json: unknown = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(json));
  return json;
}

async function create(amountSompi: bigint): Promise<InvoiceRecord> {
  const terms = { orderId: "1", amountSompi: String(amountSompi), requiredBlueScore: 3 };
  return v.parse(invoice, await ask("POST", "/api/v1/invoices", terms));
}

/** The invoice as soon as this is so. */
function until(id: string, isSo: (record: InvoiceRecord) => boolean): Promise<InvoiceRecord> {
  return untilFound(async () => {
    const record = v.parse(invoice, await ask("GET", `/api/v1/invoices/${id}`));
    return isSo(record) && record;
  });
}

async function pay(to: string, amount: bigint): Promise<void> {
  await wallet.untilAtTip(node, ALICE);
  const body = { to, amount_sompi: String(amount) };
  expect((await wallet.ask("send", { token: ALICE, body })).status).toBe(200);
}

async function start(): Promise<Gateway> {
  return startTestGateway(node.grpcAddress, folder.path);
}

/** The merchant's refunds are paid by a wallet of his, with a token that may do so and see that it did. */
async function namePayout(): Promise<void> {
  const owner = wallet.client(ALICE);
  const { token } = await owner.createToken({ scope: ["view", "spend"] }, options);
  const tokenFile = join(folder.path, "payout-token");
  writeFileSync(tokenFile, token);
  const access = await AccessStore.open(folder.path);
  setPayout(access, SHOP, { walletdUrl: wallet.address, tokenFile, bearerFile: null });
  await access.close();
}

beforeAll(async () => {
  const fvk = core.fullViewingKey(decodeHex(bob.seed));
  const viewing = newViewingKey(core.incomingViewingKey(fvk), "simnet");
  new ViewingKeyFiles(join(folder.path, "keys")).put(viewing);
  const access = await AccessStore.open(folder.path);
  const nowMs = asTimestampMs(1_700_000_000_000n);
  addMerchant(access, {
    id: SHOP,
    name: "The shop",
    key: viewing.id,
    policy: { ...TEST_POLICY, poolLimit: asSompi(50_000_000n) },
    expiresInS: 900,
    frameOrigins: [],
    language: null,
    payout: null,
    createdMs: nowMs,
    closedMs: null,
  });
  const wish = { merchant: SHOP, label: "", scopes: KEY_SCOPES, mode: "test", nowMs } as const;
  key = (await issueKey(access, wish, randomBytes)).text;
  await access.close();
  node = await startTestNode(null);
  await fund(node);
  wallet = await WalletApiScene.start({ node: node.grpcAddress ?? "" });
  await wallet.client(ALICE).import({ seed_hex: alice.seed }, options);
  await namePayout();
  gateway = await start();
  shop = await Shop.open();
  const hook = v.parse(
    v.looseObject({ secret: v.string() }),
    await ask("POST", "/api/v1/webhooks", { url: shop.url }),
  );
  shop.secret = hook.secret;
});
afterAll(async () => {
  await gateway.stop();
  await wallet.stop();
  await node.stop();
  shop.close();
  folder.remove();
});

describe("an invoice", () => {
  it("is seen in the pool, paid by a block, confirmed by its depth, and told to the shop", async () => {
    const made = await create(100_000_000n);
    await pay(made.address, 100_000_000n);
    const seen = await until(made.id, ({ seenSompi }) => seenSompi > 0n);
    expect(seen).toMatchObject({ status: "new", seenSompi: 100_000_000n, paidSompi: 0n });
    await mine(node, 2);
    const paid = await until(made.id, ({ status }) => status === "paid");
    expect(paid).toMatchObject({ paidSompi: 100_000_000n, dueSompi: 0n, seenSompi: 0n });
    await mine(node, 4);
    const done = await until(made.id, ({ status }) => status === "confirmed");
    expect(done.payments).toHaveLength(1);
    expect(done.payments[0]).toMatchObject({ state: "mined", settled: true, late: false });
    await expect.poll(() => shop.types.at(-1)).toBe("invoice.confirmed");
    expect([...shop.verdicts]).toEqual(["ok"]);
    expect(shop.types[0]).toBe("invoice.created");
  });

  it("of a small amount is paid by what waits, and goes on over a new start of the gateway", async () => {
    const made = await create(20_000_000n);
    await pay(made.address, 20_000_000n);
    await until(made.id, ({ status }) => status === "paid");
    await gateway.stop();
    await mine(node, 6);
    gateway = await start();
    const done = await until(made.id, ({ status }) => status === "confirmed");
    expect(done.paidSompi).toBe(20_000_000n);
    const next = await create(1n);
    expect(next.address).not.toBe(made.address);
  });
});

describe("a refund", () => {
  it("of what was overpaid is claimed, approved, and paid by the merchant's wallet once", async () => {
    const made = await create(100_000_000n);
    await pay(made.address, 130_000_000n);
    await mine(node, 6);
    await until(made.id, ({ status }) => status === "overpaid");
    const path = `/api/v1/invoices/${made.id}/refunds`;
    const offered = v.parse(refund, await ask("POST", path, { amount: "overpaid" }));
    // Another invoice stands for the payer's wallet: it counts what comes.
    const payer = await create(30_000_000n);
    const claim = offered.claimUrl.slice(offered.claimUrl.lastIndexOf("/") + 1);
    await ask("POST", `/api/v1/claims/${claim}`, { address: payer.address });
    await wallet.untilAtTip(node, ALICE);
    const own = `/api/v1/refunds/${offered.id}`;
    await ask("POST", `${own}/approve`, { address: payer.address });
    await until(payer.id, ({ seenSompi }) => seenSompi > 0n);
    const untilIs = (state: RefundState) =>
      untilFound(async () => {
        const record = v.parse(refund, await ask("GET", own));
        return record.state === state && record;
      });
    const sent = await untilIs("sent");
    await gateway.stop();
    await mine(node, 6);
    gateway = await start();
    const paid = await until(payer.id, ({ status }) => status === "confirmed");
    expect(paid.payments.map(({ txid }) => txid)).toEqual([sent.txid]);
    expect(paid).toMatchObject({ paidSompi: 30_000_000n, overpaidSompi: 0n });
    expect(await untilIs("confirmed")).toMatchObject({ txid: sent.txid, error: null });
  });
});
