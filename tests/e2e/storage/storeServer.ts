/** Server of a page with nothing but the wallet's store in a worker, as the browser has it. */
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import type { Page } from "playwright-core";
import { BROWSER_TARGET } from "@svc/web/build/browserTarget.ts";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";

const ROOT = fileURLToPath(new URL("../../../web/wallet-worker/testkit", import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  wasm: "application/wasm",
};
/** That of the wallet's page, as far as a store needs it. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

/** The server. */
export class StoreServer {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}/store.html`;
  }

  /** Builds the page and takes a port. */
  static async start(): Promise<StoreServer> {
    const files = await builtFiles();
    const server = createServer((request, response) => {
      const path = request.url ?? "/";
      const file = files.get(path);
      const type = TYPES[path.split(".").at(-1) ?? ""] ?? "text/plain";
      response.writeHead(file === undefined ? 404 : 200, {
        "Content-Type": type,
        "Content-Security-Policy": POLICY,
      });
      response.end(file ?? "");
    });
    return new StoreServer(server, await listenLocally(server));
  }

  /** Ends every connection. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Calls the worker behind the page; rejects with the code of its error. */
export function callStore(page: Page, name: string, ...args: readonly unknown[]): Promise<unknown> {
  return page.evaluate(([call, given]) => Reflect.get(globalThis, "callStore")(call, ...given), [
    name,
    args,
  ] as const);
}

/** Begins a call and ends the worker after some milliseconds, as a tab that is closed meanwhile. */
export function killStoreAfter(page: Page, name: string, ms: number): Promise<void> {
  return page.evaluate(
    async ([call, wait]) => {
      void Reflect.get(globalThis, "callStore")(call).catch(() => undefined);
      await new Promise((resolve) => {
        setTimeout(resolve, wait);
      });
      Reflect.get(globalThis, "killStore")();
    },
    [name, ms] as const,
  );
}

async function builtFiles(): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const result = await build({
    configFile: false,
    root: ROOT,
    publicDir: false,
    logLevel: "warn",
    build: {
      target: [...BROWSER_TARGET],
      write: false,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: `${ROOT}/store.html` },
    },
    worker: { format: "es" },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) =>
    "output" in one ? one.output : [],
  );
  return new Map(
    outputs.map((file) => [`/${file.fileName}`, file.type === "chunk" ? file.code : file.source]),
  );
}
