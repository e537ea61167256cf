/** Payment task: runs one payment and reports its stage and its result; it can be cancelled. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type {
  Payee,
  Payment,
  PaymentOrder,
  PaymentState,
} from "@svc/shared/wallet/state/payment.ts";
import { findOrder, orderProgress } from "@svc/shared/wallet/reduce/orders.ts";
import { whyNotPaid } from "@svc/shared/wallet/reduce/paymentEnd.ts";
import { rivalOf } from "@svc/shared/wallet/reduce/rival.ts";
import { CANCELLED_BY_OWNER } from "@svc/shared/wallet/send/sendPayment.ts";
import type { WalletState } from "@svc/shared/wallet/state/walletState.ts";
import type { SendStage, SendView } from "../wallet-api/walletApi.ts";
import type { PaymentRun, PaymentWish, WalletSession } from "./walletSession.ts";

/** Stages that follow from the stored state of the payment; proving has its own progress. */
const STAGES: { readonly [S in PaymentState]?: SendStage } = {
  signing: "signing",
  signed: "signing",
  broadcasting: "broadcasting",
};

/** One payment at a time. Once its bytes may have left, its end is shown as it stands, until it is cleared. */
export class SendTask {
  readonly #onChange: () => void;
  #view: SendView | null = null;
  #abort: AbortController | null = null;
  #unfollow: () => void = () => undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get view(): SendView | null {
    return this.#view;
  }

  /** A payment is being made. */
  get isRunning(): boolean {
    return this.#abort !== null;
  }

  /** A payment is under way and nothing of it has left: ending the wallet now would cancel it. */
  get isCancellable(): boolean {
    return this.#abort !== null && this.#view?.cancellable === true && this.#view.out === 0;
  }

  /** Pays. Rejects with the errors of `sendPayment`; they are also in the view. */
  run(session: WalletSession, payees: readonly Payee[], wish: PaymentWish): Promise<void> {
    const id = crypto.randomUUID();
    return this.#make(session, id, (run) => session.send(payees, wish, run));
  }

  /** Goes on with a payment over several transactions. Rejects as `run` does. */
  resume(session: WalletSession, id: string): Promise<void> {
    return this.#make(session, id, (run) => session.resumePayment(run));
  }

  /** Stops the payment: all of it if nothing was broadcast yet, else what is left of it. */
  cancel(): void {
    if (this.#view?.cancellable === true) this.#abort?.abort(CANCELLED_BY_OWNER);
  }

  /** Forgets how the last payment ended; one under way is cancelled, or gone on with later once a part of it has left. */
  clear(): void {
    if (this.#view?.cancellable === true) this.#abort?.abort();
    this.#unfollow();
    this.#view = null;
    this.#onChange();
  }

  async #make(
    session: WalletSession,
    id: string,
    work: (run: PaymentRun) => Promise<Payment>,
  ): Promise<void> {
    const under = this.#abort !== null;
    if (under) throw new SvcError("wallet/payment-pending", { txid: this.#view?.txid ?? "" });
    const abort = new AbortController();
    this.#abort = abort;
    this.#unfollow();
    this.#begin(id);
    const progress = (stage: string, fraction: number): void => {
      // A cancelled prover reports what it had done already: that payment is over.
      if (this.#abort !== abort) return;
      this.#set(stage === "proving" ? { stage, fraction } : { stage: "building", fraction: null });
    };
    try {
      this.#unfollow = session.sync.subscribe((state) => this.#follow(state, id));
      const payment = await work({ id, progress, signal: abort.signal });
      this.#tellEnd(session.sync.state, id, payment);
    } catch (thrown) {
      const { state } = session.sync;
      const stored = findPayment(state, id);
      // The bytes may be out: the outbox repeats them, a second payment would pay twice.
      if (findOrder(state, id) !== undefined || (stored !== undefined && isOnItsWay(stored)))
        return this.#tellEnd(state, id, stored);
      const error = SvcError.from(thrown);
      const rival = stored === undefined ? null : rivalOf(state.outbox, stored);
      this.#set({ ...FAILED, error: error.toJSON(), rival, txid: stored?.txid ?? null });
      throw error;
    } finally {
      this.#abort = null;
    }
  }

  #begin(id: string): void {
    this.#view = {
      id,
      stage: "building",
      fraction: null,
      startedMs: Date.now(),
      cancellable: true,
      part: 1,
      parts: 1,
      out: 0,
      txid: null,
      queued: false,
      rival: null,
      error: null,
    };
    this.#onChange();
  }

  #follow(state: WalletState, id: string): void {
    const order = findOrder(state, id);
    if (this.#abort === null) {
      const payment = findPayment(state, id);
      // One that was never signed, or was cancelled, has ended for good; of one that is deep in the chain all is told.
      if (order !== undefined || (payment !== undefined && payment.raw !== null)) {
        this.#tellEnd(state, id, payment);
      }
      return;
    }
    if (order !== undefined) return this.#followOrder(state, order);
    const stage = STAGES[findPayment(state, id)?.status.state ?? "draft"];
    if (stage !== undefined) {
      this.#set({ stage, fraction: null, cancellable: stage !== "broadcasting" });
    }
  }

  /** The transaction at hand is the last one that is more than planned. */
  #followOrder(state: WalletState, order: PaymentOrder): void {
    const { parts, out } = orderProgress(state, order);
    const at = parts.findLastIndex(({ status }) => status.state !== "planned");
    const stage = STAGES[parts[at]?.status.state ?? "draft"];
    const part = Math.max(at, 0) + 1;
    const counted = { part, parts: parts.length, out: out.length };
    const cancellable = stage !== "broadcasting" || part < parts.length;
    const begun = part === this.#view?.part ? {} : { stage: "building" as const, fraction: null };
    const now = stage === undefined ? begun : { stage, fraction: null };
    this.#set({ ...counted, ...now, cancellable });
  }

  #tellEnd(state: WalletState, id: string, payment: Payment | undefined): void {
    const order = findOrder(state, id);
    if (order !== undefined) this.#tellOrder(state, order);
    else if (payment !== undefined) this.#tellPayment(state, payment);
  }

  /** Shows how a payment stands that the wallet is done with: what a node or a block says of it may still change that. */
  #tellPayment({ outbox }: WalletState, payment: Payment): void {
    const { txid } = payment;
    const reason = whyNotPaid(payment);
    const rival = rivalOf(outbox, payment);
    if (reason !== null) {
      this.#set({ ...FAILED, error: reason.toJSON(), rival, txid });
      return;
    }
    // A node that had it and was asked again may have forgotten it: that is no news, unless it says who took its place.
    const wasTaken = this.#view?.stage === "sent" && !this.#view.queued;
    const queued = isUntaken(payment) && (rival !== null || !wasTaken);
    this.#set({ ...SENT, txid, queued, rival });
  }

  /** The same of a payment over several transactions, of which one at least is out or was. */
  #tellOrder(state: WalletState, order: PaymentOrder): void {
    const { parts, out, lost, left } = orderProgress(state, order);
    const counted = { parts: parts.length, out: out.length, txid: null };
    const error = lost === null ? order.stopped : (whyNotPaid(lost)?.toJSON() ?? order.stopped);
    const rival = lost === null ? null : rivalOf(state.outbox, lost);
    if (error !== null) this.#set({ ...FAILED, ...counted, error, rival });
    else if (left.length > 0) this.#set({ ...PAUSED, ...counted, rival: null });
    else this.#set({ ...SENT, ...counted, queued: out.some(isUntaken), rival: null });
  }

  #set(change: Partial<SendView>): void {
    if (this.#view === null) return;
    this.#view = { ...this.#view, ...change };
    this.#onChange();
  }
}

const FAILED = { stage: "failed", fraction: null, cancellable: false, queued: false } as const;
const SENT = { stage: "sent", fraction: 1, cancellable: false, error: null } as const;
/** The wallet goes on with it by itself as soon as it may pay. */
const PAUSED = { ...FAILED, stage: "paused", error: null } as const;

function findPayment({ outbox }: WalletState, id: string): Payment | undefined {
  return outbox.find((payment) => payment.id === id);
}

function isUntaken({ status: { state } }: Payment): boolean {
  return state === "signed" || state === "broadcasting";
}

/** Its bytes may be out, or leave with the next look at the node. */
function isOnItsWay(payment: Payment): boolean {
  return isUntaken(payment) || payment.status.state === "mempool";
}
