/**
 * The checkout page of the hosted gateway in a browser: its Worker in workerd with the built script, and facts from a scanner's own outbox. No
 * node: what the chain holds is told by hand.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import type { Browser, BrowserContext, WebSocket } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFailed, onTestFinished, test } from "vitest";
import { FactOutbox } from "@svc/node-server/gateway/hosted/factOutbox.ts";
import { FactSender } from "@svc/node-server/gateway/hosted/factSender.ts";
import { HostedAdmin } from "@svc/node-server/gateway/hosted/hostedAdmin.ts";
import { OutboxStore } from "@svc/node-server/gateway/hosted/outboxStore.ts";
import { SCANNED_KEY, scannedBlock } from "@svc/node-server/gateway/testkit/scannedChain.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { asAddressText, asMerchantId, asRawAddress } from "@svc/shared/base/brand.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { outputOf, TEST_POLICY } from "@svc/shared/invoice/testkit/invoices.ts";
import { GatewayClient } from "@svc/shared/protocol/gateway/gatewayClient.ts";
import type { InvoiceRecord } from "@svc/shared/protocol/gateway/invoiceRecord.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { freePort } from "../../network/testkit/freePort.ts";
import { ListeningProgram } from "../../network/testkit/listeningProgram.ts";
import { launchBrowser, openPage } from "../testkit/browser.ts";

const INGEST_SECRET = "what-the-scanner-signs-with";
const ADMIN_SECRET = "what-the-operator-signs-with";
const SHOP = asMerchantId("shop");
const FIRST_INDEX = 0x8000_0000;
const RECENT = 100;
/** `socketsPerHost` of the edge's limits. */
const EDGE_SOCKETS_PER_HOST = 8;
const { signal } = new AbortController();
const folder = temporaryFolder();
const log: string[] = [];
/** Addresses that tell their index. */
const addresses = Array.from({ length: 16 }, (_, place) => {
  const digits = place.toString(16).padStart(8, "0");
  return {
    raw: asRawAddress(digits.padEnd(86, "0")),
    text: asAddressText(`svcsim:${digits.padEnd(79, "q")}`),
  };
});

let browser: Browser;
let worker: ListeningProgram;
let store: OutboxStore;
let outbox: FactOutbox;
let sender: FactSender;
let client: GatewayClient;
let address = "";
let height = 1;
let payments = 0;

function secretOf(text: string): Secret {
  return new Secret(new TextEncoder().encode(text));
}

/** Blocks up to this many above the last; the first accepts a payment of the invoice. */
function grow(count: number, invoice?: InvoiceRecord, amount = 0n): void {
  for (let left = count; left > 0; left -= 1) {
    height += 1;
    const block = scannedBlock(height);
    const common = scannedBlock(height - 1).chainIndex;
    const pays = invoice !== undefined && left === count;
    const index = FIRST_INDEX + addresses.findIndex(({ text }) => text === invoice?.address);
    const { hash, blueScore, daaScore, timestamp } = block;
    const accepting = { hash, blueScore, daaScore, timestampMs: timestamp };
    const output = outputOf((payments += 1), amount);
    const input = { kind: "mined", output, block: accepting } as const;
    const fact = { key: SCANNED_KEY, index, input };
    const found = pays ? [{ chainIndex: block.chainIndex, fact }] : [];
    outbox.takeStep({ common, blocks: [block], found }, RECENT);
  }
  // What has no payment in it is told as a tip, which a scan tells now and then.
  if (invoice === undefined || count > 1) outbox.takePool([gone()]);
}

/** An invoice, as soon as the Worker has the addresses. */
async function create(body: Parameters<GatewayClient["createInvoice"]>[0]) {
  await expect.poll(() => outbox.waiting).toBe(0n);
  return client.createInvoice(body, { signal });
}

/** A fact about nobody's address: a batch that tells the tip at once. */
function gone() {
  const input = { kind: "gone", output: outputOf(9_999, 1n) } as const;
  return { key: SCANNED_KEY, index: FIRST_INDEX - 1, input };
}

/** What pages of a context listen to. */
function pushesOf(context: BrowserContext) {
  const sockets: WebSocket[] = [];
  const streams: string[] = [];
  context.on("page", (page) => page.on("websocket", (socket) => sockets.push(socket)));
  context.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith("/events")) streams.push(pathname);
  });
  return { sockets, streams };
}

/** Other pages of this host that look at an invoice. */
async function openedSockets(id: string, count: number) {
  const url = `${address.replace("http:", "ws:")}/api/v1/checkout/${id}/ws`;
  const sockets = Array.from({ length: count }, () => new globalThis.WebSocket(url));
  await Promise.all(
    sockets.map((socket) => new Promise((resolve) => socket.addEventListener("open", resolve))),
  );
  return sockets;
}

