/**
 * Jobs that spend: each call is one. It is stored before notes are chosen, goes on after a kill, and its answer is stored with
 * its end.
 *
 * An idempotency key names its job in the same commit that stores it. A key whose job ended without a signed payment may be used
 * for the same call again; one whose job signed any never spends again.
 */
import { abortable } from "@svc/shared/base/abort.ts";
import { asSompi, type Sompi } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import type { PayoutResult } from "@svc/shared/wallet/plan/payoutReport.ts";
import { withoutUnsent } from "@svc/shared/wallet/reduce/paymentParts.ts";
import { tipToPayAt } from "@svc/shared/wallet/send/reservePayment.ts";
import type { WalletState } from "@svc/shared/wallet/state/walletState.ts";
import type { Log } from "../../platform/log/log.ts";
import { asWalletToken, walletLabel, type WalletToken } from "../keys/walletToken.ts";
import type { IdempotencyRow } from "../store/idempotencyTable.ts";
import { hasEnded, type JobRow } from "../store/jobTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";
import type { OpenWallets } from "../wallets/openWallets.ts";
import { jobView, type JobView } from "./jobView.ts";
import {
  APPROVAL_PHASE,
  isApproved,
  isAwaitingApproval,
  requirePlanApproved,
  type Approvals,
} from "./tokens/approvals.ts";
import { foreseenFees } from "./orderPlan.ts";
import type { PayTools } from "./payTools.ts";
import { payoutResults } from "./payoutResults.ts";
import { leavingSompi, type SpendLimits } from "./tokens/spendLimits.ts";
import { keptOutcome, notesFree } from "./jobEnd.ts";
import { JobRestart } from "./jobRestart.ts";
import { storeJobEnd, type LostWallet } from "./storeJobEnd.ts";
import {
  checkFeeFloor,
  decodeJobRequest,
  encodeJobRequest,
  orderHash,
  type JobRequest,
  type SpendOrder,
} from "./spendOrder.ts";
import { decodeOutcome, type SpendOutcome } from "./spendOutcome.ts";
import { requireStanding, type ScopedAccess } from "./tokens/tokenBook.ts";
import { doSpendWork, paymentsOfJob, type WorkProgress } from "./spendWork.ts";

/** Dependencies of the jobs. */
export type SpendJobsParts = PayTools & {
  readonly wallets: Pick<OpenWallets, "open">;
  readonly log: Log;
  /** 16 random bytes as hex. */
  readonly newId: () => string;
  /** Resolves when nothing else holds notes of the wallet that a payment may need. */
  readonly clearWay: (token: WalletToken) => Promise<void>;
  readonly limits: SpendLimits;
  readonly approvals: Approvals;
};

/** Who calls: the idempotency key, and the scoped token; null for none, and for the owner. */
export type Caller = { readonly key: string | null; readonly by: ScopedAccess | null };

type EndedCall = {
  readonly kind: "ended";
  readonly outcome: SpendOutcome;
  /** The job that the call was; null when it is no longer kept. */
  readonly id: string | null;
};

/** What became of a call: it had an outcome before, or it is a job, new or one that it has joined, or waits for approval. */
export type BegunCall =
  | EndedCall
  | { readonly kind: "held"; readonly row: JobRow }
  | {
      readonly kind: "job";
      readonly id: string;
      /** Rejects with the store's error when the end could not be stored yet, and with `node/stopping`: the job goes on later. */
      readonly outcome: Promise<SpendOutcome>;
    };

type LiveJob = {
  readonly id: string;
  readonly open: OpenWallet;
  readonly request: JobRequest;
  readonly cancel: AbortController;
  progress: WorkProgress | null;
  /** Why its work ended early; null for no reason. */
  reason: SvcError | null;
};

type RunningJob = {
  readonly job: LiveJob;
  readonly outcome: Promise<SpendOutcome>;
  /** Resolves when its end is stored, or the program stops. */
  readonly over: Promise<void>;
};

