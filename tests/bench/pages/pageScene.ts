/** Proxy in front of a node that counts the bytes of the pages' files, keeps files back, and goes away. */
import {
  createServer,
  request as ask,
  Agent,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";

const KIB = 1_024;
/** What the node answers about the chain; no file. */
const ANSWERS = /^\/(?:v1|local|api)\//;

/** The proxy. There is no live connection behind it: the wallet asks. */
export class PageScene {
  readonly url: string;
  /** Bytes of bodies as they were sent, by path. */
  readonly sent = new Map<string, number>();
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #node: string;
  #kept: RegExp | null = null;
  #held: (() => void)[] = [];
  #isAway = false;

  private constructor(node: string, server: Server, port: number) {
    this.#node = node;
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Starts it before a node, `http://host:port`. */
  static async start(node: string): Promise<PageScene> {
    const server = createServer();
    const scene = new PageScene(node, server, await listenLocally(server));
    server.on("request", (request, response) => scene.#take(request, response));
    return scene;
  }

  /** KiB of files sent so far. */
  get fileKib(): number {
    const files = [...this.sent].filter(([path]) => !ANSWERS.test(path));
    return files.reduce((sum, [, bytes]) => sum + bytes, 0) / KIB;
  }

  /** Keeps files of these paths back until `release`. */
  hold(paths: RegExp): void {
    this.#kept = paths;
  }

  /** Sends what was kept back; says how many files that were. */
  release(): number {
    const held = this.#held;
    this.#kept = null;
    this.#held = [];
    for (const send of held) send();
    return held.length;
  }

  /** Answers nobody from now on. */
  goAway(): void {
    this.#isAway = true;
    this.#server.closeAllConnections();
  }

  /** Ends every connection. */
  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
    this.#agent.destroy();
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isAway) {
      response.destroy();
      return;
    }
    if (this.#kept?.test(request.url ?? "/") !== true) this.#pass(request, response);
    else this.#held.push(() => this.#pass(request, response));
  }

  #pass(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? "/";
    const { host: _, origin, ...rest } = request.headers;
    const headers = origin === undefined ? rest : { ...rest, origin: this.#node };
    const passed = ask(`${this.#node}${path}`, {
      ...{ agent: this.#agent, method: request.method, headers },
    });
    passed.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on("data", (part: Buffer) => {
        this.sent.set(path, (this.sent.get(path) ?? 0) + part.length);
      });
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    request.pipe(passed);
  }
}
