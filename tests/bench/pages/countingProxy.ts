/** A proxy in front of a node that counts how often each path is asked for. */
import {
  createServer,
  request as ask,
  Agent,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";

const SECOND_MS = 1_000;

/** The proxy. */
export class CountingProxy {
  readonly address: string;
  readonly #server: Server;
  readonly #agent: Agent;
  readonly #arrivals = new Map<string, number[]>();

  private constructor(server: Server, agent: Agent, port: number) {
    this.#server = server;
    this.#agent = agent;
    this.address = `http://127.0.0.1:${port}`;
  }

  /** Starts it before a node, `http://host:port`. */
  static async start(node: string): Promise<CountingProxy> {
    const server = createServer();
    const agent = new Agent({ keepAlive: true });
    const proxy = new CountingProxy(server, agent, await listenLocally(server));
    server.on("request", (request, response) => proxy.#pass(node, request, response));
    return proxy;
  }

  /** The most arrivals for one path within a second. */
  get mostPerSecond(): number {
    return Math.max(0, ...[...this.#arrivals.values()].map(mostWithin));
  }

  /** Ends every connection. */
  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
    this.#agent.destroy();
  }

  #pass(node: string, request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? "/";
    const arrivals = this.#arrivals.get(path) ?? [];
    arrivals.push(performance.now());
    this.#arrivals.set(path, arrivals);
    const { host: _, ...headers } = request.headers;
    const passed = ask(`${node}${path}`, { agent: this.#agent, method: request.method, headers });
    passed.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    request.pipe(passed);
  }
}

/** The most of these times within any second. */
export function mostWithin(times: readonly number[]): number {
  let [first, most] = [0, 0];
  for (const [at, time] of times.entries()) {
    while (time - (times[first] ?? time) >= SECOND_MS) first += 1;
    most = Math.max(most, at - first + 1);
  }
  return most;
}
