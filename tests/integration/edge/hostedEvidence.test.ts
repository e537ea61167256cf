/**
 * The hosted gateway over somebody else's node: its Worker in workerd, told by `svc gateway scan --push`, which asks a real node behind a proxy
 * that lies. The Worker confirms on evidence alone, and once; it names what its scanner says of the node until the scanner proves again.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import * as v from "valibot";
import type { InvoiceRecord } from "@svc/shared/protocol/gateway/invoiceRecord.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import {
  flippedOpening,
  flippedRun,
  inventedPayment,
  otherOpening,
  staleTip,
  withheld,
} from "../gateway/gatewayLies.ts";
import { checkReceipt } from "../gateway/checkReceipt.ts";
import { HOSTED_AMOUNT, HostedScene } from "./hostedScene.ts";
import type { ProxyLie } from "../gateway/lyingProxy.ts";
import { LyingScene, untilAnswered } from "../gateway/lyingScene.ts";
import { ToldShop } from "../gateway/toldShop.ts";
import { HANG_MS } from "../../testkit/hangMs.ts";
import { mine, options } from "../walletd/walletApiCalls.ts";

const ready = v.object({ reasons: v.array(v.string()) });
const scanner = v.object({
  told: v.object({ toldMs: v.string(), fault: v.nullable(v.object({ code: v.string() })) }),
});

let nodes: LyingScene;
let hosted: HostedScene;
let shop: ToldShop;
let orders = 0;

const scan = () => hosted.scan(nodes.proxy.address);

function create(): Promise<InvoiceRecord> {
  orders += 1;
  return hosted.create(`order-${orders}`);
}

/** A payment is found in a block; its evidence is up to the proxy. */
async function paid(): Promise<InvoiceRecord> {
  const made = await create();
  await nodes.pay(made.address, HOSTED_AMOUNT);
  await nodes.grow(2);
  return untilAnswered(async () => {
    const record = await read(made.id);
    return (record.status === "paid" || record.status === "confirmed") && record;
  });
}

const read = (id: string) => hosted.client.invoice(id, options);

/** Why the Worker is not ready. */
async function reasons(): Promise<readonly string[]> {
  const response = await fetch(`${hosted.address}/health/ready`);
  return v.parse(ready, await response.json()).reasons;
}

const untilReady = () => untilAnswered(async () => (await reasons()).length === 0);

/** The reason by which the Worker tells a fault of this code as its scanner's claim. */
function untilClaimed(code: string): Promise<string> {
  const claim = new RegExp(`^the scanner says of its node, since 20.+: .+ \\(${code}\\)$`);
  return untilAnswered(async () => (await reasons()).find((one) => claim.test(one)) ?? null);
}

/** The receipt of the only payment, the same for merchant and payer. */
async function receiptOf(id: string): Promise<string> {
  const receipt = await untilAnswered(async () => {
    const { receipts } = await hosted.client.invoiceReceipts(id, {}, options);
    return receipts[0]?.receipt ?? null;
  });
  const { receipts } = await hosted.client.checkoutReceipts(id, {}, options);
  expect(receipts.map((row) => row.receipt)).toEqual([receipt]);
  return receipt;
}

/** What the operator is told. */
function toldByScanner() {
  return v.parse(scanner, JSON.parse(hosted.command("scanner", "--json"))).told;
}

/** With an honest node the payment is confirmed, and its merchant is told so once. */
async function expectConfirmedOnce(id: string): Promise<void> {
  nodes.proxy.lie = null;
  const done = await untilAnswered(async () => {
    const record = await read(id);
    return record.status === "confirmed" && record;
  });
  expect(done).toMatchObject({ paidSompi: HOSTED_AMOUNT, dueSompi: 0n });
  await untilReady();
  await shop.confirmed(id);
  await nodes.deeper(2);
  expect(shop.confirmations(id)).toBe(1);
}

beforeAll(async () => {
  nodes = await LyingScene.start();
  shop = await ToldShop.listen();
  hosted = await HostedScene.open(KEY_SCOPES);
  await hosted.client.createWebhook({ url: shop.url }, options);
  await scan();
}, HANG_MS);
afterEach(() => {
  nodes.proxy.lie = null;
});
afterAll(async () => {
  await hosted.close();
  await nodes.stop();
  shop.close();
});

