/**
 * Typed client of the wallet daemon, for programs and pages: one method for each row of the table. It works wherever there is
 * `fetch`, follows no redirect and sends no cookies.
 *
 * A payment call that was not answered may have paid: repeat it with the same idempotency key. All calls throw
 * `api/unreachable`, `run/timeout`, `run/aborted`, `api/bad-answer` for what is none of the API's answers (a proxy's page),
 * `api/refused` for a code that this program does not know, and the daemon's own errors.
 */
import * as v from "valibot";
import { bodyWithin } from "../../base/bodyWithin.ts";
import { jsonText } from "../../base/jsonText.ts";
import { SvcError } from "../../base/svcError.ts";
import { PROTOCOL_LIMITS } from "../protocolLimits.ts";
import { parseExactJson } from "./numberText.ts";
import { untilSpendReady, type Pause } from "./untilSpendReady.ts";
import { walletRefusal } from "./walletRefusal.ts";
import {
  WALLET_ROUTES,
  type RouteInput,
  type RouteName,
  type RouteResult,
  type WalletRoutes,
} from "./walletRoutes.ts";

/** Where the daemon is, and what opens it. */
export type WalletClientParts = {
  /** `http://127.0.0.1:8501`. */
  readonly baseUrl: string;
  /** The wallet's token; null for the calls that need none. */
  readonly token: string | null;
  /** The bearer token of a daemon that serves the public. */
  readonly bearer?: string;
  /** The platform's `fetch` unless another is given. */
  readonly fetch?: typeof fetch;
  /**
   * Asks for the status before each call that begins a payment, and refuses with `signer/not-ready` without `spend_ready`. A wallet that
   * the daemon is opening is waited for with `pause`. A repetition under the same idempotency key is refused too, though its payment
   * may be out: it is repeated later.
   */
  readonly onlyWhenReady?: { readonly pause: Pause };
  /** A signal that aborts after so many ms; the platform's unless another is given. */
  readonly timeout?: (ms: number) => AbortSignal;
};

/** How one call is made. */
export type CallOptions = {
  readonly signal: AbortSignal;
  /** For calls that spend: their repetition with the same key pays nothing more. */
  readonly idempotencyKey?: string;
};

type Body<R extends RouteName> = RouteInput<R>["body"];
type Query<R extends RouteName> = RouteInput<R>["query"];

/** Calls that can be begun as a job. */
export type LastingRoute = {
  [R in RouteName]: WalletRoutes[R]["lasts"] extends true ? R : never;
}[RouteName];

/** Calls that begin a payment. A submit ends one, and a lost answer to it is always asked for again. */
const BEGINS_PAYMENT: ReadonlySet<RouteName> = new Set([
  "consolidate",
  "payout",
  "prepare",
  "send",
  "sendMany",
]);

const NOTHING = { params: {}, query: {}, body: undefined } as const;
/** Characters of a foreign text in an error. */
const SHOWN = 200;

const started = v.object({ job: v.string() });

/** One wallet of a daemon. */
export class WalletClient {
  readonly #parts: WalletClientParts;
  readonly #base: string;

  constructor(parts: WalletClientParts) {
    this.#parts = parts;
    this.#base = parts.baseUrl.replace(/\/+$/, "");
  }

  health(options: CallOptions) {
    return this.call("health", NOTHING, options);
  }

  live(options: CallOptions) {
    return this.call("live", NOTHING, options);
  }

  ready(options: CallOptions) {
    return this.call("ready", NOTHING, options);
  }

  status(options: CallOptions) {
    return this.call("status", NOTHING, options);
  }

  create(body: Body<"create">, options: CallOptions) {
    return this.call("create", { ...NOTHING, body }, options);
  }

  import(body: Body<"import">, options: CallOptions) {
    return this.call("import", { ...NOTHING, body }, options);
  }

  watch(body: Body<"watch">, options: CallOptions) {
    return this.call("watch", { ...NOTHING, body }, options);
  }

  address(query: Query<"address">, options: CallOptions) {
    return this.call("address", { ...NOTHING, query }, options);
  }

  reveal(options: CallOptions) {
    return this.call("reveal", NOTHING, options);
  }

  sign(body: Body<"sign">, options: CallOptions) {
    return this.call("sign", { ...NOTHING, body }, options);
  }

  verify(body: Body<"verify">, options: CallOptions) {
    return this.call("verify", { ...NOTHING, body }, options);
  }