/** A job's place in the claim of a key: its outcome is known, or it has to run. */
type Found =
  | EndedCall
  | { readonly kind: "held"; readonly row: JobRow }
  | { readonly kind: "run"; readonly row: JobRow; readonly isResumed: boolean };

/** The jobs of all wallets that spend. */
export class SpendJobs {
  readonly #parts: SpendJobsParts;
  readonly #live = new Map<string, RunningJob>();
  readonly #life = new AbortController();
  readonly #restart: JobRestart;

  constructor(parts: SpendJobsParts) {
    this.#parts = parts;
    this.#restart = new JobRestart({
      ...parts,
      run: (row, open) => {
        if (!this.#life.signal.aborted) void this.#run(row, open, true);
      },
      lose: (row, error) => {
        const token = asWalletToken(row.token);
        this.#end({ ...newJob(row), reason: error }, { token, wallet: null });
      },
    });
  }

  /**
   * Begins a checked call, joins its job, or finds its outcome. Throws `wallet/watch-only`, what `tipToPayAt` throws, `wallet/opening`
   * for a wallet that was closed, `wallet/bad-idempotency-key`, `wallet/key-reused`, `wallet/fee-too-high`, `wallet/payee-not-allowed`,
   * `wallet/day-limit`, `wallet/approval-full`, `api/unknown-token`, `queue/full`, `node/stopping`, the store's errors; then nothing is
   * stored.
   */
  begin(open: OpenWallet, order: SpendOrder, { key, by }: Caller): BegunCall {
    if (this.#life.signal.aborted) throw new SvcError("node/stopping", {});
    if (open.isClosed) throw new SvcError("wallet/opening", {});
    if (open.facts.kind !== "seed") throw new SvcError("wallet/watch-only", {});
    checkKey(key);
    const found = this.#parts.store.commit((batch) => this.#claim(batch, open, { order, key, by }));
    if (found.kind !== "run") return found;
    const { id } = found.row;
    return { kind: "job", id, outcome: this.#run(found.row, open, found.isResumed) };
  }

  /**
   * Lets a job go on that its wallet's owner was asked about. Throws `node/stopping`, `wallet/opening` for a wallet that was closed,
   * `wallet/not-awaiting`.
   */
  approve(open: OpenWallet, id: string): JobView {
    if (this.#life.signal.aborted) throw new SvcError("node/stopping", {});
    if (open.isClosed) throw new SvcError("wallet/opening", {});
    const row = this.#parts.approvals.approve(open.token, id);
    // Nobody waits for it: it waits itself where a caller would be refused.
    void this.#run(row, open, true);
    return this.view(open.token, id);
  }

  /** Whether a wallet has jobs that are not ended. */
  isPaying(token: WalletToken): boolean {
    for (const { job } of this.#live.values()) if (job.open.token === token) return true;
    return false;
  }

  /** Whether a job is at work. */
  isLive(id: string): boolean {
    return this.#live.has(id);
  }

  /** A job of a wallet. Throws `wallet/no-job`. */
  view(token: WalletToken, id: string): JobView {
    const row = this.#rowOf(token, id);
    const { proofs } = this.#parts;
    const running = this.#live.get(id);
    if (running === undefined) return jobView(row, null, proofs.pace);
    const { open, progress } = running.job;
    const payment = open.wallet.isBegun
      ? open.state.outbox.find((candidate) => candidate.id === progress?.payment)
      : undefined;
    return jobView(row, { progress, atHand: payment?.status.state ?? null }, proofs.pace);
  }

  /** What became of each payout of a batch. Throws `wallet/no-job`, also for a job of another kind. */
  payouts(open: OpenWallet, id: string): readonly PayoutResult[] {
    const row = this.#rowOf(open.token, id);
    if (row.kind !== "payout") throw new SvcError("wallet/no-job", {});
    const { order } = decodeJobRequest(row.request);
    return payoutResults(order, paymentsOfJob(this.#parts.store, open, id), row);
  }

  /**
   * Cancels what is not signed of a job, and resolves with the job when it has ended; one that has ended stays as it is, and one
   * that waits for approval is denied. Rejects with `wallet/no-job`, `wallet/opening` for one whose wallet is not open yet, and the
   * store's errors.
   */
  async cancel(token: WalletToken, id: string): Promise<JobView> {
    this.#rowOf(token, id);
    const running = this.#live.get(id);
    if (running !== undefined) {
      running.job.cancel.abort();
      await running.outcome;
    }
    const row = this.#rowOf(token, id);
    if (isAwaitingApproval(row)) this.#parts.approvals.deny(token, id);
    else if (!hasEnded(row)) throw new SvcError("wallet/opening", {});
    return this.view(token, id);
  }

  /**
   * Goes on with the jobs that a former run of the program began. Resolves when those whose wallets can be opened are at work; the
   * others are tried again. Those of a wallet that is gone end with `wallet/no-wallet`.
   */
  resume(): Promise<void> {
    return this.#restart.start(this.#life.signal);
  }

  /** Stops all jobs where they are; a start goes on with them. Harmless when repeated. */
  async stop(): Promise<void> {
    this.#life.abort();
    const running = [...this.#live.values()];
    for (const { job } of running) job.cancel.abort();
    await Promise.all([...running.map(({ over }) => over), this.#restart.over]);
  }

  #rowOf(token: WalletToken, id: string): JobRow {
    const row = this.#parts.store.jobs.get(id);
    if (row === undefined || row.token !== token) throw new SvcError("wallet/no-job", {});
    return row;
  }

  #claim(batch: StoreBatch, open: OpenWallet, request: JobRequest): Found {
    const { store, clock, newId } = this.#parts;
    const { token } = open;
    const nowMs = clock.nowMs();
    const { order, key, by } = request;
    if (key !== null) {
      const claim = store.idempotency.claim(batch, { token, key }, orderHash(order), nowMs);
      if (claim.kind === "other") throw new SvcError("wallet/key-reused", {});
      const known = claim.kind === "same" ? this.#known(batch, open, order, claim.row) : null;
      if (known !== null) return known;
    }
    checkFeeFloor(order);
    const limit = WALLETD_LIMITS.spendJobs;
    if (this.#live.size >= limit) throw new SvcError("queue/full", { queue: "jobs", limit });
    tipToPayAt(open);
    const row: JobRow = {
      id: newId(),
      token,
      kind: order.kind,
      request: encodeJobRequest(request),
      phase: "planning",
      done: 0,
      total: 0,
      createdMs: nowMs,
      updatedMs: nowMs,
      state: "waiting",
      answer: null,
      error: null,
    };
    if (key !== null)
      store.idempotency.name(batch, { token, key }, { jobId: row.id, paymentIds: [] });
    if (this.#admit(batch, row, open, { order, by })) return { kind: "run", row, isResumed: false };
    return { kind: "held", row: { ...row, phase: APPROVAL_PHASE } };
  }

  /** Stores a job within the limits of its caller; tells whether it may begin. */
  #admit(
    batch: StoreBatch,
    row: JobRow,
    open: OpenWallet,
    { order, by }: Omit<JobRequest, "key">,
  ): boolean {
    const { store, limits, approvals, policy } = this.#parts;
    requireStanding(store, batch, by);
    const { payees } = order;
    const fees = by === null ? 0n : foreseenFees({ state: open.state, policy, open }, order);
    const sompi = asSompi(leavingSompi(payees) + fees);
    const { needsApproval } = limits.check({ scoped: by }, { payees, sompi });
    limits.charge(batch, { token: asWalletToken(row.token), scoped: by }, row.id, sompi);
    if (needsApproval) approvals.hold(batch, row);
    else store.jobs.put(batch, row);
    return !needsApproval;
  }

  /**
   * What a key stands for that was used for the same call; null when nothing came of it, so that it may be tried again. Throws as
   * `tipToPayAt` does where its payments seem to have failed and the wallet cannot know.
   */
  #known(
    batch: StoreBatch,
    open: OpenWallet,
    order: SpendOrder,
    { answer, jobId, paymentIds }: IdempotencyRow,
  ): Found | null {
    const { jobs, payments } = this.#parts.store;
    const row = jobId === null ? undefined : jobs.get(jobId, batch);
    const id = row?.id ?? null;
    if (answer !== null) return { kind: "ended", outcome: decodeOutcome(answer), id };
    if (row !== undefined && isAwaitingApproval(row)) return { kind: "held", row };
    if (row !== undefined && !hasEnded(row)) return { kind: "run", row, isResumed: true };
    const found = paymentIds.map((id) => payments.get(open.token, id, batch) ?? null);
    const outcome = keptOutcome(order, found, notesFree(open, this.#parts.policy));
    // While a wallet is scanned again its settled payments look too old: nobody is told that they failed.
    if (outcome?.kind === "failed") tipToPayAt(open);
    return outcome === null ? null : { kind: "ended", outcome, id };
  }

  /** Runs a job, unless it runs. What its outcome rejects with is for whoever waits for it. */
  #run(row: JobRow, open: OpenWallet, isResumed: boolean): Promise<SpendOutcome> {
    const running = this.#live.get(row.id);
    if (running !== undefined) return running.outcome;
    const job: LiveJob = { ...newJob(row), open };
    const leave = open.use();
    const end = (): void => {
      if (this.#live.get(job.id)?.job === job) this.#live.delete(job.id);
      leave();
    };
    // It is no longer at work when whoever waits for its outcome looks at it.
    const outcome = this.#work(job, isResumed).then((found) => {
      end();
      return found;
    });
    const over = outcome
      .then(
        () => undefined,
        () => this.#endLater(job),
      )
      .finally(end);
    this.#live.set(job.id, { job, outcome, over });
    return outcome;
  }

  /**
   * Until its end is stored a job holds its notes and stays at work: it tries again and again. Where its wallet was closed, as for a
   * change of its kind, it is opened for that. The log is told once of each code that keeps it from ending.
   */
  async #endLater(job: LiveJob): Promise<void> {
    const { signal } = this.#life;
    const told = new Set<string>();
    let pauseMs: number = WALLETD_LIMITS.spendRetryMs;
    for (;;) {
      await this.#parts.clock.sleep(pauseMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      try {
        if (this.#isOver(job) || (await this.#endAgain(job, signal))) return;
      } catch (thrown) {
        const err = SvcError.from(thrown);
        if (SvcError.is(err, "node/stopping", "run/aborted")) return;
        const fields = { wallet: walletLabel(job.open.token), job: job.id, err };
        if (!told.has(err.code)) this.#parts.log.warn(fields, "a job that spends cannot end yet");
        told.add(err.code);
        // Each try to open a wallet reads and unseals its files.
        if (job.open.isClosed) pauseMs = WALLETD_LIMITS.spendReopenMs;
      }
    }
  }

  /** A wallet of another key has none of its jobs. */
  #isOver({ id }: LiveJob): boolean {
    const row = this.#parts.store.jobs.get(id);
    return row === undefined || hasEnded(row) || isAwaitingApproval(row);
  }

  /** Whether the job ended, or waits for approval. */
  async #endAgain(job: LiveJob, signal: AbortSignal): Promise<boolean> {
    const { token } = job.open;
    try {
      const open = job.open.isClosed
        ? await abortable(this.#parts.wallets.open(token), signal)
        : job.open;
      if (this.#isOver(job)) return true;
      // Its unsent payments are not free before its first block is known.
      if (open !== job.open && !open.wallet.isBegun) return false;
      this.#decide(job, open);
    } catch (thrown) {
      if (!SvcError.is(thrown, "wallet/no-wallet")) throw thrown;
      this.#end(job, { token, wallet: null });
    }
    return true;
  }

  async #work(job: LiveJob, isResumed: boolean): Promise<SpendOutcome> {
    const { id, open, request, cancel } = job;
    const work = {
      id,
      order: request.order,
      open,
      isResumed,
      clearWay: () => this.#parts.clearWay(open.token),
      planned: (batch: StoreBatch, ids: readonly string[], fees: Sompi) => {
        requirePlanApproved(this.#parts, batch, job, fees);
        this.#planned(batch, job, ids);
        const { token } = open;
        const { by, order } = request;
        const sompi = asSompi(leavingSompi(order.payees) + fees);
        this.#parts.limits.charge(batch, { token, scoped: by }, id, sompi);
      },
      tell: (progress: WorkProgress) => {
        job.progress = progress;
      },
    };
    try {
      // It may have become a viewing key since the job was begun.
      if (open.facts.kind !== "seed") throw new SvcError("wallet/watch-only", {});
      await doSpendWork(this.#parts, work, cancel.signal);
    } catch (thrown) {
      job.reason = SvcError.from(thrown);
    }
    if (this.#life.signal.aborted) throw new SvcError("node/stopping", {}, job.reason ?? undefined);
    return this.#decide(job, open);
  }

  /** What becomes of a job whose work is over: it ends, or waits for approval. Throws as `storeJobEnd`. */
  #decide(job: LiveJob, open: OpenWallet): SpendOutcome {
    const isHeld = SvcError.is(job.reason, "wallet/approval-needed") && !job.cancel.signal.aborted;
    return (isHeld ? this.#hold(job, open) : null) ?? this.#end(job, open);
  }

  /**
   * Lets a job wait for approval that has chosen no notes; null where too many wait, where its token was revoked, and where a row that
   * says so cannot be read: it ends then.
   */
  #hold(job: LiveJob, open: OpenWallet): SpendOutcome | null {
    const { store, approvals } = this.#parts;
    const { id, reason, request } = job;
    try {
      open.updateWith((batch, state: WalletState) => {
        requireStanding(store, batch, request.by);
        const row = store.jobs.get(id, batch);
        if (row !== undefined) approvals.hold(batch, row);
        return withoutUnsent(state, id);
      });
    } catch (thrown) {
      const ends = ["wallet/approval-full", "api/unknown-token", "store/corrupt"] as const;
      if (!SvcError.is(thrown, ...ends)) throw thrown;
      job.reason = thrown;
      return null;
    }
    return reason === null ? null : { kind: "failed", error: reason.toJSON() };
  }

  #planned(batch: StoreBatch, { id, open, request }: LiveJob, ids: readonly string[]): void {
    const { store, clock } = this.#parts;
    const row = store.jobs.get(id, batch);
    if (row === undefined) throw new SvcError("wallet/no-job", {});
    const updatedMs = clock.nowMs();
    store.jobs.put(batch, {
      ...row,
      state: "running",
      phase: isApproved(row) ? row.phase : "proving",
      total: ids.length,
      updatedMs,
    });
    const { token } = open;
    const { key } = request;
    if (key !== null) store.idempotency.name(batch, { token, key }, { paymentIds: ids });
  }

  #end(job: Omit<LiveJob, "open">, open: OpenWallet | LostWallet): SpendOutcome {
    const { id, request, cancel, reason, progress } = job;
    const isCancelled = cancel.signal.aborted;
    const total = progress?.total ?? null;
    const ending = { id, open, request, total, reason, isCancelled };
    const outcome = storeJobEnd(this.#parts, ending);
    if (outcome.kind === "failed") {
      const fields = { wallet: walletLabel(open.token), job: id, code: outcome.error.code };
      this.#parts.log.debug(fields, "a job that spends failed");
    }
    return outcome;
  }
}

/** A job that nothing was done for in this run. */
function newJob(row: JobRow): Omit<LiveJob, "open"> {
  const request = decodeJobRequest(row.request);
  return { id: row.id, request, cancel: new AbortController(), progress: null, reason: null };
}

/** Throws `wallet/bad-idempotency-key`. */
function checkKey(key: string | null): void {
  const max = PROTOCOL_LIMITS.idempotencyKeyChars;
  if (key === null || (key.length > 0 && key.length <= max)) return;
  throw new SvcError("wallet/bad-idempotency-key", { max });
}