describe("a hosted gateway whose scanner asks somebody else's node", { timeout: HANG_MS }, () => {
  it("confirms a payment once on evidence that its scanner judged, and gives its receipt, which anybody can check", async () => {
    onTestFailed(() => console.error(hosted.log.slice(-60).join("\n")));
    const { id, address } = await paid();
    await nodes.deeper(4);
    await expectConfirmedOnce(id);
    const receipt = await receiptOf(id);
    const shown = { address, value: String(HOSTED_AMOUNT) };
    expect(await checkReceipt(receipt)).toMatchObject({ ...shown, grade: "work" });
    await nodes.deeper(3);
    const inChain = await checkReceipt(receipt, `--node=${nodes.there.httpAddress}`);
    expect(inChain).toMatchObject({ ...shown, grade: "chain" });
    expect(nodes.proxy.asked).toContain("getEvidenceRun");
  });

  it("never confirms a payment that the node invents under a great blue score, names the lie, and is right on the honest chain", async () => {
    onTestFailed(() => console.error(hosted.log.slice(-60).join("\n")));
    const made = await create();
    const invented = await nodes.pay(made.address, HOSTED_AMOUNT);
    await mine(nodes.here, 1);
    nodes.proxy.lie = await inventedPayment(invented, nodes.here);
    await mine(nodes.here, 5);
    const claim = await untilClaimed("evidence/other-notes");
    expect(claim).toContain("This node left out or made up payments: at block ");
    expect(toldByScanner()).toMatchObject({ fault: { code: "evidence/other-notes" } });
    await nodes.deeper(0);
    expect((await read(made.id)).status).not.toBe("confirmed");
    expect(shop.confirmations(made.id)).toBe(0);
    expect((await hosted.client.invoiceReceipts(made.id, {}, options)).receipts).toEqual([]);
    nodes.proxy.lie = null;
    await nodes.grow(12);
    await expectConfirmedOnce(made.id);
    expect(toldByScanner()).toMatchObject({ fault: null });
  });

  it.each<readonly [string, string, () => ProxyLie]>([
    ["none", "evidence/not-shown", () => withheld],
    ["that of another block", "evidence/other-header", () => otherOpening(nodes.proxy, nodes.here)],
    ["an altered opening", "evidence/other-state", () => flippedOpening],
    ["an altered run", "[a-z]+/[a-z-]+", () => flippedRun],
  ])(
    "confirms nothing with evidence that is %s, names it, and goes on when the node shows it",
    async (_, code, lie) => {
      onTestFailed(() => console.error(hosted.log.slice(-60).join("\n")));
      nodes.proxy.lie = lie();
      const { id } = await paid();
      for (const blocks of [4, 1, 1]) await nodes.deeper(blocks);
      await untilClaimed(code);
      expect((await read(id)).status).toBe("paid");
      expect(shop.confirmations(id)).toBe(0);
      await expectConfirmedOnce(id);
    },
  );

  it("confirms nothing under a tip that stays, however great its blue score", async () => {
    onTestFailed(() => console.error(hosted.log.slice(-60).join("\n")));
    const { id } = await paid();
    nodes.proxy.lie = await staleTip(nodes.here);
    for (const blocks of [4, 1, 1]) await nodes.deeper(blocks);
    expect((await read(id)).status).toBe("paid");
    expect(shop.confirmations(id)).toBe(0);
    await expectConfirmedOnce(id);
  });

  it("goes on to name the fault where the scanner is killed meanwhile, and confirms once after it", async () => {
    onTestFailed(() => console.error(hosted.log.slice(-60).join("\n")));
    nodes.proxy.lie = withheld;
    const { id } = await paid();
    for (const blocks of [4, 1, 1]) await nodes.deeper(blocks);
    const claim = await untilClaimed("evidence/not-shown");
    await hosted.killScanner();
    const { toldMs } = toldByScanner();
    await scan();
    await untilAnswered(() => toldByScanner().toldMs !== toldMs);
    expect(await reasons()).toEqual([claim]);
    expect((await read(id)).status).toBe("paid");
    await expectConfirmedOnce(id);
  });
});
