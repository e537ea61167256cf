/** Payment task: runs one payment and reports its stage and its result; it can be cancelled. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Payee, Payment, PaymentState } from "@svc/shared/wallet/state/payment.ts";
import { whyNotPaid } from "@svc/shared/wallet/reduce/paymentEnd.ts";
import { rivalOf } from "@svc/shared/wallet/reduce/rival.ts";
import type { WalletState } from "@svc/shared/wallet/state/walletState.ts";
import type { SendStage, SendView } from "../wallet-api/walletApi.ts";
import type { PaymentWish, WalletSession } from "./walletSession.ts";

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

  /** A payment is under way and nothing of it has left: ending the wallet now would cancel it. */
  get isCancellable(): boolean {
    return this.#abort !== null && this.#view?.cancellable === true;
  }

  /** Pays. Rejects with the errors of `sendPayment`; they are also in the view. */
  async run(session: WalletSession, payee: Payee, wish: PaymentWish): Promise<void> {
    const under = this.#abort !== null;
    if (under) throw new SvcError("wallet/payment-pending", { txid: this.#view?.txid ?? "" });
    const abort = new AbortController();
    const id = crypto.randomUUID();
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
      const payment = await session.send([payee], wish, { id, progress, signal: abort.signal });
      this.#tellEnd(session.sync.state, payment);
    } catch (thrown) {
      const { state } = session.sync;
      const stored = findPayment(state, id);
      // The bytes may be out: the outbox repeats them, a second payment would pay twice.
      if (stored !== undefined && isOnItsWay(stored)) return this.#tellEnd(state, stored);
      const error = SvcError.from(thrown);
      const rival = stored === undefined ? null : rivalOf(state.outbox, stored);
      this.#set({ ...FAILED, error: error.toJSON(), rival, txid: stored?.txid ?? null });
      throw error;
    } finally {
      this.#abort = null;
    }
  }

  /** Stops the payment if nothing was broadcast yet. */
  cancel(): void {
    if (this.#view?.cancellable === true) this.#abort?.abort();
  }

  /** Forgets how the last payment ended; one under way is cancelled. */
  clear(): void {
    this.cancel();
    this.#unfollow();
    this.#view = null;
    this.#onChange();
  }

  #begin(id: string): void {
    this.#view = {
      id,
      stage: "building",
      fraction: null,
      startedMs: Date.now(),
      cancellable: true,
      txid: null,
      queued: false,
      rival: null,
      error: null,
    };
    this.#onChange();
  }

  #follow(state: WalletState, id: string): void {
    const payment = findPayment(state, id);
    if (payment === undefined) return;
    if (this.#abort === null) {
      // One that was never signed, or was cancelled, has ended for good; of one that is deep in the chain all is told.
      if (payment.raw !== null) this.#tellEnd(state, payment);
      return;
    }
    const stage = STAGES[payment.status.state];
    if (stage !== undefined) {
      this.#set({ stage, fraction: null, cancellable: stage !== "broadcasting" });
    }
  }

  /** Shows how a payment stands that the wallet is done with: what a node or a block says of it may still change that. */
  #tellEnd({ outbox }: WalletState, payment: Payment): void {
    const { txid, status } = payment;
    const reason = whyNotPaid(payment);
    const rival = rivalOf(outbox, payment);
    if (reason !== null) {
      this.#set({ ...FAILED, error: reason.toJSON(), rival, txid });
      return;
    }
    const untaken = status.state === "signed" || status.state === "broadcasting";
    // A node that had it and was asked again may have forgotten it: that is no news, unless it says who took its place.
    const wasTaken = this.#view?.stage === "sent" && !this.#view.queued;
    const queued = untaken && (rival !== null || !wasTaken);
    const sent = { stage: "sent", fraction: 1, cancellable: false, error: null } as const;
    this.#set({ ...sent, txid, queued, rival });
  }

  #set(change: Partial<SendView>): void {
    if (this.#view === null) return;
    this.#view = { ...this.#view, ...change };
    this.#onChange();
  }
}

const FAILED = { stage: "failed", fraction: null, cancellable: false, queued: false } as const;

function findPayment({ outbox }: WalletState, id: string): Payment | undefined {
  return outbox.find((payment) => payment.id === id);
}

/** Its bytes may be out, or leave with the next look at the node. */
function isOnItsWay({ status: { state } }: Payment): boolean {
  return state === "signed" || state === "broadcasting" || state === "mempool";
}
