/** Second approval: jobs of scoped tokens that begin when the wallet's owner says so. */
import { asSompi, asTimestampMs, type Sompi } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { checkFee } from "@svc/shared/wallet/send/reservePayment.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import type { WalletToken } from "../../keys/walletToken.ts";
import type { JobRow } from "../../store/jobTable.ts";
import type { StoreBatch } from "../../../storage/rows/storeBatch.ts";
import type { WalletStore } from "../../store/walletStore.ts";
import { WALLETD_LIMITS } from "../../walletdLimits.ts";
import type { OpenWallet } from "../../wallets/openWallet.ts";
import { leavingSompi, type SpendLimits } from "./spendLimits.ts";
import { decodeJobRequest, type JobRequest } from "../spendOrder.ts";
import { isLost, isOut } from "@svc/shared/wallet/state/payment.ts";
import { paymentsOfJob } from "../spendWork.ts";

/** The phase of a job that waits for approval; its state is `waiting`. */
export const APPROVAL_PHASE = "approval";
/** The phase of a job that was approved, kept until it ends: what it needs later was approved too. */
export const APPROVED_PHASE = "approved";

/** Whether nobody may begin with the job yet. */
export function isAwaitingApproval({ state, phase }: Pick<JobRow, "state" | "phase">): boolean {
  return state === "waiting" && phase === APPROVAL_PHASE;
}

/** Whether its owner has let the job begin. */
export function isApproved({ phase }: Pick<JobRow, "phase">): boolean {
  return phase === APPROVED_PHASE;
}

/** Checks that a job may begin. Throws `wallet/approval-needed`. */
export function requireApproved(job: Pick<JobRow, "id" | "state" | "phase">): void {
  if (isAwaitingApproval(job)) throw new SvcError("wallet/approval-needed", { job: job.id });
}

/** Dependencies of the approvals. */
export type ApprovalsParts = {
  readonly store: Pick<WalletStore, "commit" | "jobs">;
  readonly limits: Pick<SpendLimits, "refund">;
  readonly clock: Pick<Clock, "nowMs">;
};

type Decision = Partial<Pick<JobRow, "state" | "phase">>;

/** The approvals of all wallets. Throws `store/…` besides what is said. */
export class Approvals {
  readonly #parts: ApprovalsParts;

  constructor(parts: ApprovalsParts) {
    this.#parts = parts;
  }

  /** Stores a job so that it waits for approval. Throws `wallet/approval-full`, and then the commit must not happen. */
  hold(batch: StoreBatch, job: JobRow): void {
    const { store, clock } = this.#parts;
    const max = WALLETD_LIMITS.approvalsWaiting;
    let waiting = 0;
    for (const other of this.#open(job.token, batch)) {
      if (isAwaitingApproval(other) && other.id !== job.id) waiting += 1;
      if (waiting >= max) throw new SvcError("wallet/approval-full", { max });
    }
    const updatedMs = asTimestampMs(clock.nowMs());
    store.jobs.put(batch, { ...job, state: "waiting", phase: APPROVAL_PHASE, updatedMs });
  }

  /** The jobs of a wallet that wait for approval, the oldest first. */
  waiting(owner: WalletToken): readonly JobRow[] {
    return [...this.#open(owner)].filter(isAwaitingApproval);
  }

  /** Lets a job begin. Throws `wallet/not-awaiting`, also for a job that was approved before. */
  approve(owner: WalletToken, id: string): JobRow {
    return this.#decide(owner, id, { phase: APPROVED_PHASE });
  }

  /** Cancels a job that waits for approval, and gives its charge back. Throws `wallet/not-awaiting`. */
  deny(owner: WalletToken, id: string): JobRow {
    return this.#decide(owner, id, { state: "cancelled" });
  }

  /**
   * Denies the jobs of a scoped token that wait for approval, in the commit that revokes it. A job whose request cannot be read is
   * left: nobody can begin it.
   */
  denyOf(batch: StoreBatch, owner: WalletToken, tokenId: string): void {
    const held = [...this.#open(owner, batch)].filter(isAwaitingApproval);
    for (const { id, request } of held) {
      if (tokenOf(request) === tokenId) this.#decideIn(batch, owner, id, { state: "cancelled" });
    }
  }

  /** Cancels the jobs of a wallet that have waited too long; returns how many. */
  expire(owner: WalletToken): number {
    const before = this.#parts.clock.nowMs() - WALLETD_LIMITS.approvalMs;
    const old = this.waiting(owner).filter(({ updatedMs }) => updatedMs <= before);
    for (const { id } of old) this.deny(owner, id);
    return old.length;
  }

  #decide(owner: WalletToken, id: string, change: Decision): JobRow {
    return this.#parts.store.commit((batch) => this.#decideIn(batch, owner, id, change));
  }

  #decideIn(batch: StoreBatch, owner: WalletToken, id: string, change: Decision): JobRow {
    const { store, limits, clock } = this.#parts;
    const job = store.jobs.get(id, batch);
    if (job === undefined || job.token !== owner || !isAwaitingApproval(job)) {
      throw new SvcError("wallet/not-awaiting", { job: id.slice(0, 32) });
    }
    const decided = { ...job, ...change, updatedMs: asTimestampMs(clock.nowMs()) };
    store.jobs.put(batch, decided);
    if (decided.state === "cancelled") limits.refund(batch, owner, id);
    return decided;
  }

  /** The jobs that go on and can be read; those that ended come behind them. */
  *#open(token: string, batch?: StoreBatch): Generator<JobRow, void> {
    const { jobs } = this.#parts.store;
    for (const job of jobs.ofWallet(token, batch, () => undefined)) {
      if (job.state !== "waiting" && job.state !== "running") return;
      yield job;
    }
  }
}

/** Id of the scoped token that a job was begun with; null for the owner, and where its request cannot be read. */
function tokenOf(request: string): string | null {
  try {
    return decodeJobRequest(request).by?.id ?? null;
  } catch (thrown) {
    if (SvcError.is(thrown, "store/corrupt")) return null;
    throw thrown;
  }
}

/** The job of a plan. */
export type PlannedJob = {
  readonly id: string;
  readonly open: OpenWallet;
  readonly request: JobRequest;
};

/**
 * Checks a plan with the fees of all its transactions, in the commit that would store it: they may be more than was foreseen when its
 * job was begun. Throws `wallet/approval-needed` for a job that needs an approval it does not have, and `wallet/fee-too-high` where
 * part of it is out, which cannot wait any more.
 */
export function requirePlanApproved(
  { store, limits }: { readonly store: WalletStore; readonly limits: SpendLimits },
  batch: StoreBatch,
  { id, open, request: { by, order } }: PlannedJob,
  fees: Sompi,
): void {
  const leaving = leavingSompi(order.payees);
  const row = store.jobs.get(id, batch);
  const isFree = row === undefined || isApproved(row);
  if (isFree || !limits.needsApproval(by, asSompi(leaving + fees))) return;
  const payments = paymentsOfJob(store, open, id);
  const room = (by?.limits.approvalAboveSompi ?? 0n) - leaving;
  if (payments.some((payment) => isOut(payment) || isLost(payment))) {
    checkFee(fees, asSompi(room < 0n ? 0n : room));
  }
  throw new SvcError("wallet/approval-needed", { job: id });
}
