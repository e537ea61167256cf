/** Test helper: a shop in PHP that calls a gateway as BTCPay's WooCommerce plugin does, and hears its webhooks. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import * as v from "valibot";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";

const ROUTER = fileURLToPath(new URL("btcpay/router.php", import.meta.url));
const LISTENS = /\((http:\/\/127\.0\.0\.1:[1-9]\d*)\)/;

const order = v.object({
  status: v.string(),
  invoice: v.string(),
  events: v.array(v.string()),
  deliveries: v.array(v.string()),
  completed: v.optional(v.number(), 0),
  overPaid: v.optional(v.boolean(), false),
  payments: v.optional(
    v.array(v.object({ id: v.string(), value: v.string(), status: v.string() })),
    [],
  ),
});
const state = v.object({ orders: v.record(v.string(), order), refused: v.number() });
const loose = v.looseObject({});

/** An order as the shop has it. */
export type ShopOrder = v.InferOutput<typeof order>;

/** A shop that runs until its test ends. */
export class BtcpayShop {
  readonly url: string;

  private constructor(url: string) {
    this.url = url;
  }

  /** Starts it. */
  static async start(): Promise<BtcpayShop> {
    const environment = { ...process.env, SVC_SHOP_STATE: join(folderOfTest(), "shop.json") };
    const child = spawn("php", ["-n", "-S", "127.0.0.1:0", ROUTER], {
      stdio: ["ignore", "ignore", "pipe"],
      env: environment,
    });
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    });
    for await (const line of createInterface({ input: child.stderr })) {
      const url = LISTENS.exec(line)?.[1];
      if (url === undefined) continue;
      child.stderr.resume();
      return new BtcpayShop(url);
    }
    throw new Error("the shop does not listen");
  }

  /** Has its merchant or a customer do something. Rejects with what the shop says. */
  async does(what: string, asked: object = {}): Promise<Record<string, unknown>> {
    const response = await this.#ask(`/${what}`, { self: this.url, ...asked });
    const json: unknown = await response.json();
    if (!response.ok) throw new Error(`${what}: ${JSON.stringify(json)}`);
    return v.parse(loose, json);
  }

  /** Connects it to a gateway. */
  async connect(gateway: string, key: string, store = "shop"): Promise<Record<string, unknown>> {
    return this.does("connect", { url: `${gateway}/btcpay`, key, store });
  }

  /** A customer orders; the id of the invoice. */
  async orders(number: string, change: object = {}): Promise<string> {
    const made = await this.does("order", {
      ...{ number, total: "0.00001", currency: "SVCSIM" },
      ...change,
    });
    return String(made["id"]);
  }

  /** An order as it is. */
  async order(number: string): Promise<ShopOrder> {
    const { orders } = v.parse(state, await this.does("state"));
    const found = orders[number];
    if (found === undefined) throw new Error(`no order ${number}`);
    return found;
  }

  /** Deliveries that it did not believe. */
  async refused(): Promise<number> {
    return v.parse(state, await this.does("state")).refused;
  }

  /** Sends something to its webhook; the status. */
  async hook(body: string, signature: string | null): Promise<number> {
    const headers: Record<string, string> = signature === null ? {} : { "BTCPay-Sig": signature };
    const init = { method: "POST", headers, body };
    return (await fetch(`${this.url}/wc-api/btcpaygf_default/`, init)).status;
  }

  #ask(path: string, body: object): Promise<Response> {
    return fetch(this.url + path, { method: "POST", body: JSON.stringify(body) });
  }
}
