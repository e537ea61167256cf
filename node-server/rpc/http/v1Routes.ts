/** The public HTTP API `/v1`, the browser protocol (docs/formats.md 4): reads of the chain, and one inlet for payments. */
import { Hono, type Context, type MiddlewareHandler } from "hono";
import { asBlockHash, parseHash32, parseU64 } from "@svc/shared/base/brand.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { NodeApi } from "../service/nodeApi.ts";
import { bodyAtMost } from "../../platform/http/bodyAtMost.ts";
import { errorAnswer } from "../../platform/http/errorAnswer.ts";
import {
  closedAnswers,
  openToCaller,
  type HttpEnv,
  type HttpRoutes,
} from "../../platform/http/httpEnv.ts";
import type { TurnQuotas } from "./turnQuotas.ts";
import { healthJson } from "./healthJson.ts";
import { jsonText } from "@svc/shared/base/jsonText.ts";
import { addEvidence } from "./evidenceRoutes.ts";
import { addStart } from "./startRoute.ts";
import { tipJson } from "./tipJson.ts";

const HASH_LENGTH = 32;
const BINARY = { "Content-Type": "application/octet-stream" };

/**
 * Makes the routes below `/v1`. Errors are answered with the registry's status, sentence and code. Questions about the chain
 * are answered one at a time for each host; payments have shares of their own in the waiting pool.
 */
export function v1Routes(node: NodeApi, shares: Pick<TurnQuotas, "turn">): HttpRoutes {
  const app = new Hono<HttpEnv>();
  const inTurn: MiddlewareHandler<HttpEnv> = (c, next) =>
    shares.turn(c.env.caller.host, c.req.raw.signal, next);
  app.use("*", closedAnswers, openToCaller);
  app.options("*", (c) => {
    if (c.env.caller.origin !== null) {
      c.header("Access-Control-Allow-Methods", "GET, POST");
      c.header("Access-Control-Allow-Headers", "Content-Type");
    }
    return c.body(null, 204);
  });
  // Without a turn: who watches a node asks when all else stands still.
  app.get("/health", (c) => json(c, healthJson(node)));
  app.get("*", inTurn);
  app.notFound((c) =>
    errorAnswer(c, new SvcError("http/not-found", { path: c.req.path.slice(0, 80) })),
  );
  app.get("/tip", async (c) => json(c, await tipJson(node, c.req.raw.signal)));
  app.get("/profile", (c) => {
    c.header("Content-Type", "application/json");
    return c.body(node.profile.canonicalJson);
  });
  addPages(app, node);
  addLocate(app, node, shares);
  addStart(app, node);
  addEvidence(app, node.evidence);
  addRows(app, node);
  app.post("/tx", async (c) => {
    const raw = await bodyAtMost(c, RPC_LIMITS.rawTransactionBytes);
    const txid = await node.submitTransaction(raw, c.req.raw.signal, c.env.caller.host);
    return c.json({ txid });
  });
  return app;
}

/** Answers that are bytes of the engine. */
function addPages(app: HttpRoutes, node: NodeApi): void {
  app.get("/blocks", async (c) => {
    const after = parseHash32(query(c, "after"));
    const limit = pageLimit(c, RPC_LIMITS.recordPageDefault, PROTOCOL_LIMITS.recordPageMax);
    return bytes(c, await node.ask("records", [after, limit], c.req.raw.signal));
  });
  app.get("/tree/state", async (c) => {
    const at = parseHash32(query(c, "at"));
    return bytes(c, await node.ask("treeState", [at], c.req.raw.signal));
  });
  app.get("/anchors", async (c) => {
    const from = parseU64(query(c, "from"));
    const limit = pageLimit(c, RPC_LIMITS.anchorRowsMax, RPC_LIMITS.anchorRowsMax);
    return bytes(c, await node.ask("anchors", [from, limit], c.req.raw.signal));
  });
}

/** Its turn begins with the whole body: a host that sends half of one keeps no turn from the others. */
function addLocate(app: HttpRoutes, node: NodeApi, shares: Pick<TurnQuotas, "turn">): void {
  app.post("/locate", async (c) => {
    const hashes = await bodyAtMost(c, RPC_LIMITS.locateHashesMax * HASH_LENGTH);
    if (hashes.length === 0 || hashes.length % HASH_LENGTH !== 0) {
      throw new SvcError("codec/wrong-length", { expected: HASH_LENGTH, found: hashes.length });
    }
    const { signal } = c.req.raw;
    const work = (): Promise<string> => locate(node, hashes, signal);
    return text(c, await shares.turn(c.env.caller.host, signal, work));
  });
}

/** The engine knows none of them: for a wallet that is an answer of its own. */
async function locate(node: NodeApi, hashes: Uint8Array, signal: AbortSignal): Promise<string> {
  try {
    return await node.ask("locate", [hashes], signal);
  } catch (error) {
    if (!SvcError.is(error, "chain/unknown-block")) throw error;
    throw new SvcError("chain/no-common-block", {}, error);
  }
}

/** Answers for the blocks page. */
function addRows(app: HttpRoutes, node: NodeApi): void {
  app.get("/chain", async (c) => {
    const signal = c.req.raw.signal;
    const limit = pageLimit(c, RPC_LIMITS.chainRowsDefault, RPC_LIMITS.chainRowsMax);
    const before = c.req.query("before");
    const top = await topIndex(node, signal);
    const below = before === undefined ? top : parseU64(before) - 1n;
    const first = below < top ? below : top;
    const rows: string[] = [];
    for (let index = first; index >= 0n && rows.length < limit; index -= 1n) {
      const hash = await node.ask("chainHashAt", [index], signal);
      const facts = hash === undefined ? undefined : await node.ask("chainFacts", [hash], signal);
      if (facts !== undefined) rows.push(facts);
    }
    return text(c, `{"rows":[${rows.join(",")}]}`);
  });
  app.get("/block/:hash", async (c) => {
    const hash = asBlockHash(parseHash32(c.req.param("hash")));
    const facts = await node.ask("blockFacts", [hash], c.req.raw.signal);
    if (facts === undefined) throw new SvcError("chain/unknown-block", { hash });
    return text(c, facts);
  });
  app.get("/mempool", (c) => {
    const newest = node.waiting().slice(-PROTOCOL_LIMITS.poolPageMax);
    const entries = newest.map(({ txid, fee, size, addedAtDaa }) => {
      return { txid, fee, size, addedAtDaa };
    });
    return json(c, { entries });
  });
}

async function topIndex(node: NodeApi, signal: AbortSignal): Promise<bigint> {
  return parseU64((await tipJson(node, signal)).chainIndex);
}

function query(c: Context, name: string): string {
  const value = c.req.query(name);
  if (value === undefined) throw new SvcError("http/bad-request", { reason: `${name} is missing` });
  return value;
}

/** 0 or nothing means the default; more than the most is the most. */
function pageLimit(c: Context, usual: number, most: number): number {
  const asked = parseU64(c.req.query("limit") ?? "0");
  if (asked === 0n) return usual;
  return asked > BigInt(most) ? most : Number(asked);
}

function bytes(c: Context, answer: Uint8Array): Response {
  return c.body(answer.slice(), 200, BINARY);
}

function text(c: Context, body: string): Response {
  return c.body(body, 200, { "Content-Type": "application/json" });
}

function json(c: Context, value: unknown): Response {
  return c.body(jsonText(value), 200, { "Content-Type": "application/json" });
}
