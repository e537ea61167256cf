/**
 * `svc gateway` killed at random moments, while a shop makes invoices, a wallet pays them with real proofs, blocks come and webhooks go
 * out: each order has one invoice, each payment counts once, and each change is told.
 */
import { writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { onTestFailed, onTestFinished, expect, it } from "vitest";
import { GatewayStore } from "@svc/node-server/gateway/store/gatewayStore.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { GatewayClient } from "@svc/shared/protocol/gateway/gatewayClient.ts";
import type { InvoiceRecord } from "@svc/shared/protocol/gateway/invoiceRecord.ts";
import { killsOf, reportKills } from "../../testkit/killCount.ts";
import { seededRandom, type SeededRandom } from "../../testkit/seededRandom.ts";
import { svcCommand } from "../../testkit/svcCommand.ts";
import { GatewayShop } from "./gatewayShop.ts";
import { freePort } from "../testkit/freePort.ts";
import { ListeningProgram } from "../testkit/listeningProgram.ts";
import { mineAt, payAddressOf } from "../testkit/nodeMiner.ts";
import { core } from "../testkit/scene.ts";
import { notesChain, PAYER, WalletdScene } from "../walletd/walletdScene.ts";
import { LONG_HANG_MS, STEP_HANG_MS } from "../../testkit/hangMs.ts";

const KILLS = killsOf({ reduced: 6, full: 300 });
/** Orders of the shop: about one for eight kills. */
const ORDERS = Math.max(3, Math.ceil(KILLS / 8));
const AMOUNT = 1_000_000n;
/** Longest time that a gateway lives, ms. */
const LIFE_MS = 700;
const MERCHANT_SEED = new Uint8Array(32).fill(33);
const never = new AbortController().signal;
const options = { signal: never };

const pause = (ms: number): Promise<void> => systemClock.sleep(ms, never);

/** The gateway of the test: whichever process runs. */
class KilledGateway {
  readonly folder: string;
  running: ListeningProgram | null = null;
  killed = 0;
  readonly #of: WalletdScene;
  readonly #port: number;
  #startMs = 1_000;

  constructor(of: WalletdScene, port: number) {
    this.#of = of;
    this.#port = port;
    this.folder = of.scene.appdir("gateway");
    onTestFinished(() => this.running?.end());
  }

  /** Runs a command on its folder; returns what it prints. */
  command(...args: readonly string[]): string {
    const { profileFile } = this.#of.scene;
    const place = [`--profile=${profileFile}`, `--gateway-dir=${this.folder}`];
    const [program, ...rest] = svcCommand(["gateway", ...args, ...place]);
    return execFileSync(program, rest, { encoding: "utf8" }).trim();
  }

  begin(): ListeningProgram {
    const { profileFile } = this.#of.scene;
    this.running = new ListeningProgram({
      name: "gateway",
      command: [
        "node-server/bin/svc.ts",
        "gateway",
        `--profile=${profileFile}`,
        `--gateway-dir=${this.folder}`,
        `--rpc-server=${this.#of.nodeAddress}`,
        `--gateway-listen=127.0.0.1:${this.#port}`,
        "--gateway-public-url=http://127.0.0.1:9",
      ],
      home: this.#of.scene.appdir("home"),
      listens: /^API +(http:\/\/\S+)/,
      log: this.#of.log,
    });
    return this.running;
  }

  /** Kills so many; resolves when the survivor listens. */
  async kill(count: number, random: SeededRandom): Promise<void> {
    for (let left = count; left > 0; left -= 1) {
      const program = this.running ?? this.begin();
      if (random.below(4) === 0) {
        await pause(random.below(this.#startMs));
      } else {
        const begun = performance.now();
        await program.listening();
        this.#startMs = Math.ceil(performance.now() - begun);
        await pause(random.below(LIFE_MS));
      }
      await program.kill();
      this.killed += 1;
      this.running = null;
    }
    await this.begin().listening();
  }
}

/** What `work` gives, tried until it does. */
async function insist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isAway = SvcError.is(
        error,
        "gateway/unreachable",
        "gateway/bad-answer",
        "gateway/no-address",
        "http/unavailable",
        "http/too-many-requests",
      );
      if (!isAway) throw error;
      await pause(50);
    }
  }
}