  balance(query: Query<"balance">, options: CallOptions) {
    return this.call("balance", { ...NOTHING, query }, options);
  }

  history(query: Query<"history">, options: CallOptions) {
    return this.call("history", { ...NOTHING, query }, options);
  }

  settings(body: Body<"settings">, options: CallOptions) {
    return this.call("settings", { ...NOTHING, body }, options);
  }

  rescan(body: Body<"rescan">, options: CallOptions) {
    return this.call("rescan", { ...NOTHING, body }, options);
  }

  send(body: Body<"send">, options: CallOptions) {
    return this.call("send", { ...NOTHING, body }, options);
  }

  sendMany(body: Body<"sendMany">, options: CallOptions) {
    return this.call("sendMany", { ...NOTHING, body }, options);
  }

  consolidate(body: Body<"consolidate">, options: CallOptions) {
    return this.call("consolidate", { ...NOTHING, body }, options);
  }

  prepare(body: Body<"prepare">, options: CallOptions) {
    return this.call("prepare", { ...NOTHING, body }, options);
  }

  submit(body: Body<"submit">, options: CallOptions) {
    return this.call("submit", { ...NOTHING, body }, options);
  }

  /** Gives up a prepared payment that nobody signed, or all of the wallet. Rejects as `call` does. */
  discard(body: Body<"discard">, options: CallOptions) {
    return this.call("discard", { ...NOTHING, body }, options);
  }

  /** Proofs of a payment that the daemon made. Rejects as `call` does. */
  disclosure(query: Query<"disclosure">, options: CallOptions) {
    return this.call("disclosure", { ...NOTHING, query }, options);
  }

  job(id: string, options: CallOptions) {
    return this.call("job", { ...NOTHING, params: { id } }, options);
  }

  cancelJob(id: string, options: CallOptions) {
    return this.call("cancelJob", { ...NOTHING, params: { id } }, options);
  }

  events(query: Query<"events">, options: CallOptions) {
    return this.call("events", { ...NOTHING, query }, options);
  }

  /** Deliveries of the feed to the webhook. Rejects as `call` does. */
  webhooks(query: Query<"webhooks">, options: CallOptions) {
    return this.call("webhooks", { ...NOTHING, query }, options);
  }

  /** Sends a delivery again. Rejects as `call` does. */
  redeliver(id: string, options: CallOptions) {
    return this.call("redeliver", { ...NOTHING, params: { id } }, options);
  }

  /** Makes a scoped token. Rejects as `call` does. */
  createToken(body: Body<"createToken">, options: CallOptions) {
    return this.call("createToken", { ...NOTHING, body }, options);
  }

  /** The scoped tokens of the wallet. Rejects as `call` does. */
  tokens(options: CallOptions) {
    return this.call("tokens", NOTHING, options);
  }

  /** Revokes a scoped token. Rejects as `call` does. */
  revokeToken(id: string, options: CallOptions) {
    return this.call("revokeToken", { ...NOTHING, params: { id } }, options);
  }

  /** Payments that wait for the owner. Rejects as `call` does. */
  approvals(options: CallOptions) {
    return this.call("approvals", NOTHING, options);
  }

  /** Lets a payment begin that waits for the owner. Rejects as `call` does. */
  approve(id: string, options: CallOptions) {
    return this.call("approve", { ...NOTHING, params: { id } }, options);
  }

  /** Cancels a payment that waits for the owner. Rejects as `call` does. */
  deny(id: string, options: CallOptions) {
    return this.call("deny", { ...NOTHING, params: { id } }, options);
  }

  /** What a file of payouts would take; `begin` pays it. Rejects as `call` does. */
  estimatePayout(body: Omit<Body<"payout">, "dry_run">, options: CallOptions) {
    return this.call("payout", { ...NOTHING, body: { ...body, dry_run: true } }, options);
  }

  /** What became of each payout of a batch, as CSV. Rejects as `call` does. */
  payoutReport(id: string, options: CallOptions) {
    return this.call("payoutReport", { ...NOTHING, params: { id } }, options);
  }

  /** Waits until the shared note tree has caught up. Rejects as `call` does. */
  warmChainTree(options: CallOptions) {
    return this.call("warmChainTree", NOTHING, options);
  }

  /** Opens the wallet and waits until it can pay. Rejects as `call` does. */
  warmWallet(options: CallOptions) {
    return this.call("warmWallet", NOTHING, options);
  }

