/** Test scene of the checkout: a gateway's desks behind its own HTTP rules, with the built page script, and payments by hand. */
import { Hono } from "hono";
import { onTestFinished } from "vitest";
import { DeskHost } from "@svc/node-server/gateway/testkit/deskHost.ts";
import { AccessCheck, OWN_PAGES } from "@svc/node-server/platform/http/accessCheck.ts";
import { boundedServer, hear } from "@svc/node-server/platform/http/guardedServer.ts";
import type { HttpEnv } from "@svc/node-server/platform/http/httpEnv.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";
import type { CheckoutAssets } from "@svc/shared/gateway/page/checkoutAssets.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import type { InvoiceRecord } from "@svc/shared/protocol/gateway/invoiceRecord.ts";
import { BROWSER_TARGET } from "@svc/web/build/browserTarget.ts";
import { buildCheckoutFiles } from "@svc/web/build/checkoutFiles.ts";
import { GatewayCaller, payment } from "../gateway/gatewayCaller.ts";

const BOUNDS = {
  ...{ headMs: 10_000, requestMs: 60_000, lookMs: 1_000, idleMs: 120_000 },
  ...{ headBytes: 16_384, headers: 64 },
};
/** Amount of an invoice, in sompi: 2.5 coins. */
export const AMOUNT = 250_000_000n;

let built: Promise<CheckoutAssets> | null = null;

/** The files of the checkout, built once. */
export function checkoutAssets(): Promise<CheckoutAssets> {
  return (built ??= buildCheckoutFiles(BROWSER_TARGET));
}

/** A gateway that a browser can reach. */
export class CheckoutScene {
  readonly host: DeskHost;
  readonly shop: GatewayCaller;
  readonly url: string;
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[];
  #blueScore = 2_000n;

  private constructor(host: DeskHost, shop: GatewayCaller, url: string, asked: readonly string[]) {
    this.host = host;
    this.shop = shop;
    this.url = url;
    this.asked = asked;
  }

  /** Opens one, which ends with the test. Pages of these origins may show its checkout in a frame. */
  static async open(frameOrigins: readonly string[] = []): Promise<CheckoutScene> {
    const host = await DeskHost.open(null, { assets: await checkoutAssets(), frameOrigins });
    const shop = new GatewayCaller(host, await host.issueKey("shop", KEY_SCOPES));
    const asked: string[] = [];
    const routes = new Hono<HttpEnv>();
    routes.all("*", async (c) => {
      asked.push(`${c.req.method} ${c.req.path}`);
      return host.app.fetch(c.req.raw, c.env);
    });
    const server = boundedServer(BOUNDS);
    const faults: unknown[] = [];
    hear(server, {
      app: routes,
      gate: new AccessCheck(OWN_PAGES, "127.0.0.1"),
      shares: { connected: () => undefined },
      log: createLog("silent"),
      onError: (error) => faults.push(error),
    });
    const port = await listenLocally(server);
    onTestFinished(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await host.close();
    });
    return new CheckoutScene(host, shop, `http://127.0.0.1:${port}`, asked);
  }

  /** Makes an invoice over 2.5 coins; returns it and where it is paid. */
  async invoice(terms: object = {}): Promise<InvoiceRecord & { readonly page: string }> {
    const made = await this.shop.create({ amountSompi: String(AMOUNT), ...terms });
    return { ...made, page: `${this.url}/checkout/${made.id}` };
  }

  /** Pays so many sompi in the next block, which then has so many blocks above it. */
  async pay({ id }: { readonly id: string }, amount: bigint, depth = 0n): Promise<void> {
    this.#blueScore += 1n;
    const fact = await payment(this.host, id, amount, this.#blueScore);
    this.#blueScore += depth;
    await this.host.tell([fact], this.#blueScore);
  }

  /** Adds blocks to the chain. */
  async grow(blocks: bigint): Promise<void> {
    this.#blueScore += blocks;
    await this.host.tell([], this.#blueScore);
  }
}
