/**
 * The hosted gateway from nothing: its Worker in workerd, a merchant set up by commands, `svc gateway scan --push` beside a real node, and a
 * wallet that pays with real proofs. Scanner and Worker are ended in between.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { GatewayClient } from "@svc/shared/protocol/gateway/gatewayClient.ts";
import type { InvoiceRecord } from "@svc/shared/protocol/gateway/invoiceRecord.ts";
import type { RefundState } from "@svc/shared/protocol/gateway/refundRecord.ts";
import { freePort } from "../network/freePort.ts";
import { ListeningProgram } from "../network/listeningProgram.ts";
import { svcCommand } from "../testkit/svcCommand.ts";
import { core } from "./engineFixture.ts";
import { startTestNode } from "./nodeFixture.ts";
import { untilFound } from "./untilFound.ts";
import { ALICE, fixture, fund, mine, options } from "./walletApiCalls.ts";
import { WalletApiScene } from "./walletApiScene.ts";

const { alice, bob } = fixture.owners;
const INGEST_SECRET = "what-the-scanner-signs-with";
const ADMIN_SECRET = "what-the-operator-signs-with";
const AMOUNT = 100_000_000n;
const folder = temporaryFolder();
const home = join(folder.path, "home");
const data = join(folder.path, "edge");
const gatewayFolder = join(folder.path, "gateway");
const payouts = join(folder.path, "payouts.json");
const log: string[] = [];

let node: RunningNode;
let wallet: WalletApiScene;
let port: number;
let worker: ListeningProgram;
let scanner: ListeningProgram;
let client: GatewayClient;

const place = (): readonly string[] => ["--network=simnet", `--gateway-dir=${gatewayFolder}`];

function startWorker(): ListeningProgram {
  return new ListeningProgram({
    name: "edge",
    command: ["scripts/edge.ts", `--port=${port}`, `--data=${data}`],
    home,
    listens: /the gateway answers at (http:\S+)/,
    log,
  });
}

function startScanner(): ListeningProgram {
  return new ListeningProgram({
    name: "scanner",
    command: [
      ...["node-server/bin/svc.ts", "gateway", "scan", `--push=http://127.0.0.1:${port}`],
      ...[`--rpc-server=${node.grpcAddress ?? ""}`, `--payouts-file=${payouts}`, ...place()],
    ],
    home,
    listens: /^facts to +(http:\S+)/,
    environment: { SVC_INGEST_SECRET: INGEST_SECRET },
    log,
  });
}

/** Runs a command at the hosted gateway; returns what it prints. */
function command(...args: readonly string[]): string {
  const hosted = `--hosted=http://127.0.0.1:${port}`;
  const [program, ...rest] = svcCommand(["gateway", ...args, hosted, ...place()]);
  const env = { ...process.env, HOME: home, SVC_ADMIN_SECRET: ADMIN_SECRET };
  return execFileSync(program, rest, { encoding: "utf8", env }).trim();
}

/** An invoice, as soon as the Worker has an address for it. */
function create(orderId: string): Promise<InvoiceRecord> {
  const terms = { orderId, amountSompi: AMOUNT, requiredBlueScore: 3 };
  return untilFound(async () => {
    try {
      return await client.createInvoice(terms, { ...options, idempotencyKey: orderId });
    } catch (thrown) {
      if (SvcError.is(thrown, "gateway/no-address")) return null;
      throw thrown;
    }
  });
}

function until(id: string, status: InvoiceRecord["status"]): Promise<InvoiceRecord> {
  return untilFound(async () => {
    const record = await client.invoice(id, options);
    return record.status === status && record;
  });
}

async function pay(to: string): Promise<void> {
  await wallet.untilAtTip(node, ALICE);
  const body = { to, amount_sompi: String(AMOUNT) };
  expect((await wallet.ask("send", { token: ALICE, body })).status).toBe(200);
}

/** Refunds are paid by a wallet whose token may do so and see that it did. */
async function namePayout(): Promise<void> {
  const scope = ["view", "spend"] as const;
  const { token } = await wallet.client(ALICE).createToken({ scope: [...scope] }, options);
  writeFileSync(join(folder.path, "payout.token"), token);
  const [key = ""] = /key_[0-9a-f]{16}/.exec(command("merchants", "list")) ?? [];
  const wallets = { [key]: { walletdUrl: wallet.address, tokenFile: "payout.token" } };
  writeFileSync(payouts, JSON.stringify(wallets));
}

