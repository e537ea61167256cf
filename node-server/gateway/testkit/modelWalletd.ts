/**
 * Test helper: a wallet daemon with the money, the keys and the jobs of one wallet, behind a line that loses, repeats and delays. It
 * keeps to what the daemon says of idempotency keys: a key whose job signed a payment never spends again, and one of which nothing came
 * may be used for the same call again.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { httpErrorOf } from "@svc/shared/base/errors.ts";
import { WALLET_ROUTES } from "@svc/shared/protocol/wallet/walletRoutes.ts";

/** What the line does with a request: the daemon hears it or not, and its answer arrives or not; `late`: it is heard later. */
export type LineFault = "none" | "lost" | "unanswered" | "twice" | "late" | "proxy";

/** A payment that left the wallet. */
export type ModelPayment = {
  readonly key: string;
  readonly to: string;
  readonly amount: bigint;
  readonly txid: string;
};

type Call = { readonly body: string; outcome: (() => Response) | null; job: string | null };

const MAX_FEE = "100000000";

/** A daemon with one wallet. */
export class ModelWalletd {
  readonly payments: ModelPayment[] = [];
  /** Keys that were used with another body. */
  readonly reused: string[] = [];
  address = "svcsim:wallet";
  balance = 0n;
  sink = 1_000;
  /** Every payment asks the owner. */
  asksOwner = false;
  /** Refuses every payment with this. */
  refusal: SvcError | null = null;
  /** How the next payment ends that is signed: in full, in part, or refused by the node. */
  ending: "full" | "partly" | "rejected" = "full";
  fault: () => LineFault = () => "none";
  /** Called when the daemon has done what it was asked, before the answer goes out. */
  onDone: () => void = () => undefined;
  readonly #calls = new Map<string, Call>();
  readonly #jobs = new Map<string, "waiting" | "running" | "cancelled">();
  readonly #blueScores = new Map<string, number>();
  #late: (() => void)[] = [];

