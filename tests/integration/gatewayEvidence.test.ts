/**
 * The gateway over somebody else's node: a real one behind a proxy that lies. An invoice is confirmed on evidence alone, and once; on moving to
 * an honest node the gateway is right.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import * as v from "valibot";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { runReceipt } from "@svc/node-server/app/receipt/runReceipt.ts";
import { RpcNode } from "@svc/node-server/client/rpcNode.ts";
import { AccessStore } from "@svc/node-server/gateway/access/accessStore.ts";
import { addMerchant, issueKey } from "@svc/node-server/gateway/access/issueKeys.ts";
import { newViewingKey, ViewingKeyFiles } from "@svc/node-server/gateway/keys/viewingKeyFile.ts";
import type { Gateway } from "@svc/node-server/gateway/startGateway.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { asMerchantId, asTimestampMs } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { TEST_POLICY } from "@svc/shared/invoice/testkit/invoices.ts";
import { invoice, type InvoiceRecord } from "@svc/shared/protocol/gateway/invoiceRecord.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { webhookEvent } from "@svc/shared/protocol/gateway/webhookEvent.ts";
import { readRecords, type RecordTransaction } from "@svc/shared/protocol/http/recordContainer.ts";
import { receiptText } from "@svc/shared/signer/airgap/receiptText.ts";
import { core } from "./engineFixture.ts";
import { LyingProxy, otherRecords, type ProxyLie } from "./lyingProxy.ts";
import { never, startTestNode, tipOf } from "./nodeFixture.ts";
import { startTestGateway } from "./startTestGateway.ts";
import { ALICE, fixture, fund, mine, options } from "./walletApiCalls.ts";
import { WalletApiScene } from "./walletApiScene.ts";

const { alice, bob } = fixture.owners;
const SHOP = asMerchantId("shop");
const AMOUNT = 100_000_000n;
const REQUIRED = 3;
/** Bytes beyond those of any answer that is no page. */
const TOO_LONG = 2 << 20;
const folder = temporaryFolder();
const receipts = v.object({
  receipts: v.array(v.object({ receipt: v.nullable(v.string()), cmx: v.string() })),
});
const ready = v.object({ reasons: v.array(v.string()) });

/** The wallet's node, and the one that the gateway asks through the proxy. */
let [there, here]: RunningNode[] = [];
let proxy: LyingProxy;
let wallet: WalletApiScene;
let gateway: Gateway;
let key: string;
/** Types of the webhooks that came, by invoice. */
const told = new Map<string, string[]>();
const shop = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => void parts.push(part));
  request.on("end", () => {
    const { type, data } = v.parse(webhookEvent, JSON.parse(Buffer.concat(parts).toString()));
    const id = data.invoice?.id ?? "";
    told.set(id, [...(told.get(id) ?? []), type]);
    response.writeHead(200).end();
  });
});

function nodes(): { readonly there: RunningNode; readonly here: RunningNode } {
  if (there === undefined || here === undefined) throw new Error("the nodes have not started");
  return { there, here };
}

const LOOK_MS = 250;

/** As soon as `look` finds something; a gateway that is asked more often refuses. */
async function untilFound<T>(look: () => T | null | false | Promise<T | null | false>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== null && found !== false) return found;
    await systemClock.sleep(LOOK_MS, never);
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

async function create(): Promise<InvoiceRecord> {
  const terms = { orderId: "1", amountSompi: String(AMOUNT), requiredBlueScore: REQUIRED };
  return v.parse(invoice, await ask("POST", "/api/v1/invoices", terms));
}

async function read(id: string): Promise<InvoiceRecord> {
  return v.parse(invoice, await ask("GET", `/api/v1/invoices/${id}`));
}