beforeAll(async () => {
  mkdirSync(home);
  mkdirSync(data);
  port = await freePort();
  const variables = [
    `SVC_MASTER_KEY=k1:${"5a".repeat(32)}`,
    `SVC_INGEST_SECRET=${INGEST_SECRET}`,
    `SVC_ADMIN_SECRET=${ADMIN_SECRET}`,
    "SVC_NETWORK=simnet",
    "SVC_COIN=SVCSIM",
    "SVC_SCANNER=scanner",
    "SVC_WEBHOOK_REACH=loopback",
    `SVC_PUBLIC_URL=http://127.0.0.1:${port}`,
  ];
  writeFileSync(join(data, "gateway.env"), `${variables.join("\n")}\n`);
  worker = startWorker();
  node = await startTestNode(null);
  await fund(node);
  wallet = await WalletApiScene.start({ node: node.grpcAddress ?? "" });
  await wallet.client(ALICE).import({ seed_hex: alice.seed }, options);
  const baseUrl = await worker.listening();
  const keyFile = join(folder.path, "viewing.key");
  writeFileSync(keyFile, encodeHex(core.fullViewingKey(decodeHex(bob.seed))));
  command("merchants", "add", "shop", `--viewing-key-file=${keyFile}`);
  await namePayout();
  const scopes = ["invoices:read", "invoices:write", "refunds"].map((scope) => `--scope=${scope}`);
  const apiKey = command("keys", "issue", "shop", "--label=till", ...scopes);
  client = new GatewayClient({ baseUrl, apiKey });
  scanner = startScanner();
  await scanner.listening();
}, 120_000);
afterAll(async () => {
  await scanner.stop();
  await worker.stop();
  await wallet.stop();
  await node.stop();
  folder.remove();
});

describe("a hosted merchant that was set up from nothing", { timeout: 180_000 }, () => {
  it("is paid: the payment is seen in the pool, mined, and confirmed at the hosted API", async () => {
    onTestFailed(() => console.error(log.slice(-60).join("\n")));
    const made = await create("order-1");
    await pay(made.address);
    await untilFound(async () => {
      const { seenSompi } = await client.invoice(made.id, options);
      return seenSompi === AMOUNT;
    });
    await mine(node, 2);
    await until(made.id, "paid");
    await mine(node, 4);
    const done = await until(made.id, "confirmed");
    expect(done).toMatchObject({ paidSompi: AMOUNT, dueSompi: 0n });
    expect(done.payments).toHaveLength(1);
  });

  it("is paid while the scanner was killed, and while the Worker was away", async () => {
    onTestFailed(() => console.error(log.slice(-60).join("\n")));
    const made = await create("order-2");
    await pay(made.address);
    await scanner.kill();
    await mine(node, 2);
    scanner = startScanner();
    await until(made.id, "paid");
    await worker.stop();
    await mine(node, 4);
    worker = startWorker();
    await worker.listening();
    const done = await until(made.id, "confirmed");
    expect(done).toMatchObject({ paidSompi: AMOUNT, overpaidSompi: 0n });
  });

  it("is claimed, approved and paid back beside the node once, over kills of the scanner", async () => {
    onTestFailed(() => console.error(log.slice(-60).join("\n")));
    const made = await create("order-refund");
    await pay(made.address);
    await mine(node, 14);
    await until(made.id, "confirmed");
    const offered = await client.createRefund(made.id, { amount: "all" }, options);
    // Another invoice stands for the payer's wallet: it counts what comes.
    const payer = await create("order-payer");
    const claim = offered.claimUrl.slice(offered.claimUrl.lastIndexOf("/") + 1);
    await client.fillClaim(claim, { address: payer.address }, options);
    await wallet.untilAtTip(node, ALICE);
    const { address } = payer;
    await client.approveRefund(offered.id, { address }, options);
    await scanner.kill();
    scanner = startScanner();
    const untilIs = (state: RefundState) =>
      untilFound(async () => {
        const record = await client.refund(offered.id, options);
        return record.state === state && record;
      });
    const sent = await untilIs("sent");
    await scanner.kill();
    scanner = startScanner();
    await mine(node, 14);
    const paid = await until(payer.id, "confirmed");
    expect(paid.payments.map(({ txid }) => txid)).toEqual([sent.txid]);
    expect(await untilIs("confirmed")).toMatchObject({ txid: sent.txid, error: null });
  });

  it("shows payers its page, with the built script", async () => {
    const { checkoutUrl } = await create("order-3");
    const page = await fetch(checkoutUrl);
    const policy = page.headers.get("content-security-policy");
    const [, script = ""] = /<script[^>]* src="([^"]+)"/.exec(await page.text()) ?? [];
    expect(policy).toMatch(/^default-src 'none'; script-src 'nonce-[0-9a-f]{32}';/);
    const file = await fetch(new URL(script, checkoutUrl));
    expect(file.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect((await file.text()).length).toBeGreaterThan(1_000);
  });

  it("is listed with its keys, which end at once when they are revoked", async () => {
    expect(command("merchants", "list")).toMatch(/^shop +key_[0-9a-f]{16} +shop$/);
    const [id = ""] = command("keys", "list", "shop").split(" ");
    expect(command("keys", "revoke", "shop", id)).toContain("is revoked");
    expect(command("keys", "list", "shop")).toMatch(/^[0-9a-f]{16} +revoked .*till$/);
    await expect(client.invoices({}, options)).rejects.toMatchObject({ code: "gateway/bad-key" });
  });

  it("leaves its viewing key at home, and no secret in a log", () => {
    expect(log.join("\n")).not.toMatch(/what-the-(scanner|operator)-signs-with/);
    const ivk = encodeHex(core.incomingViewingKey(core.fullViewingKey(decodeHex(bob.seed))));
    const kept = execFileSync("grep", ["-rlcF", ivk, folder.path], { encoding: "utf8" });
    expect(
      kept
        .trim()
        .split("\n")
        .every((path) => path.startsWith(gatewayFolder)),
    ).toBe(true);
  });
});
