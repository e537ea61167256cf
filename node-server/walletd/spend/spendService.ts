/**
 * The spending service: every call that spends from a custodial wallet, the jobs that the calls are, and what goes on behind them.
 */
import { abortable } from "@svc/shared/base/abort.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { asSompi, asTimestampMs, type Sompi, type TxId } from "@svc/shared/base/brand.ts";
import {
  estimateTransfer,
  type TransferEstimate,
} from "@svc/shared/wallet/plan/estimateTransfer.ts";
import type { PayoutBatch } from "@svc/shared/wallet/plan/payoutFile.ts";
import type { PayoutResult } from "@svc/shared/wallet/plan/payoutReport.ts";
import { checkFee, tipToPayAt } from "@svc/shared/wallet/send/reservePayment.ts";
import { paymentAmount } from "@svc/shared/wallet/state/payment.ts";
import type { ClockPort, NodePort, SignerPort } from "@svc/shared/wallet/state/ports.ts";
import type { WalletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import type { Log } from "../../platform/log/log.ts";
import { anchored, type Clock } from "../../platform/time/clock.ts";
import type { WalletFolder } from "../keys/walletFolder.ts";
import { asWalletToken, type WalletToken } from "../keys/walletToken.ts";
import type { WalletStore } from "../store/walletStore.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";
import type { OpenWallets } from "../wallets/openWallets.ts";
import { Approvals, isAwaitingApproval, requireApproved } from "./tokens/approvals.ts";
import { Consolidator } from "./consolidator.ts";
import type { JobView } from "./jobView.ts";
import { planOrder } from "./orderPlan.ts";
import type { PayTools } from "./payTools.ts";
import type { ProofQueue } from "./proofQueue.ts";
import { Rebroadcaster } from "./rebroadcaster.ts";
import { SpendJobs } from "./spendJobs.ts";
import { leavingSompi, SpendLimits } from "./tokens/spendLimits.ts";
import {
  checkFeeFloor,
  consolidateOrder,
  payoutOrder,
  sendManyOrder,
  sendOrder,
  type ConsolidateRequest,
  type FeeBounds,
  type OrderParts,
  type SendManyRequest,
  type SendRequest,
  type SpendOrder,
} from "./spendOrder.ts";
import type { SpendOutcome } from "./spendOutcome.ts";
import type { ScopedAccess } from "./tokens/tokenBook.ts";

/** Dependencies of the service. */
export type SpendServiceParts = {
  readonly store: WalletStore;
  readonly wallets: Pick<OpenWallets, "all" | "open">;
  readonly folder: Pick<WalletFolder, "list">;
  readonly proofs: ProofQueue;
  readonly signerFor: (token: WalletToken) => SignerPort;
  readonly node: Pick<NodePort, "submit">;
  readonly core: Pick<CoreGlue, "decodeAddress" | "addressIndexOf" | "transactionId">;
  /** Spends up to `WALLET_LIMITS.walletActionsMax` notes a transaction. */
  readonly policy: WalletPolicy;
  /** The network profile, as JSON. */
  readonly profile: unknown;
  readonly clock: Clock;
  readonly log: Log;
  /** 16 random bytes as hex. */
  readonly newId: () => string;
  /** Notes above which a wallet is merged in the background; null for never. The usual number when left out. */
  readonly consolidateAbove?: number | null;
};

/** How a call is made. */
export type SpendCall = {
  /** The caller's idempotency key. */
  readonly key: string | null;
  /** Whether the caller wants the job's id at once, and no answer. */
  readonly isAsync: boolean;
  /** The scoped token of the caller; null or left out for the owner. */
  readonly by?: ScopedAccess | null;
};

/** A batch of payouts that was read and checked. */
export type PayoutRequest = FeeBounds & { readonly batch: PayoutBatch };

/** What a batch takes; the seconds are null before the first proof of this run. */
export type PayoutEstimate = Omit<TransferEstimate, "provingSeconds"> & {
  readonly provingSeconds: number | null;
  /** Whether it waits for the owner. */
  readonly needsApproval: boolean;
};

/** A batch that was paid and whose job is forgotten, by its payments. */
export type PaidBatch = {
  readonly txids: readonly TxId[];
  /** Payments that its transactions make: one that was paid in parts counts for each. */
  readonly payouts: number;
  readonly amount: Sompi;
  readonly fee: Sompi;
  /** Notes that were spent. */
  readonly notes: number;
};

/** The reply to a batch of payouts. */
export type PayoutReply =
  | { readonly kind: "job"; readonly id: string }
  | { readonly kind: "paid"; readonly batch: PaidBatch };

/** The reply to a call. `body`: the JSON of the answer, the same bytes for every repetition with the same key. */
export type SpendReply =
  | { readonly kind: "answer"; readonly body: string }
  | { readonly kind: "job"; readonly id: string };

/** Spends from custodial wallets. */
export class SpendService {
  /** Limits of scoped tokens, also for payments that devices sign. */
  readonly limits: SpendLimits;
  /** Jobs of scoped tokens that wait for the owner. */
  readonly approvals: Approvals;
  readonly #parts: SpendServiceParts;
  /** What is kept on disk with its time bears a wall clock that somebody sets. */
  readonly #clock: ClockPort;
  readonly #jobs: SpendJobs;
  readonly #rebroadcaster: Rebroadcaster;
  readonly #consolidator: Consolidator | null;
  readonly #life = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(parts: SpendServiceParts) {
    this.#parts = parts;
    const { core, clock, consolidateAbove: above = WALLETD_LIMITS.consolidateAbove } = parts;
    const wall = anchored(clock);
    this.#clock = {
      nowMs: () => asTimestampMs(wall.nowMs()),
      sleep: (ms, signal) => clock.sleep(ms, signal),
    };
    const port = this.#clock;
    this.limits = new SpendLimits(parts.store, port);
    this.approvals = new Approvals({ store: parts.store, limits: this.limits, clock: port });
    const { limits, approvals } = this;
    const transactionId = (raw: Uint8Array): string => callCore(() => core.transactionId(raw));
    const tools: PayTools = { ...parts, clock: port, transactionId };
    this.#jobs = new SpendJobs({
      ...parts,
      ...tools,
      limits,
      approvals,
      clearWay: async (token) => this.#consolidator?.clearWay(token),
    });
    const isLive = (id: string): boolean => this.#jobs.isLive(id);
    this.#rebroadcaster = new Rebroadcaster({ ...parts, clock: port, isLive });
    const isPaying = (token: WalletToken): boolean => this.#jobs.isPaying(token);
    this.#consolidator =
      above === null ? null : new Consolidator({ ...parts, tools, isPaying, above });
  }

  /**
   * Pays one payee, over as many transactions as it takes. Resolves when all of them are on their way. A caller that goes away
   * ends nothing. Rejects with what `sendOrder` and `SpendJobs.begin` throw, `run/aborted`, and what the payment failed with:
   * the planner's errors, `wallet/fee-too-high`, `prove/…`, `wallet/payment-rejected`, `wallet/cancelled`, and
   * `wallet/partly-sent`, after which money has moved; `wallet/approval-needed` for a job of a scoped token that its owner has to
   * approve, unless the call wants the job alone.
   */
  async send(
    open: OpenWallet,
    request: SendRequest,
    call: SpendCall,
    signal: AbortSignal,
  ): Promise<SpendReply> {
    return this.#reply(open, sendOrder(this.#orderParts(open), request), call, signal);
  }

  /** Pays many payees, in their order. Rejects with what `sendManyOrder` throws, and like `send`. */
  async sendMany(
    open: OpenWallet,
    request: SendManyRequest,
    call: SpendCall,
    signal: AbortSignal,
  ): Promise<SpendReply> {
    return this.#reply(open, sendManyOrder(this.#orderParts(open), request), call, signal);
  }

  /** Merges notes once. Rejects with `wallet/nothing-to-consolidate`, and like `send`. */
  async consolidate(
    open: OpenWallet,
    request: ConsolidateRequest,
    call: SpendCall,
    signal: AbortSignal,
  ): Promise<SpendReply> {
    return this.#reply(open, consolidateOrder(request), call, signal);
  }

  /**
   * Begins a batch of payouts; resolves with its job, or with what was paid for a key whose job is forgotten. Rejects as
   * `SpendJobs.begin` does, and with why such a batch was not paid in full.
   */
  async payout(
    open: OpenWallet,
    { batch, ...fees }: PayoutRequest,
    { key, by = null }: Omit<SpendCall, "isAsync">,
  ): Promise<PayoutReply> {
    const begun = this.#jobs.begin(open, payoutOrder(batch, fees), { key, by });
    if (begun.kind === "held") return { kind: "job", id: begun.row.id };
    if (begun.id !== null) return { kind: "job", id: begun.id };
    if (begun.kind === "job") throw new TypeError("a job has an id");
    answerOf(begun.outcome);
    return { kind: "paid", batch: this.#paidBatch(open.token, key) };
  }

  /**
   * What a batch of payouts would take now; nothing is stored or reserved. Throws what `tipToPayAt` and the planner throw,
   * `wallet/fee-too-high`, and what the limits of the scoped token say.
   */
  estimatePayout(
    open: OpenWallet,
    { batch, ...fees }: PayoutRequest,
    by: ScopedAccess | null,
  ): PayoutEstimate {
    const { policy, proofs } = this.#parts;
    const order = payoutOrder(batch, fees);
    const { payees, maxFee } = order;
    checkFeeFloor(order);
    tipToPayAt(open);
    const planned = planOrder({ state: open.state, policy, open }, order, payees);
    const { secondsPerAction } = proofs.pace;
    const estimate = estimateTransfer(planned, secondsPerAction ?? 0);
    checkFee(estimate.fee, maxFee);
    const sompi = asSompi(leavingSompi(payees) + estimate.fee);
    const { needsApproval } = this.limits.check({ scoped: by }, { payees, sompi });
    const provingSeconds = secondsPerAction === null ? null : estimate.provingSeconds;
    return { ...estimate, provingSeconds, needsApproval };
  }

  /** What became of each payout of a batch. Throws `wallet/no-job`. */
  payouts(open: OpenWallet, id: string): readonly PayoutResult[] {
    return this.#jobs.payouts(open, id);
  }

  /** Lets a job begin that waits for the owner. Throws `node/stopping`, `wallet/not-awaiting`. */
  approve(open: OpenWallet, id: string): JobView {
    return this.#jobs.approve(open, id);
  }

  /** A job of a wallet. Throws `wallet/no-job`. */
  job(token: WalletToken, id: string): JobView {
    return this.#jobs.view(token, id);
  }

  /** Cancels what is not signed of a job. Resolves and rejects like `SpendJobs.cancel`. */
  cancel(token: WalletToken, id: string): Promise<JobView> {
    return this.#jobs.cancel(token, id);
  }

  /** Goes on with the jobs and payments of a former run of the program. Resolves when they are at work. */
  async resume(): Promise<void> {
    await Promise.all([this.#jobs.resume(), this.#rebroadcaster.openUnsettled()]);
  }

  /** Begins to work in the background: rebroadcasts, merges, and what expires. */
  start(): void {
    const { signal } = this.#life;
    this.#running = Promise.all([
      this.#rebroadcaster.run(signal),
      this.#consolidator?.run(signal),
      this.#expire(signal),
    ]);
  }

  /** Stops everything where it is; a start goes on with it. Harmless when repeated. */
  async stop(): Promise<void> {
    this.#life.abort();
    await this.#jobs.stop();
    await this.#running;
  }

  #orderParts({ keys: { fvk } }: OpenWallet): OrderParts {
    const { core, policy } = this.#parts;
    return { core, hrp: policy.hrp, fvk };
  }

  #paidBatch(token: WalletToken, key: string | null): PaidBatch {
    const { idempotency, payments } = this.#parts.store;
    const ids = key === null ? [] : (idempotency.get({ token, key })?.paymentIds ?? []);
    const paid = ids.flatMap((id) => payments.get(token, id) ?? []);
    return {
      txids: paid.flatMap(({ txid }) => txid ?? []),
      payouts: paid.reduce((sum, { payees }) => sum + payees.length, 0),
      amount: asSompi(paid.reduce((sum, payment) => sum + paymentAmount(payment), 0n)),
      fee: asSompi(paid.reduce((sum, { fee }) => sum + fee, 0n)),
      notes: paid.reduce((sum, { reserved }) => sum + reserved.length, 0),
    };
  }

  async #reply(
    open: OpenWallet,
    order: SpendOrder,
    { key, isAsync, by = null }: SpendCall,
    signal: AbortSignal,
  ): Promise<SpendReply> {
    const begun = this.#jobs.begin(open, order, { key, by });
    if (begun.kind === "ended") {
      // Whoever asks for a job gets one, as when he asked first; a refusal is told at once.
      const { outcome, id } = begun;
      if (isAsync && id !== null && outcome.kind === "done") return { kind: "job", id };
      return answerOf(outcome);
    }
    if (begun.kind === "held") {
      if (!isAsync) requireApproved(begun.row);
      return { kind: "job", id: begun.row.id };
    }
    if (isAsync) return { kind: "job", id: begun.id };
    return answerOf(await abortable(begun.outcome, signal));
  }

  /** Drops old answers and old jobs, and cancels what waited too long for approval. */
  async #expire(signal: AbortSignal): Promise<void> {
    const { store, log } = this.#parts;
    const clock = this.#clock;
    while (!signal.aborted) {
      try {
        const nowMs = clock.nowMs();
        store.commit((batch) => {
          store.idempotency.expireAnswers(batch, nowMs);
          store.jobs.expire(batch, nowMs);
        });
        const held = [...store.jobs.inState("waiting", () => undefined)].filter(isAwaitingApproval);
        const owners = new Set(held.map(({ token }) => asWalletToken(token)));
        for (const owner of owners) this.approvals.expire(owner);
      } catch (thrown) {
        log.warn({ err: SvcError.from(thrown) }, "old answers were not dropped");
      }
      await clock.sleep(WALLETD_LIMITS.spendExpireMs, signal).catch(() => undefined);
    }
  }
}

function answerOf(outcome: SpendOutcome): SpendReply {
  if (outcome.kind === "done") return { kind: "answer", body: outcome.body };
  throw SvcError.fromJson(outcome.error);
}
