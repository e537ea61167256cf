/** The routes of the wallet API behind their guards: CORS outermost, then quotas, bearer, custody gate, token, schemas. */
import { Hono, type Context } from "hono";
import { withAnySignal } from "@svc/shared/base/abort.ts";
import { jsonText } from "@svc/shared/base/jsonText.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { apiErrorOf } from "@svc/shared/protocol/wallet/apiError.ts";
import { DOCUMENT_PATH } from "@svc/shared/protocol/contract/openApi.ts";
import { openApiDocument } from "@svc/shared/protocol/wallet/openApi.ts";
import {
  WALLET_ROUTES,
  type RouteName,
  type WalletRoutes,
} from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { errorAnswer } from "../../platform/http/errorAnswer.ts";
import { METRICS_TYPE } from "../../platform/metrics/metricRegistry.ts";
import { isAskedHere } from "../../platform/http/isAskedHere.ts";
import {
  closedAnswers,
  openToCaller,
  type HttpEnv,
  type HttpRoutes,
} from "../../platform/http/httpEnv.ts";
import type { HttpQuotas } from "../../platform/http/httpQuotas.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { BodyRoom } from "./bodyRoom.ts";
import {
  accessOf,
  BearerCheck,
  checkScope,
  TOKEN_HEADER,
  TOKENS,
  type CredentialRules,
} from "./credentials.ts";
import { bodyBytes, idempotencyKeyOf, IDEMPOTENCY_HEADER, jsonBody, readPart } from "./readCall.ts";
import {
  KeptAnswer,
  RefusalWith,
  StartedJob,
  type WalletCall,
  type WalletHandlers,
} from "./walletHandlers.ts";
import type { ServerMetrics } from "./walletMetrics.ts";

/** Dependencies of the routes. */
export type WalletAppParts = {
  readonly handlers: WalletHandlers;
  readonly credentials: CredentialRules;
  /** Null where the transport needs none. */
  readonly bearer: string | null;
  readonly shares: Pick<HttpQuotas, "asked">;
  /** Null for a daemon that tells none. */
  readonly metrics: ServerMetrics | null;
  /** Hears of each request of the API; health checks and preflights are none. */
  readonly onRequest: () => void;
  /** Hears of every error that is answered, defects among them. */
  readonly onError: (error: SvcError) => void;
  /** Aborts when the daemon stops. */
  readonly stopped: AbortSignal;
};

/** Where a monitor reads the metrics: from this machine, or with the bearer. */
const METRICS_PATH = "/metrics";
const JSON_HEADERS = { "Content-Type": "application/json" };
const CSV_HEADERS = {
  "Content-Type": "text/csv; charset=utf-8",
  "Content-Disposition": "attachment",
};
const ALLOWED_HEADERS = `content-type, authorization, ${TOKEN_HEADER}, ${IDEMPOTENCY_HEADER}`;
const PRIVATE_NETWORK = "Access-Control-Request-Private-Network";
const ACCEPTED = 202;
const NOT_READY = 503;
/** Characters of a foreign path in an error. */
const SHOWN = 80;

/** The routes, and how many calls are worked on. */
export class WalletApp {
  readonly routes: HttpRoutes = new Hono<HttpEnv>();
  readonly #parts: WalletAppParts;
  readonly #room = new BodyRoom(WALLETD_LIMITS.httpBodiesBytes);
  /** The rows of requests that came to one, for the metrics. */
  readonly #rows = new WeakMap<Request, RouteName>();
  #calls = 0;

  constructor(parts: WalletAppParts) {
    this.#parts = parts;
    this.routes.onError((thrown, c) => {
      const error = thrown instanceof RefusalWith ? thrown.refusal : SvcError.from(thrown);
      parts.onError(error);
      const { body } = apiErrorOf(error, this.#rows.get(c.req.raw));
      const fields = thrown instanceof RefusalWith ? thrown.fields : {};
      return new Response(jsonText({ ...body, ...fields }), errorAnswer(c, error));
    });
    this.#addGuards(parts);
    if (parts.metrics !== null) this.#addMetrics(parts.metrics, parts.bearer !== null);
    for (const name of ROUTE_NAMES) this.#add(name);
    const document = jsonText(openApiDocument());
    this.routes.get(DOCUMENT_PATH, (c) => c.body(document, 200, JSON_HEADERS));
    this.#addRefusals();
  }

  #addGuards({ bearer, shares, metrics, onRequest }: WalletAppParts): void {
    const check = bearer === null ? null : new BearerCheck(bearer);
    this.routes.use("*", closedAnswers, openToCaller);
    this.routes.use("*", async (c, next) => {
      await next();
      metrics?.answered(this.#rows.get(c.req.raw) ?? "other", c.res.status);
    });
    this.routes.use("*", async (c, next) => {
      shares.asked(c.env.caller.host, c.env.outgoing);
      if (c.req.method === "OPTIONS") return preflight(c, check !== null);
      if (c.req.path === WALLET_ROUTES.health.path) return next();
      check?.require(c.req.header("authorization"));
      const isWatching = c.req.path.startsWith(WALLET_ROUTES.health.path);
      if (!isWatching && c.req.path !== METRICS_PATH) onRequest();
      return next();
    });
  }

  #addMetrics(metrics: ServerMetrics, hasBearer: boolean): void {
    this.routes.get(METRICS_PATH, (c) => {
      if (!hasBearer && !isAskedHere(c)) throw new SvcError("http/forbidden", {});
      return c.body(metrics.text(), 200, { "Content-Type": METRICS_TYPE });
    });
  }