function until(id: string, isSo: (record: InvoiceRecord) => boolean): Promise<InvoiceRecord> {
  return untilFound(async () => {
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
  untilFound(async () => (await reasons()).some((reason) => words.test(reason)));
const untilReady = (): Promise<boolean> => untilFound(async () => (await reasons()).length === 0);

/** The wallet pays; the payment waits at its own node alone. */
async function pay(to: string): Promise<RecordTransaction> {
  await wallet.untilAtTip(nodes().there, ALICE);
  const body = { to, amount_sompi: String(AMOUNT) };
  expect((await wallet.ask("send", { token: ALICE, body })).status).toBe(200);
  const profileJson = core.builtInProfile("simnet");
  const port = new RpcNode(nodes().there.grpcAddress ?? "", { core, profileJson });
  const [waiting] = await port.pool(never);
  port.close();
  const payment = waiting === undefined ? [] : readRecords(waiting.page)[0]?.transactions;
  if (payment?.[0] === undefined) throw new Error("the payment does not wait");
  return payment[0];
}

/** Brings the wallet's chain to the gateway's node. */
async function copyChain(): Promise<void> {
  const { chainIndex } = await tipOf(nodes().there);
  for (let index = 1n; index <= chainIndex; index += 1n) {
    const hash = (await nodes().there.api.ask("chainHashAt", [index])) ?? "";
    const raw = await nodes().there.api.ask("blockBytes", [hash]);
    if (raw === undefined || raw === null) throw new Error(`block ${hash} is missing`);
    await nodes().here.api.submitBlock(raw, never);
  }
}

/** A payment is found in a block; its evidence is up to the proxy. */
async function paid(): Promise<InvoiceRecord> {
  const made = await create();
  await pay(made.address);
  await mine(nodes().there, 2);
  await copyChain();
  return until(made.id, ({ status }) => status === "paid" || status === "confirmed");
}

/** Blocks come, and the gateway looks at them. */
async function deeper(blocks: number): Promise<void> {
  await mine(nodes().there, blocks);
  await copyChain();
  const before = proxy.asked.length;
  await untilFound(
    () => proxy.asked.slice(before).filter((one) => one === "getBlockDagInfo").length > 1,
  );
}

beforeAll(async () => {
  const fvk = core.fullViewingKey(decodeHex(bob.seed));
  const viewing = newViewingKey(core.incomingViewingKey(fvk), "simnet");
  new ViewingKeyFiles(join(folder.path, "keys")).put(viewing);
  const access = await AccessStore.open(folder.path);
  const nowMs = asTimestampMs(systemClock.nowMs());
  addMerchant(access, {
    ...{ id: SHOP, name: "The shop", key: viewing.id, policy: TEST_POLICY, expiresInS: 900 },
    ...{ frameOrigins: [], language: null, payout: null, createdMs: nowMs, closedMs: null },
  });
  const wish = { merchant: SHOP, label: "", scopes: KEY_SCOPES, mode: "test", nowMs } as const;
  key = (await issueKey(access, wish, randomBytes)).text;
  await access.close();
  there = await startTestNode(null);
  here = await startTestNode(null);
  await fund(there);
  await copyChain();
  proxy = await LyingProxy.before(here.grpcAddress ?? "");
  wallet = await WalletApiScene.start({ node: there.grpcAddress ?? "" });
  await wallet.client(ALICE).import({ seed_hex: alice.seed }, options);
  gateway = await startTestGateway(proxy.address, folder.path);
  shop.listen(0, "127.0.0.1");
  await once(shop, "listening");
  const address = shop.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await ask("POST", "/api/v1/webhooks", { url: `http://127.0.0.1:${port}/hook` });
}, 120_000);
afterEach(() => {
  proxy.lie = null;
});
afterAll(async () => {
  await gateway.stop();
  await wallet.stop();
  proxy.close();
  await Promise.all([there?.stop(), here?.stop()]);
  shop.close();
  shop.closeAllConnections();
  folder.remove();
});

/** The receipts of an invoice, as its merchant reads them. */
async function receiptsOf(id: string) {
  const rows = v.parse(receipts, await ask("GET", `/api/v1/invoices/${id}/receipts`));
  return rows.receipts.flatMap(({ receipt }) => (receipt === null ? [] : [receipt]));
}

/** What `svc receipt check` says of a receipt. */
async function check(...args: readonly string[]): Promise<unknown> {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const all = ["check", ...args, "--json", "--simnet"];
  expect(await runReceipt({ args: all, environment: {}, print, signal: never })).toBe(0);
  return JSON.parse(lines.join("\n"));
}

/** The same under the chain of an honest node, with blocks above the receipt's header. */
async function checkInChain(receipt: string): Promise<unknown> {
  await deeper(3);
  return check(receipt, `--node=${nodes().there.httpAddress}`);
}

const confirmations = (id: string): number =>
  (told.get(id) ?? []).filter((type) => type === "invoice.confirmed").length;

describe("a gateway that asks somebody else's node", { timeout: 120_000 }, () => {
  it("confirms a payment on evidence, which it asks for at the end of pages, and gives its receipt", async () => {
    const { id, address } = await paid();
    await deeper(4);
    const { payments } = await until(id, ({ status }) => status === "confirmed");
    const [receipt = expect.unreachable(), ...more] = await receiptsOf(id);
    expect(more).toEqual([]);
    const shown = { address, value: String(AMOUNT) };
    expect(await check(receipt)).toMatchObject({ ...shown, grade: "work", challenge: null });
    // The payer, who knows the invoice alone, has the same file; a stranger has none.
    const file = await fetch(
      `${gateway.address}/api/v1/checkout/${id}/receipts/${payments[0]?.cmx}`,
    );
    expect(file.headers.get("content-type")).toBe("application/cbor");
    expect(receiptText(new Uint8Array(await file.arrayBuffer()))).toBe(receipt);
    expect((await fetch(payments[0]?.receiptUrl ?? "")).status).toBe(401);
    expect(proxy.asked).not.toContain("getEvidenceMembership");
    expect(await checkInChain(receipt)).toMatchObject({ ...shown, grade: "chain" });
    expect(proxy.asked).toContain("getEvidenceOpening");
    expect(proxy.asked).toContain("getEvidenceRun");
    await untilReady();
    await expect.poll(() => confirmations(id)).toBe(1);
  });

  it("never confirms a payment that a node invents under a great blue score, and is right on the honest chain", async () => {
    const made = await create();
    const invented = await pay(made.address);
    await mine(nodes().here, 1);
    const { sink } = await tipOf(nodes().here);
    const records = otherRecords((record) => {
      if (record.hash !== sink) return record;
      return { ...record, transactions: [...record.transactions, invented] };
    });
    const lie: ProxyLie = (answer, request) => {
      if (answer.$case !== "getBlockDagInfo") return records(answer, request);
      const { shieldedTip } = answer.value;
      if (shieldedTip === undefined) return answer;
      const sinkBlueScore = shieldedTip.sinkBlueScore + 10_000n;
      return {
        ...answer,
        value: { ...answer.value, shieldedTip: { ...shieldedTip, sinkBlueScore } },
      };
    };
    proxy.lie = lie;
    await mine(nodes().here, 5);
    await untilReason(/made up payments: at block/);
    expect((await read(made.id)).status).not.toBe("confirmed");
    expect(confirmations(made.id)).toBe(0);
    expect(await receiptsOf(made.id)).toEqual([]);
    proxy.lie = null;
    await mine(nodes().there, 12);
    await copyChain();
    const done = await until(made.id, ({ status }) => status === "confirmed");
    expect(done.paidSompi).toBe(AMOUNT);
    await untilReady();
    const [receipt = expect.unreachable()] = await receiptsOf(made.id);
    const shown = { address: made.address, grade: "chain" };
    expect(await checkInChain(receipt)).toMatchObject(shown);
    await expect.poll(() => confirmations(made.id)).toBe(1);
  });

  it.each<readonly [string, RegExp, ProxyLie]>([
    ["none", /does not show the work/, (answer) => (isEvidence(answer) ? null : answer)],
    ["that of another block", /different headers/, otherBlock],
    ["longer than any piece", /does not show the work/, endless],
    ["changed bytes", /not the state that the coinbase commits to/, flipped],
  ])(
    "confirms nothing with evidence that is %s, says so, and goes on when the node shows it",
    async (_, words, lie) => {
      proxy.lie = lie;
      const { id } = await paid();
      await deeper(4);
      await deeper(1);
      await deeper(1);
      await untilReason(words);
      expect((await read(id)).status).toBe("paid");
      proxy.lie = null;
      await until(id, ({ status }) => status === "confirmed");
      await untilReady();
      await expect.poll(() => confirmations(id)).toBe(1);
    },
  );

  it("tells a confirmation once where it is killed between the proof and the webhook", async () => {
    proxy.lie = (answer) => (isEvidence(answer) ? null : answer);
    const { id } = await paid();
    await deeper(4);
    await gateway.stop();
    proxy.lie = null;
    gateway = await startTestGateway(proxy.address, folder.path);
    await until(id, ({ status }) => status === "confirmed");
    await gateway.stop();
    gateway = await startTestGateway(proxy.address, folder.path);
    await untilReady();
    await expect.poll(() => confirmations(id)).toBe(1);
    await deeper(2);
    expect(confirmations(id)).toBe(1);
    expect(await receiptsOf(id)).toHaveLength(1);
  });

  it("asks a node that it trusts for no evidence, and confirms by depth", async () => {
    await gateway.stop();
    const before = proxy.asked.length;
    gateway = await startTestGateway(proxy.address, folder.path, true);
    const { id } = await paid();
    await deeper(4);
    await until(id, ({ status }) => status === "confirmed");
    expect(proxy.asked.slice(before).filter((method) => method.startsWith("getEvidence"))).toEqual(
      [],
    );
    expect(await receiptsOf(id)).toEqual([]);
  });

  it("begins to ask where it trusted before: what was found stays as it was, and what follows is proved", async () => {
    const earlier = await paid();
    await gateway.stop();
    gateway = await startTestGateway(proxy.address, folder.path);
    await deeper(4);
    await until(earlier.id, ({ status }) => status === "confirmed");
    proxy.lie = (answer) => (isEvidence(answer) ? null : answer);
    const { id } = await paid();
    await deeper(4);
    expect((await read(id)).status).toBe("paid");
    proxy.lie = null;
    await until(id, ({ status }) => status === "confirmed");
    expect(await receiptsOf(earlier.id)).toEqual([]);
    expect(await receiptsOf(id)).toHaveLength(1);
  });
});

function isEvidence({ $case }: Parameters<ProxyLie>[0]): boolean {
  return $case === "getEvidenceOpening" || $case === "getEvidenceRun";
}

/** The opening of the block before the one that was asked for. */
async function otherBlock(...[answer]: Parameters<ProxyLie>): Promise<Parameters<ProxyLie>[0]> {
  if (answer.$case !== "getEvidenceOpening") return answer;
  const blockHash = (await nodes().here.api.ask("chainHashAt", [2n])) ?? "";
  return proxy.honest({ $case: "getEvidenceOpening", value: { blockHash } });
}

function endless(...[answer]: Parameters<ProxyLie>): Parameters<ProxyLie>[0] {
  if (answer.$case !== "getEvidenceOpening") return answer;
  return { ...answer, value: { ...answer.value, opening: new Uint8Array(TOO_LONG) } };
}

function flipped(...[answer]: Parameters<ProxyLie>): Parameters<ProxyLie>[0] {
  if (answer.$case !== "getEvidenceOpening") return answer;
  const opening = answer.value.opening.slice();
  const at = opening.length - 20;
  opening[at] = (opening[at] ?? 0) ^ 1;
  return { ...answer, value: { ...answer.value, opening } };
}
