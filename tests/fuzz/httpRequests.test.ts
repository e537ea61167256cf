/**
 * Mutated requests through the gate and the routes of the HTTP server, as they come out of Node's parser: every answer is one
 * of the registry, and none says that something went wrong inside. Bytes on a socket are `tests/network/http/hostileHttp.test.ts`.
 *
 * `SVC_SEED` gives the run another seed, `SVC_FUZZ_INPUTS` another number of requests.
 */
import { describe, expect, it } from "vitest";
import { AccessCheck, OWN_PAGES } from "@svc/node-server/platform/http/accessCheck.ts";
import { errorResponse } from "@svc/node-server/platform/http/errorAnswer.ts";
import { httpRoutes } from "@svc/node-server/rpc/http/httpRoutes.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { RestSession } from "@svc/node-server/rpc/rest/call/restSession.ts";
import { FakeChain } from "@svc/node-server/rpc/testkit/fakeChain.ts";
import { hashOf } from "@svc/node-server/rpc/testkit/fakeNode.ts";
import type { LocalMiner } from "@svc/node-server/rpc/service/nodeApi.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { IS_FULL, testSeed } from "@svc/node-server/platform/testkit/testRun.ts";
import { mutationsOf, routesOf, type Route } from "../network/http/mutatedRequests.ts";
import { LONG_HANG_MS } from "../testkit/hangMs.ts";

const HOST = "127.0.0.1:80";
const REDUCED = 2_000;
/** Over all routes: one takes a good part of a millisecond. */
const FULL = 1_000_000;
const seed = testSeed(11);
/** The upgrade is no route, and pages are read from files. */
const routes = routesOf(HOST, "fake:you").filter(({ name }) => !["live", "pages"].includes(name));
const usual = IS_FULL ? Math.ceil(FULL / routes.length) : REDUCED;
const inputs = Number(process.env["SVC_FUZZ_INPUTS"] ?? usual);

const miner: LocalMiner = {
  state: () => ({ address: "fake:me", blocksPerSecond: 0.5, minedBlocks: "12" }),
  payTo: (address) => {
    if (!address.startsWith("fake:")) throw new SvcError("address/missing-prefix", {});
  },
};
const gate = new AccessCheck(OWN_PAGES, "127.0.0.1");
const shares = {
  asked: () => undefined,
  turn: <T>(_host: string, _signal: AbortSignal, work: () => Promise<T>) => work(),
};
const { node } = new FakeChain();
/** The block that the good requests name; what they ask for is there, so that answers are made too. */
const KNOWN = hashOf(0);
node.answers.treeState = (hash) => {
  if (hash !== KNOWN) throw new SvcError("chain/unknown-block", { hash });
  return new Uint8Array(41);
};
node.answers.anchors = () => new Uint8Array(8);
node.answers.locate = () => `{"hash":"${KNOWN}"}`;
node.answers.chainFacts = () => `{"hash":"${KNOWN}"}`;
node.answers.blockFacts = (hash) => (hash === KNOWN ? `{"hash":"${KNOWN}"}` : undefined);
const restSession = new RestSession(node, null);
const routed = {
  node,
  miner,
  pages: null,
  clock: new ManualClock(0n),
  restSession,
  restRates: null,
  onError: () => undefined,
};
const app = await httpRoutes(routed, shares);

/** The parts of a request as a parser would hand them on, however strange. */
type Parts = { method: string; target: string; headers: [string, string][]; body: string };

function partsOf(text: string): Parts {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [line = "", ...lines] = head.split("\r\n");
  const [method = "GET", target = ""] = line.split(" ");
  const headers = lines.map((one): [string, string] => {
    const colon = one.indexOf(":");
    return [one.slice(0, colon).toLowerCase(), one.slice(colon + 1).trim()];
  });
  return { method, target, headers, body: rest.join("\r\n\r\n") };
}

/** The status of the answer; null for what no parser would hand on. */
async function statusOf(text: string): Promise<number | null> {
  const { method, target, headers, body } = partsOf(text);
  let request: Request;
  try {
    const hasBody = method !== "GET" && method !== "HEAD";
    const init = { method, headers, ...(hasBody && { body: Buffer.from(body, "latin1") }) };
    request = new Request(`http://${HOST}${target}`, init);
  } catch {
    return null;
  }
  const response = await answerTo(request, target, Object.fromEntries(headers));
  await response.arrayBuffer();
  return response.status;
}

async function answerTo(
  request: Request,
  url: string,
  headers: Record<string, string>,
): Promise<Response> {
  try {
    const ends = { remoteAddress: "127.0.0.1", localAddress: "127.0.0.1" };
    const caller = gate.judge({ url, headers, socket: ends });
    return await app.fetch(request, { caller, outgoing: null });
  } catch (error) {
    return errorResponse(error);
  }
}

describe(`requests, seed ${seed}, ${inputs} for each route`, () => {
  it.each(routes.map((route): [string, Route] => [route.name, route]))(
    "%s",
    { timeout: LONG_HANG_MS },
    async (_, route) => {
      for (const text of route.requests) {
        expect(await statusOf(text), text).not.toBeNull();
      }
      const next = mutationsOf(route, seed);
      const statuses = new Map<number | null, number>();
      for (let count = 0; count < inputs; count += 1) {
        const text = next();
        const status = await statusOf(text);
        if (status !== null && status >= 500) {
          throw new Error(`seed ${seed}: ${status}: ${JSON.stringify(text)}`);
        }
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      // Some were answered, some refused, or the inputs show nothing.
      const given = [...statuses.keys()].filter((status) => status !== null);
      expect(Math.min(...given)).toBeLessThan(300);
      expect(Math.max(...given)).toBeGreaterThanOrEqual(400);
    },
  );
});