  #add(name: RouteName): void {
    const { method, path } = WALLET_ROUTES[name];
    const serve = (c: Context<HttpEnv>): Promise<Response> => {
      this.#rows.set(c.req.raw, name);
      return this.#counted(() => this.#serve<RouteName>(name, this.#parts.handlers, c));
    };
    if (method === "GET") this.routes.get(patternOf(path), serve);
    else this.routes.post(patternOf(path), serve);
  }

  #addRefusals(): void {
    const methods = new Map<string, string[]>([[DOCUMENT_PATH, ["GET"]]]);
    if (this.#parts.metrics !== null) methods.set(METRICS_PATH, ["GET"]);
    for (const name of ROUTE_NAMES) {
      const { method, path } = WALLET_ROUTES[name];
      const pattern = patternOf(path);
      methods.set(pattern, [...(methods.get(pattern) ?? []), method]);
    }
    for (const [pattern, taken] of methods) {
      const allowed = [...taken, "OPTIONS"].join(", ");
      this.routes.all(pattern, (c) => {
        c.header("Allow", allowed);
        throw new SvcError("api/wrong-method", { method: c.req.method, allowed });
      });
    }
    this.routes.notFound((c) => {
      const error = new SvcError("http/not-found", { path: c.req.path.slice(0, SHOWN) });
      return errorAnswer(c, error);
    });
  }

  /** Bounds the calls that are worked on. Throws `http/unavailable` beyond. */
  async #counted(work: () => Promise<Response>): Promise<Response> {
    if (this.#calls >= WALLETD_LIMITS.httpCallsAtOnce) {
      throw new SvcError("http/unavailable", { reason: "too many calls at once" });
    }
    this.#calls += 1;
    try {
      return await work();
    } finally {
      this.#calls -= 1;
    }
  }

  async #serve<R extends RouteName>(
    name: R,
    handlers: Pick<WalletHandlers, R>,
    c: Context<HttpEnv>,
  ): Promise<Response> {
    const { credentials, stopped } = this.#parts;
    const row: WalletRoutes[R] = WALLET_ROUTES[name];
    const sent = c.req.header(TOKEN_HEADER);
    const access = accessOf(row.credential, sent, credentials);
    checkScope(access, row.scope);
    const token = readPart(TOKENS[row.credential], access?.token ?? null, TOKEN_HEADER);
    const scoped = access?.scoped ?? null;
    const params = readPart(row.params, c.req.param(), "path");
    const query = readPart(row.query, c.req.query(), "query");
    const idempotencyKey = idempotencyKeyOf(c);
    return this.#room.during(bodyBytes(c), async () => {
      const body = readPart(row.body, await jsonBody(c), "body");
      const signals = row.endsWithCaller ? [stopped, c.req.raw.signal] : [stopped];
      const answer: unknown = await withAnySignal(signals, (signal) => {
        const call: WalletCall<R> = { token, scoped, params, query, body, idempotencyKey, signal };
        return handlers[name](call);
      });
      // Whoever only looks is told nothing where his token ended meanwhile, with its wallet or by itself.
      if (scoped !== null && row.method === "GET") accessOf("token", sent, credentials);
      return written(c, name, answer);
    });
  }
}

/** The rows in the order of the table. */
const ROUTE_NAMES: readonly RouteName[] = Object.keys(WALLET_ROUTES).filter(
  (name): name is RouteName => name in WALLET_ROUTES,
);

/** A path of the table as the router writes it. */
function patternOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

function written(c: Context<HttpEnv>, name: RouteName, answer: unknown): Response {
  if (answer instanceof StartedJob) {
    c.header("Location", WALLET_ROUTES.job.path.replace("{id}", answer.id));
    return c.body(jsonText({ job: answer.id }), ACCEPTED, JSON_HEADERS);
  }
  if (answer instanceof KeptAnswer) return c.body(answer.body, 200, JSON_HEADERS);
  if ("isCsv" in WALLET_ROUTES[name]) return c.body(String(answer), 200, CSV_HEADERS);
  const tellsReadiness = "tellsReadiness" in WALLET_ROUTES[name];
  const isReady = !tellsReadiness || readinessOf(answer);
  return c.body(jsonText(answer), isReady ? 200 : NOT_READY, JSON_HEADERS);
}

function readinessOf(answer: unknown): boolean {
  return (
    typeof answer === "object" && answer !== null && "ready" in answer && answer.ready === true
  );
}

/** Answers what a page of a configured origin asks before a request; a page of no such origin is told nothing. */
function preflight(c: Context<HttpEnv>, hasBearer: boolean): Response {
  if (c.env.caller.origin !== null) {
    c.header("Access-Control-Allow-Methods", "GET, POST");
    c.header("Access-Control-Allow-Headers", ALLOWED_HEADERS.toLowerCase());
    if (hasBearer && c.req.header(PRIVATE_NETWORK) === "true") {
      c.header("Access-Control-Allow-Private-Network", "true");
    }
  }
  return c.body(null, 204);
}
