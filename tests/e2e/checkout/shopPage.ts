/** A shop's page on an origin of its own: it serves the embedded checkout helper and answers where an invoice is paid. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { onTestFinished } from "vitest";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";
import { HELPER_FILE } from "@svc/shared/gateway/page/checkoutAssets.ts";
import { checkoutAssets } from "./checkoutScene.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; frame-src http:; img-src data:";
const PAGE = `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<script type="module" src="/shop.js"></script><h1>Shop</h1><div id="place"></div>`;

const SCRIPT = `import { openSvcCheckout } from "/${HELPER_FILE}";\nwindow.openSvcCheckout = openSvcCheckout;`;

/** What the shop's server was asked. */
export type ShopRequest = { readonly headers: IncomingHttpHeaders; readonly body: unknown };

/** The shop. */
export class ShopPage {
  readonly url: string;
  readonly requests: ShopRequest[] = [];
  /** What it answers to the next order. */
  answer: { readonly status: number; readonly body: unknown } = { status: 500, body: {} };

  private constructor(url: string) {
    this.url = url;
  }

  /** Opens it; it ends with the test. */
  static async open(): Promise<ShopPage> {
    const helper = (await checkoutAssets()).get(HELPER_FILE) ?? "";
    const server = createServer();
    const port = await listenLocally(server);
    const shop = new ShopPage(`http://127.0.0.1:${port}`);
    server.on("request", (request, response) => {
      if (request.method === "POST") {
        void bodyOf(request).then((body) => {
          shop.requests.push({ headers: request.headers, body });
          response.writeHead(shop.answer.status, { "Content-Type": "application/json" });
          response.end(JSON.stringify(shop.answer.body));
        });
        return;
      }
      const scripts = new Map([
        [`/${HELPER_FILE}`, helper],
        ["/shop.js", SCRIPT],
      ]);
      const script = scripts.get(request.url ?? "");
      response.writeHead(200, {
        "Content-Type": script === undefined ? "text/html" : "text/javascript",
        "Content-Security-Policy": POLICY,
      });
      response.end(script ?? PAGE);
    });
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return shop;
  }

  /** Answers orders with the checkout of an invoice. */
  sells(checkoutUrl: string): void {
    this.answer = { status: 200, body: { checkoutUrl } };
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}
