/**
 * The gateway over somebody else's node: a real one behind a proxy that lies. An invoice is confirmed on evidence alone, and once; on moving to
 * an honest node the gateway is right.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import * as v from "valibot";
import { AccessStore } from "@svc/node-server/gateway/access/accessStore.ts";
import { addMerchant, issueKey } from "@svc/node-server/gateway/access/issueKeys.ts";
import { newViewingKey, ViewingKeyFiles } from "@svc/node-server/gateway/keys/viewingKeyFile.ts";
import type { Gateway } from "@svc/node-server/gateway/startGateway.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { asMerchantId, asTimestampMs } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { TEST_POLICY } from "@svc/shared/invoice/testkit/invoices.ts";
import { invoice, type InvoiceRecord } from "@svc/shared/protocol/gateway/invoiceRecord.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { receiptText } from "@svc/shared/signer/airgap/receiptText.ts";
import { checkReceipt } from "./checkReceipt.ts";
import { core } from "../engine/engineFixture.ts";
import { endless, flippedOpening, inventedPayment, otherOpening, withheld } from "./gatewayLies.ts";
import type { ProxyLie } from "./lyingProxy.ts";
import { LyingScene, untilAnswered } from "./lyingScene.ts";
import { startTestGateway } from "./startTestGateway.ts";
import { ToldShop } from "./toldShop.ts";
import { HANG_MS } from "../../testkit/hangMs.ts";
import { fixture, mine } from "../walletd/walletApiCalls.ts";

const { bob } = fixture.owners;
const SHOP = asMerchantId("shop");
const AMOUNT = 100_000_000n;
const REQUIRED = 3;
const folder = temporaryFolder();
const receipts = v.object({
  receipts: v.array(v.object({ receipt: v.nullable(v.string()), cmx: v.string() })),
});
const ready = v.object({ reasons: v.array(v.string()) });

let nodes: LyingScene;
let gateway: Gateway;
let key: string;
let shop: ToldShop;

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

async function create(): Promise<InvoiceRecord> {
  const terms = { orderId: "1", amountSompi: String(AMOUNT), requiredBlueScore: REQUIRED };
  return v.parse(invoice, await ask("POST", "/api/v1/invoices", terms));
}

async function read(id: string): Promise<InvoiceRecord> {
  return v.parse(invoice, await ask("GET", `/api/v1/invoices/${id}`));
}

function until(id: string, isSo: (record: InvoiceRecord) => boolean): Promise<InvoiceRecord> {
  return untilAnswered(async () => {
    const record = await read(id);
    return isSo(record) && record;
  });
}

/** Why the gateway is not ready. */
async function reasons(): Promise<readonly string[]> {
  const response = await fetch(`${gateway.address}/health/ready`);
  return v.parse(ready, await response.json()).reasons;
}

const untilReason = (words: RegExp): Promise<boolean> =>
  untilAnswered(async () => (await reasons()).some((reason) => words.test(reason)));
const untilReady = (): Promise<boolean> =>
  untilAnswered(async () => (await reasons()).length === 0);

/** A payment is found in a block; its evidence is up to the proxy. */
async function paid(): Promise<InvoiceRecord> {
  const made = await create();
  await nodes.pay(made.address, AMOUNT);
  await nodes.grow(2);
  return until(made.id, ({ status }) => status === "paid" || status === "confirmed");
}

beforeAll(async () => {
  const fvk = core.fullViewingKey(decodeHex(bob.seed));
  const viewing = newViewingKey(core.incomingViewingKey(fvk), "simnet");
  new ViewingKeyFiles(join(folder.path, "keys")).put(viewing);
  const access = await AccessStore.open(folder.path);
  const nowMs = asTimestampMs(1_700_000_000_000n);
  addMerchant(access, {
    ...{ id: SHOP, name: "The shop", key: viewing.id, policy: TEST_POLICY, expiresInS: 900 },
    ...{ frameOrigins: [], language: null, payout: null, createdMs: nowMs, closedMs: null },
  });
  const wish = { merchant: SHOP, label: "", scopes: KEY_SCOPES, mode: "test", nowMs } as const;
  key = (await issueKey(access, wish, randomBytes)).text;
  await access.close();
  nodes = await LyingScene.start();
  gateway = await startTestGateway(nodes.proxy.address, folder.path);
  shop = await ToldShop.listen();
  await ask("POST", "/api/v1/webhooks", { url: shop.url });
}, HANG_MS);
afterEach(() => {
  nodes.proxy.lie = null;
});
afterAll(async () => {
  await gateway.stop();
  await nodes.stop();
  shop.close();
  folder.remove();
});

/** The receipts of an invoice, as its merchant reads them. */
async function receiptsOf(id: string) {
  const rows = v.parse(receipts, await ask("GET", `/api/v1/invoices/${id}/receipts`));
  return rows.receipts.flatMap(({ receipt }) => (receipt === null ? [] : [receipt]));
}

/** What is said of a receipt under the chain of an honest node, with blocks above the receipt's header. */
async function checkInChain(receipt: string): Promise<unknown> {
  await nodes.deeper(3);
  return checkReceipt(receipt, `--node=${nodes.there.httpAddress}`);
}

