/**
 * Test scene: a Vendure shop, its gateway over a real node, and a wallet in Chromium that has coins. Blocks come when a test mines
 * them, and time passes by steps, for node, gateway and shop alike.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { launchBrowser, openPage, type PageWatch } from "../e2e/testkit/browser.ts";
import { openWallet } from "../e2e/testkit/openWallet.ts";
import type { WalletPage } from "../e2e/testkit/walletPage.ts";
import { PATIENCE_MS } from "../network/testkit/networkSizes.ts";
import { mineAt, payAddressOf } from "../network/testkit/nodeMiner.ts";
import type { NodeProcess } from "../network/testkit/nodeProcess.ts";
import { Scene } from "../network/testkit/scene.ts";
import type { TcpProxy } from "../network/testkit/tcpProxy.ts";
import { MovedClock } from "./movedClock.ts";
import { NodeGateway } from "./nodeGateway.ts";
import { lastPayment, VendureOrder } from "./vendureOrder.ts";
import { VendureShop } from "./vendureShop.ts";

const SIMNET = new URL("../../wasm-core/profiles/simnet.json", import.meta.url);
const PAGES = fileURLToPath(new URL("../../web/dist", import.meta.url));
const STEPPED = fileURLToPath(new URL("../network/sync/steppedClock.ts", import.meta.url));
const NODES = ["node", "other"] as const;
const PASSPHRASE = "a passphrase of the customer";
/** Rewards of the wallet, a note each, and blocks above the last of them: it then is deep enough to be spent. */
const [REWARDS, MATURE] = [12, 30];
const [MINER, OTHER_MINER] = [payAddressOf(1), payAddressOf(2)];

/** What an invoice asks for, as its page links it. */
export type Asked = { readonly to: string; readonly amount: string };

/** An order whose customer looks at the checkout page. */
export type OpenOrder = {
  readonly order: VendureOrder;
  readonly invoice: string;
  readonly page: Page;
};

/** The scene. It is of a file. */
export class PaidShop {
  readonly clock = new MovedClock();
  readonly #network = new Scene(readFileSync(SIMNET, "utf8"), { isOfFile: true });
  readonly #watches: PageWatch[] = [];
  #node: NodeProcess | null = null;
  #gateway: NodeGateway | null = null;
  #webhook = "";
  #shop: VendureShop | null = null;
  #line: TcpProxy | null = null;
  #browser: Browser | null = null;
  #context: BrowserContext | null = null;
  #wallet: WalletPage | null = null;

  /** Starts everything; what was started ends with `close`, also after this has failed. */
  async open(): Promise<void> {
    this.#setNodes();
    const node = await this.#startNode("node", [`--pages=${PAGES}`]);
    this.#node = node;
    this.#gateway = await NodeGateway.start(node.grpcAddress, this.clock);
    await this.#openShop(this.#gateway);
    this.#browser = await launchBrowser();
    this.#context = await this.#browser.newContext({ locale: "en-US" });
    await node.keysReady(PATIENCE_MS);
    await this.#fillWallet(node, this.#browser);
  }

  /** Ends everything. */
  async close(): Promise<void> {
    await this.#browser?.close();
    await this.#shop?.stop();
    await this.#gateway?.stop();
    await this.#network.end();
  }

  /** Prints what the nodes logged when the test that runs fails. */
  showIfFailed(): void {
    this.#network.showIfFailed();
  }

