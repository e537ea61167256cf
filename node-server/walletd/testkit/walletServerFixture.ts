/** A listening server of the wallet API with example handlers, and requests of any form to it. */
import { askHttp, type HttpAnswer, type HttpAsk } from "../../platform/testkit/askHttp.ts";
import { WALLET_ROUTES, type RouteName } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { OWN_PAGES } from "../../platform/http/accessCheck.ts";
import { createLog } from "../../platform/log/log.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import type { WalletHandlers } from "../http/walletHandlers.ts";
import {
  startWalletServer,
  type WalletServer,
  type WalletServerParts,
} from "../http/walletServer.ts";
import { exampleHandlers, type SeenCall } from "./exampleHandlers.ts";

/** A token as clients make them. */
export const TOKEN = "0123456789abcdef0123456789abcdef";
/** The origin that the server lists. */
export const WALLET = "https://wallet.example";
/** Headers of a request with the token, and of one with a body. */
export const WITH_TOKEN = { "X-Wallet-Token": TOKEN };
export const AS_JSON = { "Content-Type": "application/json" };
/** The rows. */
export const ROUTE_NAMES = Object.keys(WALLET_ROUTES).filter(
  (name): name is RouteName => name in WALLET_ROUTES,
);

/** Settings of a server that differ from the fixture's. */
export type Over = Partial<Omit<WalletServerParts, "handlers">> & {
  readonly handlers?: Partial<WalletHandlers>;
};

/** A request; `chunked` sends its body without a length. */
export type Ask = Omit<HttpAsk, "from"> & { readonly chunked?: boolean };

/** A server, the calls that reached its handlers, and how many requests of the API it heard. */
export class WalletServerFixture {
  readonly server: WalletServer;
  readonly seen: readonly SeenCall[];
  #asked = 0;

  private constructor(server: WalletServer, seen: readonly SeenCall[]) {
    this.server = server;
    this.seen = seen;
  }

  /** Starts a server on loopback. */
  static async start({ handlers, ...over }: Over = {}): Promise<WalletServerFixture> {
    const examples = exampleHandlers(handlers);
    const heard = { by: (): void => {} };
    const server = await startWalletServer({
      host: "127.0.0.1",
      port: 0,
      option: "--listen",
      rules: { ...OWN_PAGES, origins: [WALLET] },
      credentials: { allowDefaultToken: false, custodial: true },
      bearer: null,
      clock: new ManualClock(0n),
      log: createLog("silent"),
      onRequest: () => heard.by(),
      ...over,
      handlers: examples.handlers,
    });
    const fixture = new WalletServerFixture(server, examples.seen);
    heard.by = () => void (fixture.#asked += 1);
    return fixture;
  }

  /** Requests of the API that the server heard. */
  get asked(): number {
    return this.#asked;
  }

  /** Its port on 127.0.0.1. */
  get port(): number {
    return Number(new URL(this.server.address).port);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  /** Asks with any headers, the length of a body among them unless it is sent in chunks. */
  ask(path: string, { headers = {}, body, chunked, ...wish }: Ask = {}): Promise<HttpAnswer> {
    const length = body === undefined || chunked ? {} : { "Content-Length": String(body.length) };
    const sent = { ...wish, headers: { ...headers, ...length } };
    return askHttp(this.port, path, body === undefined ? sent : { ...sent, body });
  }

  /** Posts JSON with the token. */
  post(
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HttpAnswer> {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const all = { ...WITH_TOKEN, ...AS_JSON, ...headers };
    return this.ask(path, { method: "POST", headers: all, body: text });
  }
}

/** The request of a row's example. */
export function example(name: RouteName): readonly [string, Ask] {
  const row = WALLET_ROUTES[name];
  const path = "path" in row.example ? row.example.path : row.path;
  if (!("body" in row.example)) return [path, { method: row.method, headers: WITH_TOKEN }];
  const headers = { ...WITH_TOKEN, ...AS_JSON };
  return [path, { method: row.method, headers, body: JSON.stringify(row.example.body) }];
}

/** Status and code of an error. Throws when it is none of the one form that errors have. */
export function refusal({ status, headers, body }: HttpAnswer): readonly [number, string] {
  const json: unknown = JSON.parse(body);
  if (headers["content-type"] !== "application/json" || typeof json !== "object" || json === null) {
    throw new Error(`no error of JSON: ${body}`);
  }
  const error = "error" in json ? json.error : null;
  const code = "code" in json ? json.code : null;
  if (typeof error === "string" && error !== "" && typeof code === "string") {
    return [status, code];
  }
  throw new Error(`no sentence and code: ${body}`);
}