describe("a gateway that asks somebody else's node", { timeout: HANG_MS }, () => {
  it("confirms a payment on evidence, which it asks for at the end of pages, and gives its receipt", async () => {
    const { id, address } = await paid();
    await nodes.deeper(4);
    const { payments } = await until(id, ({ status }) => status === "confirmed");
    const [receipt = expect.unreachable(), ...more] = await receiptsOf(id);
    expect(more).toEqual([]);
    const shown = { address, value: String(AMOUNT) };
    expect(await checkReceipt(receipt)).toMatchObject({ ...shown, grade: "work", challenge: null });
    // The payer, who knows the invoice alone, has the same file; a stranger has none.
    const file = await fetch(
      `${gateway.address}/api/v1/checkout/${id}/receipts/${payments[0]?.cmx}`,
    );
    expect(file.headers.get("content-type")).toBe("application/cbor");
    expect(receiptText(new Uint8Array(await file.arrayBuffer()))).toBe(receipt);
    expect((await fetch(payments[0]?.receiptUrl ?? "")).status).toBe(401);
    expect(nodes.proxy.asked).not.toContain("getEvidenceMembership");
    expect(await checkInChain(receipt)).toMatchObject({ ...shown, grade: "chain" });
    expect(nodes.proxy.asked).toContain("getEvidenceOpening");
    expect(nodes.proxy.asked).toContain("getEvidenceRun");
    await untilReady();
    await shop.confirmed(id);
    expect(shop.confirmations(id)).toBe(1);
  });

  it("never confirms a payment that a node invents under a great blue score, and is right on the honest chain", async () => {
    const made = await create();
    const invented = await nodes.pay(made.address, AMOUNT);
    await mine(nodes.here, 1);
    nodes.proxy.lie = await inventedPayment(invented, nodes.here);
    await mine(nodes.here, 5);
    await untilReason(/made up payments: at block/);
    expect((await read(made.id)).status).not.toBe("confirmed");
    expect(shop.confirmations(made.id)).toBe(0);
    expect(await receiptsOf(made.id)).toEqual([]);
    nodes.proxy.lie = null;
    await nodes.grow(12);
    const done = await until(made.id, ({ status }) => status === "confirmed");
    expect(done.paidSompi).toBe(AMOUNT);
    await untilReady();
    const [receipt = expect.unreachable()] = await receiptsOf(made.id);
    const shown = { address: made.address, grade: "chain" };
    expect(await checkInChain(receipt)).toMatchObject(shown);
    await shop.confirmed(made.id);
    expect(shop.confirmations(made.id)).toBe(1);
  });

  it.each<readonly [string, RegExp, () => ProxyLie]>([
    ["none", /does not show the work/, () => withheld],
    ["that of another block", /different headers/, () => otherOpening(nodes.proxy, nodes.here)],
    ["longer than any piece", /does not show the work/, () => endless],
    ["changed bytes", /not the state that the coinbase commits to/, () => flippedOpening],
  ])(
    "confirms nothing with evidence that is %s, says so, and goes on when the node shows it",
    async (_, words, lie) => {
      nodes.proxy.lie = lie();
      const { id } = await paid();
      await nodes.deeper(4);
      await nodes.deeper(1);
      await nodes.deeper(1);
      await untilReason(words);
      expect((await read(id)).status).toBe("paid");
      nodes.proxy.lie = null;
      await until(id, ({ status }) => status === "confirmed");
      await untilReady();
      await shop.confirmed(id);
      expect(shop.confirmations(id)).toBe(1);
    },
  );

  it("tells a confirmation once where it is killed between the proof and the webhook", async () => {
    nodes.proxy.lie = withheld;
    const { id } = await paid();
    await nodes.deeper(4);
    await gateway.stop();
    nodes.proxy.lie = null;
    gateway = await startTestGateway(nodes.proxy.address, folder.path);
    await until(id, ({ status }) => status === "confirmed");
    await gateway.stop();
    gateway = await startTestGateway(nodes.proxy.address, folder.path);
    await untilReady();
    await shop.confirmed(id);
    expect(shop.confirmations(id)).toBe(1);
    await nodes.deeper(2);
    expect(shop.confirmations(id)).toBe(1);
    expect(await receiptsOf(id)).toHaveLength(1);
  });

  it("asks a node that it trusts for no evidence, and confirms by depth", async () => {
    await gateway.stop();
    const before = nodes.proxy.asked.length;
    gateway = await startTestGateway(nodes.proxy.address, folder.path, true);
    const { id } = await paid();
    await nodes.deeper(4);
    await until(id, ({ status }) => status === "confirmed");
    expect(
      nodes.proxy.asked.slice(before).filter((method) => method.startsWith("getEvidence")),
    ).toEqual([]);
    expect(await receiptsOf(id)).toEqual([]);
  });

  it("begins to ask where it trusted before: what was found stays as it was, and what follows is proved", async () => {
    const earlier = await paid();
    await gateway.stop();
    gateway = await startTestGateway(nodes.proxy.address, folder.path);
    await nodes.deeper(4);
    await until(earlier.id, ({ status }) => status === "confirmed");
    nodes.proxy.lie = withheld;
    const { id } = await paid();
    await nodes.deeper(4);
    expect((await read(id)).status).toBe("paid");
    nodes.proxy.lie = null;
    await until(id, ({ status }) => status === "confirmed");
    expect(await receiptsOf(earlier.id)).toEqual([]);
    expect(await receiptsOf(id)).toHaveLength(1);
  });
});
