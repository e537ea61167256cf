/** Server of a page that holds one check and nothing else, with a REST interface that a test may let lie. */
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import solid from "vite-plugin-solid";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";
import { BROWSER_TARGET } from "@svc/web/build/browserTarget.ts";
import { layerOrder } from "@svc/web/build/layerOrder.ts";
import type { Answer, LieAt } from "../testkit/lyingProxy.ts";

const WEB = fileURLToPath(new URL("../../../web", import.meta.url));
const ENTRY = `${WEB}/explorer/testkit/checksMain.ts`;
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; worker-src 'self'; connect-src 'self'; img-src data:";
const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  wasm: "application/wasm",
};

type Files = ReadonlyMap<string, string | Uint8Array>;

/** What a REST path is answered with. */
export type AnswerAt = (path: string) => Promise<Answer>;

/** The server. */
export class ChecksServer {
  /** Requests below `/api`, with their bodies. */
  readonly asked: string[] = [];
  readonly url: string;
  readonly #server: Server;
  #lie: LieAt = (_, answer) => answer;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Builds the page and takes a port. `answer`: the truth about a path below `/api`. */
  static async start(answer: AnswerAt): Promise<ChecksServer> {
    const files = await buildPage();
    let own: ChecksServer | null = null;
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://localhost");
      if (!pathname.startsWith("/api/")) {
        const body = pathname === "/" ? pageOf(files) : (files.get(pathname) ?? "");
        const ending = pathname === "/" ? "html" : (pathname.split(".").at(-1) ?? "");
        response.writeHead(200, {
          "Content-Type": TYPES[ending] ?? "text/html; charset=utf-8",
          "Content-Security-Policy": POLICY,
        });
        response.end(body);
        return;
      }
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const path = (request.url ?? "").slice("/api".length);
        own?.asked.push(`${request.method} ${path} ${Buffer.concat(parts).toString("utf8")}`);
        void answer(path)
          .then((truth) => own?.altered(path, truth) ?? truth)
          .then(({ status, body }) => response.writeHead(status).end(body));
      });
    });
    own = new ChecksServer(server, await listenLocally(server));
    return own;
  }

  /** Lies from now on. */
  tell(lie: LieAt): void {
    this.#lie = lie;
  }

  /** What is told in place of a true answer. */
  async altered(path: string, truth: Answer): Promise<Answer> {
    return this.#lie(path, truth);
  }

  /** Ends every connection. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function buildPage(): Promise<Files> {
  const result = await build({
    configFile: false,
    root: WEB,
    publicDir: false,
    logLevel: "warn",
    plugins: [solid(), layerOrder()],
    build: {
      target: [...BROWSER_TARGET],
      write: false,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: ENTRY },
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

function pageOf(files: Files): string {
  const named = (ending: string) =>
    [...files.keys()].find((path) => path.endsWith(ending) && path.includes("checksMain")) ?? "";
  return `<!doctype html><html lang="en"><head><meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" /><title>Checks</title>
<link rel="icon" href="data:," /><link rel="stylesheet" href="${named(".css")}" />
<script type="module" src="${named(".js")}"></script></head><body></body></html>`;
}
