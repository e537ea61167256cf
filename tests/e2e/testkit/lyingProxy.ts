/**
 * Malicious HTTP proxy in front of a real node: passes requests on, records them, and falsifies answers where a test wants
 * it to.
 */
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import {
  encodeContainer,
  readContainer,
  readRecords,
  type ScanRecord,
} from "@svc/shared/protocol/http/recordContainer.ts";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";

/** An answer on its way to the page. */
export type Answer = { readonly status: number; readonly body: Buffer };

/** Changes an answer; `path` is with its query. */
export type LieAt = (path: string, answer: Answer) => Answer | Promise<Answer>;

/** Most records of a page that the node serves. */
const PAGE_RECORDS = 2_000;
const HOST = "127.0.0.1";

/** The server. The page is opened at its address, so that the lies come from the page's own node. */
export class LyingProxy {
  /** Requests below `/v1`: method, path, headers that a page can choose, body as hex. */
  readonly asked: string[] = [];
  #lie: LieAt = (_, answer) => answer;
  #endless: string | null = null;
  #isAway = false;
  #withheld: { readonly paths: RegExp; readonly answer: Answer } | null = null;
  /** Requests that did not go to the node, by their bodies: a page repeats a payment now and then. */
  readonly #kept = new Map<string, () => Promise<unknown>>();
  readonly #lines = new Set<Duplex>();
  readonly #server: Server;
  #port = 0;
  readonly #target: URL;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((incoming, outgoing) => {
      if (this.#isAway) {
        outgoing.destroy();
        return;
      }
      void this.#pass(incoming).then((answer) => {
        if (answer === null) {
          const more = () => {
            if (outgoing.destroyed) return;
            outgoing.write(Buffer.alloc(1 << 16), () => setImmediate(more));
          };
          outgoing.writeHead(200);
          more();
          outgoing.on("error", () => undefined);
          return;
        }
        const { status, body, headers } = answer;
        const { origin } = incoming.headers;
        // Pages of other origins may ask: a test says by their build which nodes they know.
        const open = origin === undefined ? {} : { "access-control-allow-origin": origin };
        const all = { ...headers, ...open, "content-length": body.length };
        outgoing.writeHead(status, all).end(body);
      });
    });
    this.#server.on("upgrade", (incoming: IncomingMessage, socket, head: Buffer) => {
      if (this.#isAway) {
        socket.destroy();
        return;
      }
      const there = connect(Number(this.#target.port), HOST);
      const lines = [`GET ${incoming.url} HTTP/1.1`, `Host: ${this.#target.host}`];
      for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
        const name = incoming.rawHeaders[index] ?? "";
        if (/^(?:host|origin)$/i.test(name)) continue;
        lines.push(`${name}: ${incoming.rawHeaders[index + 1]}`);
      }
      there.write(`${lines.join("\r\n")}\r\nOrigin: ${this.#target.origin}\r\n\r\n`);
      there.write(head);
      there.pipe(socket).pipe(there);
      for (const side of [there, socket]) {
        this.#lines.add(side);
        side.on("error", () => socket.destroy());
        side.on("close", () => this.#lines.delete(side));
      }
    });
  }

  /** Stands before the node at this address. */
  static async before(target: string): Promise<LyingProxy> {
    const proxy = new LyingProxy(target);
    proxy.#port = await listenLocally(proxy.#server);
    return proxy;
  }

  get url(): string {
    return `http://${HOST}:${this.#port}`;
  }

  /** Lies from now on. */
  tell(lie: LieAt): void {
    this.#lie = lie;
  }

  /** Answers this path without end from now on. */
  floodAt(path: string): void {
    this.#endless = path;
  }

  /** Keeps requests of these paths from the node from now on, and answers them by itself. */
  withhold(paths: RegExp, status: number, code: string): void {
    this.#withheld = { paths, answer: { status, body: toldError(code) } };
  }

  /** Hands the node what was kept from it. Rejects when there is nothing, or the node does not take it. */
  async handOver(): Promise<void> {
    const kept = [...this.#kept.values()];
    this.#kept.clear();
    if (kept.length === 0) throw new Error("nothing was withheld");
    for (const ask of kept) await ask();
  }

  /** Tells the truth from now on. */
  repent(): void {
    this.#lie = (_, answer) => answer;
    this.#endless = null;
    this.#withheld = null;
  }

  /** Answers nobody from now on, and ends live connections. */
  goAway(): void {
    this.#isAway = true;
    for (const side of this.#lines) side.destroy();
  }

  /** Is there again. */
  comeBack(): void {
    this.#isAway = false;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    // The server does not count connections that became live ones.
    for (const side of this.#lines) side.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #pass(
    incoming: IncomingMessage,
  ): Promise<(Answer & { headers: Record<string, string> }) | null> {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(Buffer.from(part));
    const body = Buffer.concat(parts);
    const path = incoming.url ?? "";
    const { headers } = incoming;
    if (path.startsWith("/v1/")) {
      const chosen = Object.entries(headers)
        .filter(([name]) => !/^(?:host|connection|user-agent|sec-ch-)/.test(name))
        .map(([name, value]) => `${name}=${String(value)}`)
        .toSorted()
        .join("&");
      const line = `${incoming.method} ${path} ${chosen} ${body.toString("hex")}`;
      this.asked.push(line.replaceAll(this.url, "NODE"));
      if (this.#endless === path) return null;
      const withheld = this.#withheld;
      if (withheld?.paths.test(path) === true) {
        this.#kept.set(body.toString("hex"), async () => {
          const { status } = await this.#ask(incoming, body);
          if (status !== 200) throw new Error(`the node answered ${status}`);
        });
        return { ...withheld.answer, headers: {} };
      }
    }
    const answer = await this.#ask(incoming, body);
    const isDocument = /^\/(?:v1|api)\//.test(path);
    return isDocument ? { ...answer, ...(await this.#lie(path, answer)) } : answer;
  }

  #ask(
    incoming: IncomingMessage,
    body: Buffer,
  ): Promise<Answer & { headers: Record<string, string> }> {
    // A liar does not say that what it told before has not changed, and decides by itself who may ask.
    const { origin, "if-none-match": _, "sec-fetch-site": site, ...rest } = incoming.headers;
    const isOwn = origin === undefined || origin === this.url;
    const others = isOwn && site !== undefined ? { ...rest, "sec-fetch-site": site } : rest;
    const headers = { ...others, host: this.#target.host, "accept-encoding": "identity" };
    const options = { host: HOST, port: this.#target.port, method: incoming.method, headers };
    return new Promise((resolve) => {
      const failed = () => resolve({ status: 502, body: Buffer.alloc(0), headers: {} });
      const asked = request({ ...options, path: incoming.url }, (response) => {
        const parts: Buffer[] = [];
        response.on("error", failed);
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => {
          const kept: Record<string, string> = {};
          for (const [name, value] of Object.entries(response.headers)) {
            if (!/^(?:transfer-encoding|content-length|connection|keep-alive)$/.test(name)) {
              kept[name] = String(value);
            }
          }
          const status = response.statusCode ?? 502;
          resolve({ status, body: Buffer.concat(parts), headers: kept });
        });
      });
      asked.on("error", failed);
      asked.end(body);
    });
  }
}

/** A lie about the tip: fields of its JSON. */
export function tipOf(change: Readonly<Record<string, unknown>>): LieAt {
  return (path, answer) => {
    if (path !== "/v1/tip" || answer.status !== 200) return answer;
    const tip: object = JSON.parse(answer.body.toString());
    return { ...answer, body: Buffer.from(JSON.stringify({ ...tip, ...change })) };
  };
}

/** A lie about the records of every page. */
export function recordsOf(
  change: (records: readonly ScanRecord[]) => readonly ScanRecord[],
): LieAt {
  return (path, answer) => {
    if (!path.startsWith("/v1/blocks") || answer.status !== 200) return answer;
    const container = readContainer(answer.body, PAGE_RECORDS);
    const records = change(readRecords(container));
    return { ...answer, body: Buffer.from(encodeContainer(container.firstIndex, records)) };
  };
}

/** An error with this code instead of the answers to these paths. */
export function refusing(paths: RegExp, status: number, code: string): LieAt {
  const body = toldError(code);
  return (path, answer) => (paths.test(path) ? { status, body } : answer);
}

/** The body of an error that the proxy makes up. */
function toldError(code: string): Buffer {
  return Buffer.from(JSON.stringify({ error: "told", code, reason: "told", hash: "00" }));
}
