/** Fuzzed HTTP requests: good requests for every route of the server, and their mutations. */
import { Chance, Mutator } from "../../fuzz/mutator.ts";
import { upgradeOf } from "./rawHttp.ts";

const HASH = "00".repeat(32);
const TYPE = "Content-Type: application/octet-stream";

/** A route and good requests for it. */
export type Route = { readonly name: string; readonly requests: readonly string[] };

/** All routes of a server at `host`, whose miner may be told to pay `payee`. */
export function routesOf(host: string, payee: string): readonly Route[] {
  const get = (target: string, ...headers: string[]): string =>
    [`GET ${target} HTTP/1.1`, `Host: ${host}`, ...headers, "\r\n"].join("\r\n");
  const post = (target: string, type: string, body: string): string[] => [
    `POST ${target} HTTP/1.1\r\nHost: ${host}\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    `POST ${target} HTTP/1.1\r\nHost: ${host}\r\n${type}\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    `POST ${target} HTTP/1.1\r\nHost: ${host}\r\n${type}\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  ];
  const preflight = `OPTIONS /v1/tx HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nAccess-Control-Request-Method: POST\r\n\r\n`;
  const json = "Content-Type: application/json";
  const route = (name: string, ...requests: string[]): Route => ({ name, requests });
  return [
    route("tip", get("/v1/tip"), get("/v1/tip", "Accept: */*", "Connection: keep-alive")),
    route("profile", get("/v1/profile", "X-Forwarded-For: 10.0.0.1, 192.0.2.1")),
    route("blocks", get(`/v1/blocks?after=${HASH}&limit=500`)),
    route("start", get("/v1/start?index=0"), get("/v1/start?index=18446744073709551615")),
    route("tree state", get(`/v1/tree/state?at=${HASH}`)),
    route("anchors", get("/v1/anchors?from=0&limit=1")),
    route("locate", ...post("/v1/locate", TYPE, "\0".repeat(64))),
    route("chain", get("/v1/chain?before=18446744073709551615&limit=200")),
    route("block", get(`/v1/block/${HASH}`), get(`/v1/block/%00${HASH.slice(2)}`)),
    route("mempool", get("/v1/mempool", `Origin: http://${host}`)),
    route("transaction", ...post("/v1/tx", TYPE, "\x01\0\0\0".repeat(40)), preflight),
    route(
      "public data",
      get("/api/info/nodes", 'If-None-Match: "ab"', "Authorization: Bearer abc"),
      get("/api/blocks/recent?limit=5"),
      get("/api/blocks/at?daaScore=18446744073709551615"),
      get(`/api/blocks/${HASH}`),
      get(`/api/blocks/${HASH}/bytes`),
    ),
    route("live", upgradeOf("/v1/live", host), upgradeOf("/v1/live?a=b", host)),
    route(
      "mine",
      get("/local/mine"),
      ...post("/local/mine", json, JSON.stringify({ address: payee })),
    ),
    route("pages", get("/"), get("/wallet/"), get("/wallet"), get("/%2e%2e/%00?x#y")),
  ];
}

/** Mutated requests of one route, one after the other; the same for the same seed. */
export function mutationsOf(route: Route, seed: number): () => string {
  const seeds = route.requests.map((text) => Uint8Array.from(Buffer.from(text, "latin1")));
  const mutator = new Mutator(new Chance(seed, route.name), seeds, true);
  return () => Buffer.from(mutator.next()).toString("latin1");
}
