/**
 * Nodes for the tests of the explorer at the edge, which run in workerd: an HTTP server of this machine that answers each row of the
 * public REST interface with its example, below `/NAME/api`, unless a test has it do otherwise.
 *
 * POST /control takes `{node, path, word}`: what the node answers at the path (`*` for each) from now on; a word of null ends that.
 * GET /seen tells what was asked, in order, as `{node, method, path, body, headers}`; POST /reset forgets words and questions.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";
import type { RouteContract } from "@svc/shared/protocol/contract/routeContract.ts";
import { restCacheControl } from "@svc/shared/protocol/rest/restCache.ts";
import type { StandInCall, StandInWord } from "./standInWords.ts";
import { REST_ROUTES, type RestRouteName } from "@svc/shared/protocol/rest/restRoutes.ts";

const FLOOD_PIECE = 65_536;
const NAMES = Object.keys(REST_ROUTES).filter((name): name is RestRouteName => name in REST_ROUTES);

/** Starts them; resolves with the address below which they stand. They end with the process. */
export async function startStandInNodes(): Promise<string> {
  const nodes = new StandInNodes();
  const server = createServer((request, response) => nodes.take(request, response));
  const address = `http://127.0.0.1:${await listenLocally(server)}`;
  server.unref();
  return address;
}

class StandInNodes {
  readonly #words = new Map<string, StandInWord>();
  #seen: StandInCall[] = [];

  take(request: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts).toString();
      const { pathname, search } = new URL(request.url ?? "/", "http://nodes");
      const [, node = "", ...rest] = pathname.split("/");
      if (node === "control") this.#control(body, response);
      else if (node === "seen") response.end(JSON.stringify(this.#seen));
      else if (node === "reset") this.#reset(response);
      else {
        const path = `/${rest.slice(1).join("/")}`;
        const headers = { ...request.headers } as Record<string, string>;
        const method = request.method ?? "";
        this.#seen.push({ node, method, path: `${path}${search}`, body, headers });
        this.#answer({ node, path, method }, request, response);
      }
    });
  }

  #control(body: string, response: ServerResponse): void {
    const told: { node: string; path: string; word: StandInWord | null } = JSON.parse(body);
    const place = `${told.node} ${told.path}`;
    if (told.word === null) this.#words.delete(place);
    else this.#words.set(place, told.word);
    response.end("ok");
  }

  #reset(response: ServerResponse): void {
    this.#words.clear();
    this.#seen = [];
    response.end("ok");
  }

  #answer(
    {
      node,
      path,
      method,
    }: { readonly node: string; readonly path: string; readonly method: string },
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const name = rowAt(method, path);
    const word = this.#words.get(`${node} ${path}`) ?? this.#words.get(`${node} *`) ?? {};
    if (word.fault === "hang") return;
    if (word.fault === "cut") request.socket.destroy();
    else if (word.fault === "flood") flood(response.writeHead(200, JSON_TYPE));
    else if (name === undefined) refuse(response, 404);
    else write(response, { name, word, ifNoneMatch: request.headers["if-none-match"] });
  }
}

const JSON_TYPE = { "content-type": "application/json" };

type Written = {
  readonly name: RestRouteName;
  readonly word: StandInWord;
  readonly ifNoneMatch: string | undefined;
};

function write(response: ServerResponse, { name, word, ifNoneMatch }: Written): void {
  const status = word.status ?? 200;
  const body = word.text ?? (word.json === undefined ? exampleOf(name) : JSON.stringify(word.json));
  const etag = `"${createHash("sha1").update(body).digest("hex")}"`;
  const headers = {
    "content-type": word.type ?? (status === 200 ? typeOf(name) : "application/json"),
    "cache-control": word.cacheControl ?? restCacheControl(name),
    etag,
  };
  const isKnown = status === 200 && word.type === undefined && ifNoneMatch === etag;
  if (isKnown) response.writeHead(304, headers).end();
  else response.writeHead(status, headers).end(body);
}

function exampleOf(name: RestRouteName): string {
  const { isText, isBinary, example }: RouteContract = REST_ROUTES[name];
  if (isBinary === true) return "a block";
  return isText === true ? String(example.answer) : JSON.stringify(example.answer);
}

function typeOf(name: RestRouteName): string {
  const { isText, isBinary }: RouteContract = REST_ROUTES[name];
  if (isBinary === true) return "application/octet-stream";
  return isText === true ? "text/plain; charset=UTF-8" : "application/json";
}

function refuse(response: ServerResponse, status: number): void {
  const body = { error: "There is nothing.", code: "http/not-found" };
  response.writeHead(status, JSON_TYPE).end(JSON.stringify(body));
}

function flood(response: ServerResponse): void {
  const more = (): void => {
    if (response.destroyed) return;
    if (response.write(Buffer.alloc(FLOOD_PIECE, " "))) setImmediate(more);
    else response.once("drain", more);
  };
  more();
}

/** Paths of words alone are meant before those with holes. */
function rowAt(method: string, path: string): RestRouteName | undefined {
  const words = path.split("/");
  const fits = (name: RestRouteName): boolean => {
    const row: RouteContract = REST_ROUTES[name];
    const segments = row.path.split("/");
    return (
      row.method === method &&
      segments.length === words.length &&
      segments.every((segment, at) => segment.startsWith("{") || segment === words[at])
    );
  };
  return NAMES.filter(fits).toSorted((a, b) => holesOf(a) - holesOf(b))[0];
}

function holesOf(name: RestRouteName): number {
  return REST_ROUTES[name].path.split("{").length;
}