  /** Begins a call as a job; resolves with the job's number. */
  async begin<R extends LastingRoute>(
    name: R,
    body: Body<R>,
    options: CallOptions,
  ): Promise<string> {
    const input = { params: {}, query: { job: "1" }, body };
    const { status, json } = await this.#ask(name, input, options);
    const read = v.safeParse(started, json);
    if (read.success) return read.output.job;
    throw new SvcError("api/bad-answer", { status, reason: "it names no job" });
  }

  /** Makes the call of a row. */
  async call<R extends RouteName>(
    name: R,
    input: RouteInput<R>,
    options: CallOptions,
  ): Promise<RouteResult<R>> {
    const { status, json } = await this.#ask(name, input, options);
    const read = v.safeParse(WALLET_ROUTES[name].answer, json);
    if (read.success) return read.output;
    const [issue] = read.issues;
    const place = issue.path?.map(({ key }) => String(key)).join(".") ?? "";
    const reason = `${place === "" ? "it" : place} is not what was expected`;
    throw new SvcError("api/bad-answer", { status, reason: reason.slice(0, SHOWN) });
  }

  async #ask(name: RouteName, input: Input, options: CallOptions): Promise<Read> {
    const { onlyWhenReady } = this.#parts;
    if (onlyWhenReady !== undefined && beginsPayment(name, input)) {
      const { signal } = options;
      await untilSpendReady(() => this.status({ signal }), onlyWhenReady.pause, signal);
    }
    const { timeoutMs } = WALLET_ROUTES[name];
    const timeout = (this.#parts.timeout ?? ((ms) => AbortSignal.timeout(ms)))(timeoutMs);
    const signal = AbortSignal.any([options.signal, timeout]);
    try {
      const request = this.#parts.fetch ?? fetch;
      const init = this.#init(name, input, options);
      const response = await request(this.#base + target(name, input), { ...init, signal });
      const bytes = await bodyWithin(response, PROTOCOL_LIMITS.walletAnswerBytes);
      return readAnswer(name, response, bytes);
    } catch (error) {
      if (error instanceof SvcError) throw error;
      if (options.signal.aborted) throw new SvcError("run/aborted", {}, error);
      if (timeout.aborted) {
        const what = WALLET_ROUTES[name].path;
        throw new SvcError("run/timeout", { what, limitMs: timeoutMs }, error);
      }
      throw new SvcError("api/unreachable", { url: this.#base }, error);
    }
  }

  #init(name: RouteName, { body }: Input, { idempotencyKey }: CallOptions): RequestInit {
    const { token, bearer } = this.#parts;
    return {
      method: WALLET_ROUTES[name].method,
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      redirect: "error",
      headers: {
        ...(token === null ? {} : { "X-Wallet-Token": token }),
        ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
        ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: jsonText(body) }),
    };
  }
}

type Input = { readonly params: unknown; readonly query: unknown; readonly body: unknown };
type Read = { readonly status: number; readonly json: unknown };

function beginsPayment(name: RouteName, { body }: Input): boolean {
  return BEGINS_PAYMENT.has(name) && asRecord(body)["dry_run"] !== true;
}

/** Path and query. */
function target(name: RouteName, { params, query }: Input): string {
  const values = new Map(Object.entries({ ...asRecord(params) }));
  const path = WALLET_ROUTES[name].path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(String(values.get(key))),
  );
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(asRecord(query))) {
    if (value !== undefined && value !== null) search.set(key, wordOf(value));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function wordOf(value: unknown): string {
  return typeof value === "string" ? value : jsonText(value).replaceAll('"', "");
}

function readAnswer(name: RouteName, response: Response, bytes: Uint8Array): Read {
  const { status } = response;
  if (response.ok && "isCsv" in WALLET_ROUTES[name]) {
    return { status, json: new TextDecoder().decode(bytes) };
  }
  const json = parsed(status, bytes);
  if (response.ok) return { status, json };
  const refusal = walletRefusal(status, json);
  if (refusal !== null) throw refusal;
  if ("tellsReadiness" in WALLET_ROUTES[name]) return { status, json };
  throw new SvcError("api/bad-answer", { status, reason: "an error of no known form" });
}

/** A proxy in between answers with pages. */
function parsed(status: number, bytes: Uint8Array): unknown {
  try {
    return parseExactJson(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new SvcError("api/bad-answer", { status, reason: "it is no JSON" }, error);
  }
}