beforeAll(async () => {
  const [home, data] = [join(folder.path, "home"), join(folder.path, "edge")];
  mkdirSync(home);
  mkdirSync(data);
  const port = await freePort();
  const variables = [
    `SVC_MASTER_KEY=k1:${"5a".repeat(32)}`,
    `SVC_INGEST_SECRET=${INGEST_SECRET}`,
    `SVC_ADMIN_SECRET=${ADMIN_SECRET}`,
    ...["SVC_NETWORK=simnet", "SVC_SCANNER=scanner", "SVC_WEBHOOK_REACH=loopback"],
    `SVC_PUBLIC_URL=http://127.0.0.1:${port}`,
  ];
  writeFileSync(join(data, "gateway.env"), `${variables.join("\n")}\n`);
  const command = ["scripts/edge.ts", `--port=${port}`, `--data=${data}`];
  const listens = /the gateway answers at (http:\S+)/;
  worker = new ListeningProgram({ name: "edge", command, home, listens, log });
  browser = await launchBrowser();
  const url = await worker.listening();
  address = url;
  const clock = systemClock;
  const admin = new HostedAdmin({ url, secret: secretOf(ADMIN_SECRET), clock });
  const terms = { id: SHOP, name: "The shop", key: SCANNED_KEY, policy: TEST_POLICY };
  const look = { expiresInS: 900, frameOrigins: [], language: null };
  await admin.addMerchant({ ...terms, ...look }, signal);
  const wish = { merchant: SHOP, label: "", scopes: KEY_SCOPES, mode: "test" } as const;
  const { text: apiKey } = await admin.issueKey(wish, randomBytes, signal);
  client = new GatewayClient({ baseUrl: url, apiKey });
  store = await OutboxStore.open(null);
  outbox = new FactOutbox({ store, scanner: "scanner", clock });
  const parts = { url, secret: secretOf(INGEST_SECRET), clock, log: createLog("silent"), outbox };
  sender = new FactSender({ ...parts, onLow: () => undefined });
  sender.start();
  outbox.takeStep({ common: null, blocks: [scannedBlock(height)], found: [] }, RECENT);
  outbox.takeRun({ kind: "addresses", key: SCANNED_KEY, from: FIRST_INDEX, addresses });
});
afterAll(async () => {
  await sender.stop();
  await store.close();
  await browser.close();
  await worker.stop();
  folder.remove();
});

test("the hosted checkout follows a payment from the first part to the end, and asks nobody else", async () => {
  onTestFailed(() => console.error(log.slice(-40).join("\n")));
  const body = { orderId: "4711", amountSompi: 250_000_000n };
  const invoice = await create(body);
  const context = await browser.newContext({ locale: "en-US" });
  onTestFinished(() => context.close());
  const pushed = pushesOf(context);
  const { page, watch } = await openPage(context, invoice.checkoutUrl);
  const title = (name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
  await title("Waiting for your payment");
  await page.getByAltText(`${invoice.address}?amount=2.5`).waitFor();
  await page.getByText(/^Time left 1[45]:\d\d$/).waitFor();
  grow(1, invoice, 100_000_000n);
  await title("A part has arrived");
  await page.getByText("You paid 1 coin. 1.5 coins are still due.").waitFor();
  grow(3, invoice, 150_000_000n);
  await title("Payment received");
  await page.getByText("Confirmation 2 of 10").waitFor();
  grow(8);
  await title("Paid");
  expect(watch).toMatchObject({ faults: [], strangers: [] });
  // One socket, which the page's policy allows, and none any more at the end.
  const path = `/api/v1/checkout/${invoice.id}/ws`;
  expect(pushed.sockets.map((socket) => new URL(socket.url()).pathname)).toEqual([path]);
  await expect.poll(() => pushed.sockets.every((socket) => socket.isClosed())).toBe(true);
  expect(pushed.streams).toEqual([]);
  await page.reload();
  await title("Paid");
  expect(pushed.sockets).toHaveLength(1);
});

test("the hosted checkout listens to the event stream where no socket opens, and to nothing while it is hidden", async () => {
  onTestFailed(() => console.error(log.slice(-40).join("\n")));
  const invoice = await create({ orderId: "4713", amountSompi: 250_000_000n });
  const crowd = await openedSockets(invoice.id, EDGE_SOCKETS_PER_HOST);
  onTestFinished(() => crowd.forEach((socket) => socket.close()));
  const context = await browser.newContext({ locale: "en-US" });
  onTestFinished(() => context.close());
  const pushed = pushesOf(context);
  const { page } = await openPage(context, invoice.checkoutUrl);
  await expect.poll(() => pushed.streams).toEqual([`/api/v1/checkout/${invoice.id}/events`]);
  grow(1, invoice, 100_000_000n);
  await page.getByText("You paid 1 coin. 1.5 coins are still due.").waitFor();
  for (const socket of crowd) socket.close();
  const other = await openPage(context, invoice.checkoutUrl);
  await expect.poll(() => pushed.sockets.filter((one) => !one.isClosed()).length).toBe(1);
  await other.page.evaluate(() => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await expect.poll(() => pushed.sockets.every((one) => one.isClosed())).toBe(true);
});

test("the hosted checkout works without script: it loads itself again", async () => {
  onTestFailed(() => console.error(log.slice(-40).join("\n")));
  const body = { orderId: "4712", amountSompi: 100_000_000n, language: "de" };
  const invoice = await create(body);
  const context = await browser.newContext({ javaScriptEnabled: false });
  onTestFinished(() => context.close());
  const { page } = await openPage(context, invoice.checkoutUrl);
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  const heading = await page.getByRole("heading", { level: 1 }).textContent();
  grow(12, invoice, 100_000_000n);
  await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).not.toBe(heading);
});
