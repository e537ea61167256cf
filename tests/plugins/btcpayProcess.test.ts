/** `svc gateway` as an operator runs it, and a shop in PHP that speaks as BTCPay's WooCommerce plugin does. No node is there: nobody pays. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFailed, onTestFinished } from "vitest";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { core } from "../integration/engine/engineFixture.ts";
import { untilFound } from "../integration/node/untilFound.ts";
import { ListeningProgram } from "../network/testkit/listeningProgram.ts";
import { svcCommand } from "../testkit/svcCommand.ts";
import { BtcpayShop } from "./btcpayShop.ts";
import { hasPhp } from "./phpTests.ts";

const SEED = new Uint8Array(32).fill(34);
const SCOPES = ["invoices:read", "invoices:write", "webhooks"];

/** A gateway whose merchant is `shop`, at a place that its restarts keep. */
class GatewayProcess {
  readonly folder = join(folderOfTest(), "gateway");
  readonly #log: string[] = [];
  #running: ListeningProgram | null = null;
  #listen = "127.0.0.1:0";

  constructor() {
    onTestFailed(() => console.error(this.#log.join("\n")));
    onTestFinished(() => this.#running?.end());
  }

  /** Runs a command on its folder; what it prints. */
  command(...args: readonly string[]): string {
    const place = ["--network=simnet", `--gateway-dir=${this.folder}`];
    const [program, ...rest] = svcCommand(["gateway", ...args, ...place]);
    return execFileSync(program, rest, { encoding: "utf8" }).trim();
  }

  /** Starts it; resolves with where it listens. */
  async begin(): Promise<string> {
    this.#running = new ListeningProgram({
      name: "gateway",
      command: [
        ...["node-server/bin/svc.ts", "gateway", "--network=simnet", "--rpc-server=127.0.0.1:9"],
        ...[`--gateway-dir=${this.folder}`, `--gateway-listen=${this.#listen}`, "--rate=EUR=8.00"],
      ],
      home: this.folder,
      listens: /^API +(http:\/\/\S+)/,
      log: this.#log,
    });
    const address = await this.#running.listening();
    this.#listen = address.slice("http://".length);
    return address;
  }

  async kill(): Promise<void> {
    await this.#running?.kill();
  }
}

describe.skipIf(!hasPhp())("svc gateway and a shop with BTCPay's plugin", () => {
  it("serves a shop with prices, and tells it over a kill what its merchant marked", async () => {
    const gateway = new GatewayProcess();
    const keyFile = join(folderOfTest(), "merchant.key");
    writeFileSync(keyFile, encodeHex(callCore(() => core.fullViewingKey(SEED))));
    gateway.command("merchants", "add", "shop", `--viewing-key-file=${keyFile}`);
    const key = gateway.command("keys", "issue", "shop", ...SCOPES.map((one) => `--scope=${one}`));
    const address = await gateway.begin();
    const shop = await BtcpayShop.start();
    // It follows no node, and says so.
    expect(await shop.connect(address, key)).toMatchObject({
      server: { fullySynched: false },
      methods: ["SVCSIM"],
    });
    const order = { total: "12.00", currency: "EUR" };
    const id = await untilFound(() => shop.orders("4711", order).catch(() => false as const));
    const found = Object.values(await shop.does("find", { number: "4711" }));
    expect(found).toMatchObject([{ id, amount: "12.00", currency: "EUR", status: "New" }]);
    const checkout = await fetch(`${address}/btcpay/i/${id}`);
    expect(await checkout.text()).toContain("1.5");

    await shop.does("down", { down: true });
    await shop.does("mark", { number: "4711", status: "Settled" });
    await gateway.kill();
    await shop.does("down", { down: false });
    await gateway.begin();
    const told = await untilFound(async () => {
      const one = await shop.order("4711");
      return one.status === "processing" && one;
    });
    expect(told).toMatchObject({ completed: 1, events: ["InvoiceSettled"] });
    expect(await shop.refused()).toBe(0);
  });
});
