/** Static page server without a node, as a person's own machine or a publisher would run it. */
import { createServer, type Server } from "node:http";
import { pageFiles } from "@svc/node-server/rpc/http/pageFiles.ts";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";

/** Makes another answer of the true one, or keeps it back: a server that is slow, broken or lies. */
export type ChangeFile = (path: string, response: Response) => Response | Promise<Response>;

/** A server of static pages on a loopback port. */
export class PageServer {
  readonly url: string;
  readonly #server: Server;
  #change: ChangeFile = (_, response) => response;
  #serve: ((request: Request) => Response | Promise<Response>) | null = null;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Takes a port; pages come with `show`, because a build may have to know the address. */
  static async start(): Promise<PageServer> {
    const server = createServer();
    const pages = new PageServer(server, await listenLocally(server));
    server.on("request", (request, response) => {
      const answer = async () => {
        const { url = "/", headers } = request;
        const accepted = headers["accept-encoding"] ?? "";
        const asked = new Request(pages.url + url, { headers: { "Accept-Encoding": accepted } });
        const found = await pages.#change(url, await pages.#answer(asked));
        response.writeHead(found.status, Object.fromEntries(found.headers));
        response.end(new Uint8Array(await found.arrayBuffer()));
      };
      answer().catch(() => response.destroy());
    });
    return pages;
  }

  /** Serves the build in this folder from now on. */
  async show(folder: string): Promise<void> {
    const app = await pageFiles(folder, (_, read) => read());
    this.#serve = (request) => app.fetch(request);
  }

  /** Changes answers from now on; without a change, none. */
  change(change: ChangeFile = (_, response) => response): void {
    this.#change = change;
  }

  /** Ends every connection. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: Request): Response | Promise<Response> {
    return this.#serve?.(request) ?? new Response("", { status: 503 });
  }
}