  /** The gateway. */
  get gateway(): NodeGateway {
    return present(this.#gateway);
  }

  /** The connection from the gateway to the shop. */
  get line(): TcpProxy {
    return present(this.#line);
  }

  /** A customer orders, and goes on to the checkout page. */
  async order(): Promise<OpenOrder> {
    await this.#setShop();
    const order = await VendureOrder.place(present(this.#shop));
    return { order, ...(await this.checkout(order)) };
  }

  /** Begins to pay an order, and opens the checkout page that the shop leads to. */
  async checkout(order: VendureOrder): Promise<Pick<OpenOrder, "invoice" | "page">> {
    const { checkoutUrl, invoiceId: invoice } = lastPayment(await order.pay());
    const { page, watch } = await openPage(present(this.#context), checkoutUrl);
    this.#watches.push(watch);
    return { invoice, page };
  }

  /** Pays from the wallet; resolves when the node has the payment. */
  async pay({ to, amount }: Asked): Promise<void> {
    const wallet = present(this.#wallet);
    await wallet.beginPayment({ to, amount, memo: "" });
    await wallet.sent();
    await wallet.button("Send another").click();
  }

  /** Mines what waits: a block has it, the next one accepts it, and so many more stand above that one. */
  async confirm(depth: number): Promise<void> {
    await this.mine(2 + depth);
  }

  /** Adds blocks to the chain. */
  async mine(count: number): Promise<void> {
    await mineAt(present(this.#node), count, MINER);
  }

  /** Lets time pass for everybody: nodes, gateway and shop. */
  async pass(ms: bigint): Promise<void> {
    this.clock.pass(ms);
    this.#setNodes();
    await this.#setShop();
  }

  /** Starts a node with the same chain that hears of nothing more. */
  async otherNode(): Promise<NodeProcess> {
    const node = present(this.#node);
    const { sink } = await node.tip();
    const copy = await this.#startNode("other", [], [node.peerPort]);
    await copy.untilTip("the same chain", (tip) => tip.sink === sink, PATIENCE_MS);
    await copy.stop();
    return this.#startNode("other");
  }

  /** Mines so many blocks at another node, which then gives its chain to the shop's. */
  async outweigh(other: NodeProcess, count: number): Promise<void> {
    await mineAt(other, count, OTHER_MINER);
    const { sink } = await other.tip();
    const node = present(this.#node);
    await node.addPeer(other.peerPort);
    await node.untilTip("the longer branch", (tip) => tip.sink === sink, PATIENCE_MS);
  }

  /** What went wrong in the pages, and whom they asked beside their own server. */
  faults(): readonly string[] {
    const watches = [...this.#watches, present(this.#wallet).watch];
    return watches.flatMap(({ faults, strangers }) => [...faults, ...strangers]);
  }

  /** Resolves when every webhook that was due has been tried. */
  async tried(): Promise<void> {
    const isDue = async (): Promise<boolean> => {
      const nowS = Number(this.clock.nowMs() / 1_000n);
      const all = await this.gateway.deliveries(this.#webhook);
      return all.some(({ dueAt }) => dueAt !== null && dueAt <= nowS);
    };
    await expect.poll(isDue).toBe(false);
  }

  async #openShop(gateway: NodeGateway): Promise<void> {
    const { id, secret } = await gateway.addWebhook();
    this.#webhook = id;
    const options = { gatewayUrl: gateway.url, apiKey: gateway.key, webhookSecret: secret };
    this.#shop = await VendureShop.start({ ...options, conversion: { USD: "0.1" } }, null);
    this.#line = await this.#network.line(Number(new URL(this.#shop.url).port));
    await gateway.pointWebhook(id, `http://127.0.0.1:${this.#line.port}/svc-gateway/webhook`);
  }

  async #fillWallet(node: NodeProcess, browser: Browser): Promise<void> {
    const wallet = await openWallet({ browser, node: { url: node.http } }, PASSPHRASE);
    this.#wallet = wallet;
    await wallet.create();
    await mineAt(node, REWARDS, await wallet.address());
    await this.mine(MATURE);
    await wallet.sum("spendable");
  }

  #startNode(
    name: (typeof NODES)[number],
    more: readonly string[] = [],
    peers: readonly number[] = [],
  ): Promise<NodeProcess> {
    return this.#network.node({ name, more, peers, imports: [STEPPED] });
  }

  /** The shop's clock stands still until it is set again. */
  #setShop(): Promise<void> {
    return present(this.#shop).setNow(this.clock.nowMs() / 1_000n);
  }

  #setNodes(): void {
    for (const name of NODES) {
      writeFileSync(`${this.#network.appdir(name)}.clock`, String(this.clock.aheadMs));
    }
  }
}

/** What the checkout page asks to be paid. */
export async function askedBy(page: Page): Promise<Asked> {
  const uri = await page.locator('a[href^="svcsim:"]').getAttribute("href");
  const [to = "", query = ""] = (uri ?? "").split("?");
  return { to, amount: new URLSearchParams(query).get("amount") ?? "" };
}

/** Waits until the checkout page says this of its invoice. */
export async function untilSays(page: Page, title: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
}

function present<Part>(part: Part | null): Part {
  if (part === null) throw new Error("the scene is not open");
  return part;
}
