/** The payment under way: which stage it is in, how to cancel it, how it ended. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Payee, PaymentState } from "@svc/shared/wallet/payment.ts";
import type { WalletState } from "@svc/shared/wallet/walletState.ts";
import type { SendStage, SendView } from "./engineApi.ts";
import type { PaymentWish, WalletSession } from "./WalletSession.ts";

/** Stages that follow from the stored state of the payment; proving has its own progress. */
const STAGES: { readonly [S in PaymentState]?: SendStage } = {
  signing: "signing",
  signed: "signing",
  broadcasting: "broadcasting",
};

/** One payment at a time. */
export class SendTask {
  readonly #onChange: () => void;
  #view: SendView | null = null;
  #abort: AbortController | null = null;

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
    this.#begin(id);
    let unsubscribe = (): void => undefined;
    const progress = (stage: string, fraction: number): void => {
      // A cancelled prover reports what it had done already: that payment is over.
      if (this.#abort !== abort) return;
      this.#set(stage === "proving" ? { stage, fraction } : { stage: "building", fraction: null });
    };
    try {
      unsubscribe = session.sync.subscribe((state) => this.#follow(state, id));
      const payment = await session.send([payee], wish, { id, progress, signal: abort.signal });
      const queued = payment.status.state === "broadcasting";
      this.#set({ stage: "sent", fraction: 1, txid: payment.txid, queued, cancellable: false });
    } catch (thrown) {
      // The bytes may be out: the outbox repeats them, a second payment would pay twice.
      const stored = session.sync.state.outbox.find((payment) => payment.id === id);
      const state = stored?.status.state;
      if (stored !== undefined && (state === "broadcasting" || state === "mempool")) {
        const queued = state === "broadcasting";
        this.#set({ stage: "sent", fraction: 1, txid: stored.txid, queued, cancellable: false });
        return;
      }
      const error = SvcError.from(thrown);
      this.#set({ stage: "failed", fraction: null, error: error.toJSON(), cancellable: false });
      throw error;
    } finally {
      unsubscribe();
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
      error: null,
    };
    this.#onChange();
  }

  #follow(state: WalletState, id: string): void {
    const status = state.outbox.find((payment) => payment.id === id)?.status.state;
    const stage = status === undefined ? undefined : STAGES[status];
    if (stage !== undefined) {
      this.#set({ stage, fraction: null, cancellable: stage !== "broadcasting" });
    }
  }

  #set(change: Partial<SendView>): void {
    if (this.#view === null) return;
    this.#view = { ...this.#view, ...change };
    this.#onChange();
  }
}
