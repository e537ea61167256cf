/** Server of a page with nothing but the block graph, and of the documents that it draws: a made-up DAG, the same each time. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { DagBlock } from "@svc/shared/explorer/dag/dagBlock.ts";
import { minuteOf } from "@svc/shared/explorer/dag/replayTape.ts";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";
import { documentOf, FIRST_MINUTE } from "@svc/web/explorer/testkit/graphBlocks.ts";
import { buildPart, PART_POLICY, PART_TYPES, type PartFiles } from "../testkit/buildParts.ts";

/** The server. */
export class GraphServer {
  readonly url: string;
  /** Paths that were asked for, the newest last. */
  readonly asked: string[] = [];
  /** Answers to `/api/blocks/recent`, the next one first; the last one again and again. Null: no answer. */
  recent: (readonly DagBlock[] | null)[] = [[]];
  /** Blocks of a minute, if not those of the made-up DAG. */
  minute: ((minute: number) => readonly DagBlock[]) | null = null;
  /** Whether minutes are answered. */
  isUp = true;
  readonly #server: Server;
  readonly #files: PartFiles;
  readonly #minutes = new Map<number, DagBlock[]>();

  private constructor(server: Server, port: number, files: PartFiles) {
    this.#server = server;
    this.#files = files;
    this.url = `http://127.0.0.1:${port}`;
    server.on("request", (request, response) => this.#answer(request.url ?? "/", response));
  }

  /** Builds the page and takes a port. */
  static async start(blocks: readonly DagBlock[]): Promise<GraphServer> {
    const files = await buildPart("graph.html");
    const server = createServer();
    const made = new GraphServer(server, await listenLocally(server), files);
    for (const block of blocks) {
      const minute = minuteOf(block.timestamp);
      made.#minutes.set(minute, [...(made.#minutes.get(minute) ?? []), block]);
    }
    return made;
  }

  /** Address of the page that plays the made-up DAG from its beginning. */
  replay(query: string): string {
    return `${this.url}/?minute=${FIRST_MINUTE}&${query}`;
  }

  /** Ends every connection. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(asked: string, response: ServerResponse): void {
    this.asked.push(asked);
    const url = new URL(asked, this.url);
    if (url.pathname === "/api/blocks/recent") this.#document(response, this.#nextRecent());
    else if (url.pathname === "/api/blocks/window") {
      const minute = Number(url.searchParams.get("minute"));
      const known = this.minute?.(minute) ?? this.#minutes.get(minute) ?? [];
      const blocks = known.map(documentOf);
      this.#document(response, this.isUp ? { minute, isComplete: true, blocks } : null);
    } else if (url.pathname.startsWith("/blocks/") || url.pathname === "/favicon.ico") {
      response.writeHead(200, { "Content-Type": "text/plain" });
      response.end();
    } else this.#file(response, url.pathname === "/" ? "/graph.html" : url.pathname);
  }

  #nextRecent(): readonly object[] | null {
    const [next = null] = this.recent.length > 1 ? this.recent.splice(0, 1) : this.recent;
    return next === null ? null : next.map(documentOf);
  }

  #document(response: ServerResponse, document: object | null): void {
    response.writeHead(document === null ? 503 : 200, { "Content-Type": "application/json" });
    response.end(JSON.stringify(document ?? { error: "the node does not answer" }));
  }

  #file(response: ServerResponse, path: string): void {
    const file = this.#files.get(path);
    const type = PART_TYPES[path.split(".").at(-1) ?? ""] ?? "text/plain";
    response.writeHead(file === undefined ? 404 : 200, {
      "Content-Type": type,
      "Content-Security-Policy": PART_POLICY,
    });
    response.end(file ?? "");
  }
}