/** Pays an order: in one payment, in two, or with too much. */
async function pay(of: WalletdScene, { address }: InvoiceRecord, order: number): Promise<bigint> {
  const parts = [[AMOUNT], [AMOUNT / 2n, AMOUNT - AMOUNT / 2n], [AMOUNT + 5n]][order % 3] ?? [];
  for (const [part, amount] of parts.entries()) {
    const body = { to: address, amount_sompi: String(amount) };
    await of.client(PAYER).send(body, { ...options, idempotencyKey: `order-${order}-${part}` });
  }
  return parts.reduce((sum, amount) => sum + amount, 0n);
}

async function setUp() {
  const random = seededRandom("gateway kills");
  const of = await WalletdScene.make({ chain: await notesChain(ORDERS * 20 + 80) });
  onTestFailed(() => console.error(of.log.slice(-60).join("\n")));
  await of.fill();
  const gateway = new KilledGateway(of, await freePort());
  const fvk = callCore(() => core.fullViewingKey(MERCHANT_SEED));
  const keyFile = of.scene.appdir("merchant.key");
  writeFileSync(keyFile, encodeHex(fvk));
  gateway.command("merchants", "add", "shop", `--viewing-key-file=${keyFile}`);
  const scopes = ["invoices:read", "invoices:write", "webhooks"].map((scope) => `--scope=${scope}`);
  const apiKey = gateway.command("keys", "issue", "shop", ...scopes);
  const baseUrl = await gateway.begin().listening();
  const client = new GatewayClient({ baseUrl, apiKey });
  const shop = await GatewayShop.start(random);
  const hook = await insist(() => client.createWebhook({ url: shop.url }, options));
  shop.secret = hook.secret;
  return { of, gateway, client, shop, random };
}

it(
  `${KILLS} kills of the gateway lose no invoice, payment or event`,
  { timeout: LONG_HANG_MS },
  async () => {
    const { of, gateway, client, shop, random } = await setUp();
    const made: { readonly id: string; readonly paid: bigint; readonly address: string }[] = [];
    const over = new AbortController();
    const mining = (async () => {
      const miner = payAddressOf(1);
      while (!over.signal.aborted) {
        await mineAt(of.node, 1, miner);
        await pause(200);
      }
    })();
    const orders = (async () => {
      for (let order = 0; order < ORDERS; order += 1) {
        const terms = {
          orderId: `order ${order}`,
          amountSompi: String(AMOUNT),
          requiredBlueScore: 3,
        };
        const keyed = { ...options, idempotencyKey: `order-${order}` };
        const record = await insist(() => client.createInvoice(terms, keyed));
        const paid = await pay(of, record, order);
        made.push({ id: record.id, paid, address: record.address });
        const again = await insist(() => client.createInvoice(terms, keyed));
        expect(again.id).toBe(record.id);
      }
    })();
    await Promise.all([gateway.kill(KILLS, random), orders]);
    expect(gateway.killed).toBe(KILLS);
    for (const { id, paid } of made) {
      const wanted = paid > AMOUNT ? "overpaid" : "confirmed";
      await expect
        .poll(async () => (await insist(() => client.invoice(id, options))).status, {
          timeout: STEP_HANG_MS,
        })
        .toBe(wanted);
      const record = await client.invoice(id, options);
      expect(record.paidSompi).toBe(paid);
      const versions = Array.from({ length: record.version }, (_, place) => place + 1);
      await expect.poll(() => shop.versionsOf(id)).toEqual(versions);
    }
    over.abort();
    await mining;
    expect(new Set(made.map(({ address }) => address)).size).toBe(ORDERS);
    expect(shop.faults).toEqual([]);
    expect(await gateway.running?.stop()).toBe(0);
    const store = await GatewayStore.open(gateway.folder, null);
    expect(store.flaws()).toEqual([]);
    await store.close();
    reportKills("gateway", KILLS);
  },
);
