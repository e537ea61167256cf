/**
 * Typed client of the wallet daemon, for programs and pages: one method for each row of the table. It works wherever there is
 * `fetch`, follows no redirect and sends no cookies.
 *
 * A payment call that was not answered may have paid: repeat it with the same idempotency key. All calls throw
 * `api/unreachable`, `run/timeout`, `run/aborted`, `api/bad-answer` for what is none of the API's answers (a proxy's page),
 * `api/refused` for a code that this program does not know, and the daemon's own errors.
 */
import * as v from "valibot";
import { SvcError } from "../../base/svcError.ts";
import {
  asRecord,
  CallTransport,
  NOTHING,
  type CallInput,
  type RawAnswer,
  type TransportFaults,
  type TransportParts,
} from "../contract/callTransport.ts";
import { PROTOCOL_LIMITS } from "../protocolLimits.ts";
import { untilSpendReady, type Pause } from "./untilSpendReady.ts";
import { unknownRefusal } from "./walletRefusal.ts";
import {
  WALLET_ROUTES,
  type RouteInput,
  type RouteName,
  type RouteResult,
  type WalletRoutes,
} from "./walletRoutes.ts";

/** Where the daemon is, and what opens it. */
export type WalletClientParts = TransportParts & {
  /** The wallet's token; null for the calls that need none. */
  readonly token: string | null;
  /** The bearer token of a daemon that serves the public. */
  readonly bearer?: string;
  /**
   * Asks for the status before each call that begins a payment, and refuses with `signer/not-ready` without `spend_ready`. A wallet that
   * the daemon is opening is waited for with `pause`. A repetition under the same idempotency key is refused too, though its payment
   * may be out: it is repeated later.
   */
  readonly onlyWhenReady?: { readonly pause: Pause };
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

const FAULTS: TransportFaults = {
  unreachable: (url, cause) => new SvcError("api/unreachable", { url }, cause),
  badAnswer: (status, reason, cause) => new SvcError("api/bad-answer", { status, reason }, cause),
  refused: unknownRefusal,
};

const started = v.object({ job: v.string() });

/** One wallet of a daemon. */
export class WalletClient {
  readonly #parts: WalletClientParts;
  readonly #transport: CallTransport;

  constructor(parts: WalletClientParts) {
    this.#parts = parts;
    this.#transport = new CallTransport(parts, FAULTS, PROTOCOL_LIMITS.walletAnswerBytes);
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

  /** A receipt of a payment received or sent. Rejects as `call` does. */
  receipt(query: Query<"receipt">, options: CallOptions) {
    return this.call("receipt", { ...NOTHING, query }, options);
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
    const answer = await this.#ask(name, input, options);
    return this.#transport.answerOf<WalletRoutes[R]["answer"]>(WALLET_ROUTES[name].answer, answer);
  }

  async #ask(name: RouteName, input: CallInput, options: CallOptions): Promise<RawAnswer> {
    const { onlyWhenReady, token, bearer } = this.#parts;
    const { signal, idempotencyKey } = options;
    if (onlyWhenReady !== undefined && beginsPayment(name, input)) {
      await untilSpendReady(() => this.status({ signal }), onlyWhenReady.pause, signal);
    }
    const headers = {
      ...(token === null ? {} : { "X-Wallet-Token": token }),
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
    };
    return this.#transport.ask(WALLET_ROUTES[name], input, { signal, headers });
  }
}

function beginsPayment(name: RouteName, { body }: CallInput): boolean {
  return BEGINS_PAYMENT.has(name) && asRecord(body)["dry_run"] !== true;
}
