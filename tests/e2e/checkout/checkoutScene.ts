/** Test scene of the checkout: a gateway's desks behind its own HTTP rules, with the built page script, and payments by hand. */
import { onTestFinished } from "vitest";
import { DeskHost, type HostLook } from "@svc/node-server/gateway/testkit/deskHost.ts";
import type { CheckoutAssets } from "@svc/shared/gateway/page/checkoutAssets.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import type { InvoiceRecord } from "@svc/shared/protocol/gateway/invoiceRecord.ts";
import { buildPosFiles } from "@svc/web/build/posFiles.ts";
import { BROWSER_TARGET } from "@svc/web/build/browserTarget.ts";
import { buildCheckoutFiles } from "@svc/web/build/checkoutFiles.ts";
import { GatewayCaller, payment } from "../../gateway/gatewayCaller.ts";
import { serveHost } from "../../gateway/serveHost.ts";

/** Amount of an invoice, in sompi: 2.5 coins. */
export const AMOUNT = 250_000_000n;

let built: Promise<CheckoutAssets> | null = null;

/** The files of the checkout, built once. */
export function checkoutAssets(): Promise<CheckoutAssets> {
  return (built ??= buildAssets());
}

/** Those of the point of sale are among them. */
async function buildAssets(): Promise<CheckoutAssets> {
  const [checkout, pos] = [
    await buildCheckoutFiles(BROWSER_TARGET),
    await buildPosFiles(BROWSER_TARGET),
  ];
  return new Map([...checkout, ...pos]);
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
  static async open(
    frameOrigins: readonly string[] = [],
    more: Partial<HostLook> = {},
  ): Promise<CheckoutScene> {
    const assets = await checkoutAssets();
    const host = await DeskHost.open(null, { assets, frameOrigins, ...more });
    const shop = new GatewayCaller(host, await host.issueKey("shop", KEY_SCOPES));
    const asked: string[] = [];
    const served = await serveHost(host, (call) => asked.push(call));
    onTestFinished(async () => {
      await served.close();
      await host.close();
    });
    return new CheckoutScene(host, shop, served.url, asked);
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
