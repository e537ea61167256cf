/** Server of the explorer's built pages over documents that a test sets: every row of the table by its example, unless told otherwise. */
import { createServer, type Server } from "node:http";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { pageFiles } from "@svc/node-server/rpc/http/pageFiles.ts";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";
import { explorerPageOf, pageNeeds } from "@svc/shared/explorer/explorerPaths.ts";
import { pageLocaleOf } from "@svc/shared/explorer/pageLocale.ts";
import {
  RENDERER_FILE,
  type PageDocument,
  type PageRendererModule,
} from "@svc/shared/explorer/pageRenderer.ts";
import { exampleAnswer } from "@svc/web/explorer/testkit/exampleDocuments.ts";

const BASE = "/explorer";

/** The server, on a loopback port. */
export class ExplorerServer {
  readonly url: string;
  /** The answer to a path below `/api`. */
  answer: (path: string) => PageDocument = exampleAnswer;
  /** Paths below `/api` that were asked for, and the pages. */
  readonly asked: string[] = [];
  readonly #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Serves the build in this folder. */
  static async start(folder: string): Promise<ExplorerServer> {
    const files = await pageFiles(folder, (_, read) => read());
    const file = pathToFileURL(join(folder, RENDERER_FILE)).href;
    const { renderExplorerPage }: PageRendererModule = await import(file);
    const server = createServer();
    const pages = new ExplorerServer(server, await listenLocally(server));
    server.on("request", (request, response) => {
      const answer = async () => {
        const url = new URL(request.url ?? "/", pages.url);
        pages.asked.push(`${url.pathname}${url.search}`);
        if (url.pathname.startsWith("/api/")) {
          const { status, body } = pages.answer(`${url.pathname.slice(4)}${url.search}`);
          response.writeHead(status, { "content-type": "application/json" }).end(body);
          return;
        }
        if (url.pathname.startsWith(`${BASE}/`)) {
          const [path, query] = [url.pathname.slice(BASE.length), url.search.slice(1)];
          const { cookie, "accept-language": acceptLanguage } = request.headers;
          const { locale, isAsked } = pageLocaleOf({ query, cookie, acceptLanguage });
          const needs = pageNeeds(explorerPageOf(path, query));
          const page = renderExplorerPage({
            base: BASE,
            apiBase: "/api",
            origin: pages.url,
            path,
            query,
            locale,
            isLocaleAsked: isAsked,
            nowMs: Date.now(),
            documents: Object.fromEntries(needs.map((need) => [need, pages.answer(need)])),
          });
          response.writeHead(page.status, page.headers).end(page.html);
          return;
        }
        const found = await files.fetch(new Request(url));
        response.writeHead(found.status, Object.fromEntries(found.headers));
        response.end(new Uint8Array(await found.arrayBuffer()));
      };
      answer().catch(() => response.destroy());
    });
    return pages;
  }

  /** Ends every connection. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
