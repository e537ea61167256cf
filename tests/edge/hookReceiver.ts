/**
 * A receiver of webhooks for the tests of the edge, which run in workerd: an HTTP server of this machine that answers as its path
 * says, and tells what came. Started before the tests; they find its address as `receiver`.
 *
 * POST /status/N answers N, /redirect leads to /status/200, /flood never stops to answer, /hang never begins, /cut ends the
 * connection, /shop answers 503 from GET /down/KEY to GET /up/KEY. GET /came/KEY tells what came with `?key=KEY`, as soon as
 * something did; GET /flooded how much was written.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { TestProject } from "vitest/node";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the receiver, without a slash at its end. */
    receiver: string;
  }
}

type Came = { readonly path: string; readonly headers: unknown; readonly body: string };

/** Starts the receiver. Resolves with what ends it. */
export default async function startHookReceiver({ provide }: TestProject): Promise<() => void> {
  const receiver = new HookReceiver();
  const server = createServer((request, response) => receiver.take(request, response));
  provide("receiver", `http://127.0.0.1:${await listenLocally(server)}`);
  return () => {
    server.closeAllConnections();
    server.close();
  };
}

class HookReceiver {
  readonly #came = new Map<string, Came[]>();
  readonly #down = new Set<string>();
  #waiting: (() => void)[] = [];
  #flooded = 0;

  take(request: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://receiver");
      if (request.method === "GET") this.#tell(pathname, response);
      else {
        const body = Buffer.concat(parts).toString();
        const key = searchParams.get("key") ?? "";
        const came = this.#came.get(key) ?? [];
        came.push({ path: pathname, headers: request.headers, body });
        this.#came.set(key, came);
        for (const go of this.#waiting.splice(0)) go();
        const isDown = pathname === "/shop" && this.#down.has(key);
        this.#answer(isDown ? "/status/503" : pathname, response);
      }
    });
  }

  #answer(path: string, response: ServerResponse): void {
    const [, kind = "", status = "200"] = path.split("/");
    if (kind === "status") response.writeHead(Number(status)).end("answer");
    else if (kind === "shop") response.writeHead(200).end();
    else if (kind === "redirect") response.writeHead(307, { location: "/status/200" }).end();
    else if (kind === "flood") this.#flood(response.writeHead(200));
    else if (kind === "cut") response.socket?.destroy();
  }

  #flood(response: ServerResponse): void {
    const more = (): void => {
      if (response.destroyed) return;
      this.#flooded += 65_536;
      if (response.write(Buffer.alloc(65_536))) setImmediate(more);
      else response.once("drain", more);
    };
    more();
  }

  #tell(path: string, response: ServerResponse): void {
    const [, what = "", key = ""] = path.split("/");
    const came = this.#came.get(key);
    if (what === "down") response.end(String(this.#down.add(key).size));
    else if (what === "up") response.end(String(this.#down.delete(key)));
    else if (what === "flooded") response.end(JSON.stringify(this.#flooded));
    else if (came !== undefined) response.end(JSON.stringify(came));
    else this.#waiting.push(() => this.#tell(path, response));
  }
}