  /** In the place of the platform's `fetch`. */
  readonly fetch: typeof fetch = async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const signal = init.signal ?? null;
    const isPayment = url.pathname === WALLET_ROUTES.send.path;
    const fault = this.fault();
    if (fault === "proxy") return new Response("<html>", { status: 502 });
    if (fault === "lost") throw new TypeError("the line broke");
    const answer = (): Response => this.#answer(url, init);
    if (fault === "late") {
      if (isPayment) this.#late.push(() => void answer());
      throw new TypeError("the line broke");
    }
    const response = answer();
    if (fault === "twice") answer();
    if (isPayment) this.onDone();
    // Whoever was killed hears nothing.
    signal?.throwIfAborted();
    if (fault === "unanswered") throw new TypeError("the line broke");
    return response;
  };

  /** Requests that were held up arrive. */
  arrive(): void {
    for (const request of this.#late.splice(0)) request();
  }

  /** The owner approves or denies what waits for him. */
  decide(isApproved: boolean): void {
    for (const [id, state] of this.#jobs) {
      if (state === "waiting") this.#jobs.set(id, isApproved ? "running" : "cancelled");
    }
  }

  /** The chain accepts what is out. */
  mine(): void {
    this.sink += 5;
    for (const { txid } of this.payments) {
      if (!this.#blueScores.has(txid)) this.#blueScores.set(txid, this.sink);
    }
  }

  #answer(url: URL, init: RequestInit): Response {
    const { status, send, history } = WALLET_ROUTES;
    switch (url.pathname) {
      case status.path: {
        const sink = { address: this.address, sink_blue_score: this.sink };
        return json({ network: "simnet", ...sink });
      }
      case send.path: {
        const key = new Headers(init.headers).get("idempotency-key") ?? "";
        return this.#send(key, typeof init.body === "string" ? init.body : "");
      }
      case history.path:
        return this.#history(Number(url.searchParams.get("offset") ?? 0));
      default:
        return this.#job(url.pathname.split("/").at(-1) ?? "");
    }
  }

  #send(key: string, body: string): Response {
    const call = this.#calls.get(key) ?? { body, outcome: null, job: null };
    this.#calls.set(key, call);
    if (call.body !== body) {
      this.reused.push(key);
      return refused(new SvcError("wallet/key-reused", {}));
    }
    if (call.outcome !== null) return call.outcome();
    if (this.refusal !== null) return refused(this.refusal);
    const order: unknown = JSON.parse(body);
    const { to, amount, fee } = orderOf(order);
    if (fee !== MAX_FEE) return refused(new SvcError("wallet/fee-too-high", { fee: 1, max: 0 }));
    if (amount > this.balance) {
      const missing = { needed: amount, spendable: this.balance };
      return refused(new SvcError("wallet/insufficient-funds", missing));
    }
    if (this.asksOwner && this.#jobs.get(call.job ?? "") !== "running") {
      if (this.#jobs.get(call.job ?? "") !== "waiting") call.job = `job${this.#jobs.size}`;
      if (call.job !== null && !this.#jobs.has(call.job)) this.#jobs.set(call.job, "waiting");
      return refused(new SvcError("wallet/approval-needed", { job: call.job ?? "" }));
    }
    call.outcome = this.#pay({ key, to, amount });
    return call.outcome();
  }

  #pay({ key, to, amount }: Omit<ModelPayment, "txid">): () => Response {
    const { ending } = this;
    this.ending = "full";
    const txid = (this.payments.length + 1).toString(16).padStart(64, "0");
    if (ending === "rejected") {
      return () => refused(new SvcError("wallet/payment-rejected", { txid, reason: "no" }));
    }
    const paid = ending === "partly" ? amount / 2n : amount;
    this.balance -= paid;
    this.payments.push({ key, to, amount: paid, txid });
    const parts = { sent: 1, total: 2, sompi: paid, txids: txid, reason: "it failed" };
    if (ending === "partly") {
      const error = new SvcError("wallet/partly-sent", parts);
      return () => refused(error, { txids: [txid], sent_sompi: String(paid) });
    }
    const sompi = { amount_sompi: String(paid), fee_sompi: "1855400" };
    const exact = { amount_sompi_exact: String(paid), fee_sompi_exact: "1855400" };
    return () => json({ txid, txids: [txid], tx_count: 1, ...sompi, ...exact });
  }

  #history(offset: number): Response {
    const all = this.payments.toReversed().flatMap(({ txid, amount }) => {
      const blueScore = this.#blueScores.get(txid);
      return blueScore === undefined ? [] : [rowOf(txid, amount, blueScore)];
    });
    const rows = all.slice(offset, offset + 500);
    const { recoverableHistory, limit } = { recoverableHistory: false, limit: 500 };
    return json({
      recoverableHistory,
      total: all.length,
      offset,
      limit,
      rows,
      pendingOutgoing: [],
    });
  }

  #job(id: string): Response {
    const state = this.#jobs.get(id);
    if (state === undefined) return refused(new SvcError("wallet/no-job", {}));
    return json({ ...WALLET_ROUTES.job.example.answer, id, state, committed: false });
  }
}

function orderOf(value: unknown) {
  const text = (name: string): string => {
    const field: unknown =
      typeof value === "object" && value !== null ? Reflect.get(value, name) : "";
    return typeof field === "string" ? field : String(field);
  };
  return { to: text("to"), amount: BigInt(text("amount_sompi")), fee: text("max_fee") };
}

function rowOf(txid: string, amount: bigint, blueScore: number) {
  const sompi = String(amount);
  const amounts = { amount: sompi, amountSompi: sompi, amountSompiExact: sompi, amountSvc: 0 };
  const fees = { feeSompi: "0", feeSompiExact: "0", feeKnown: true };
  const place = { daaScore: blueScore, blueScore, acceptingBlock: null, timestamp: 0 };
  const rest = { amountKind: "paid", recipient: null, memo: null, memoKnown: true };
  return { kind: "sent", txid, ...place, ...amounts, ...fees, ...rest };
}

function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status });
}

function refused(error: SvcError, fields: object = {}): Response {
  const { status, body } = httpErrorOf(error);
  return json({ ...body, ...fields }, status);
}
