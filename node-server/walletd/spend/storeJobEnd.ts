/** Stores how a job that spends ended, its answer, and that what it did not send is free, in one commit. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { withoutUnsent } from "@svc/shared/wallet/reduce/paymentParts.ts";
import { isLost, isOut } from "@svc/shared/wallet/state/payment.ts";
import type { WalletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import type { WalletState } from "@svc/shared/wallet/state/walletState.ts";
import type { ClockPort } from "@svc/shared/wallet/state/ports.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { WalletStore } from "../store/walletStore.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";
import { endOf, notesFree, type JobEnd } from "./jobEnd.ts";
import type { JobRequest } from "./spendOrder.ts";
import { encodeOutcome, type SpendOutcome } from "./spendOutcome.ts";
import { paymentsOfJob } from "./spendWork.ts";
import { spentBy, type SpendLimits } from "./tokens/spendLimits.ts";

/** A wallet that is not there any more: all that is known of its payments is in the store. */
export type LostWallet = { readonly token: WalletToken; readonly wallet: null };

/** A job that ends. */
export type EndingJob = {
  readonly id: string;
  readonly open: OpenWallet | LostWallet;
  readonly request: JobRequest;
  /** Transactions that were planned; null where that is not known. */
  readonly total: number | null;
  /** Why its work ended early; null for no reason. */
  readonly reason: SvcError | null;
  readonly isCancelled: boolean;
};

/** Dependencies of an end. */
export type JobEndParts = {
  readonly store: WalletStore;
  readonly policy: WalletPolicy;
  readonly clock: Pick<ClockPort, "nowMs">;
  readonly limits: Pick<SpendLimits, "refund">;
};

/**
 * Ends a job, judged by its payments. Throws `store/…`, and `wallet/opening` for a wallet that was closed, also before its first block
 * was known; then nothing is stored.
 */
export function storeJobEnd(parts: JobEndParts, job: EndingJob): SpendOutcome {
  const { store, policy, limits } = parts;
  const { id, open, request, reason } = job;
  if (open.wallet !== null && open.isClosed) throw new SvcError("wallet/opening", {});
  const payments = paymentsOfJob(store, open, id);
  const total = job.total ?? store.jobs.get(id)?.total ?? 0;
  const end = endOf(request.order, { payments, total, notesFree: notesFree(open, policy) }, reason);
  const write = (batch: StoreBatch): void => {
    writeEnd(parts, batch, job, end);
    limits.refund(batch, open.token, id, spentBy(payments));
  };
  if (open.wallet !== null && open.wallet.isBegun) {
    open.updateWith((batch, state: WalletState) => {
      write(batch);
      return withoutUnsent(state, id);
    });
  } else {
    const unsent = payments.filter((payment) => !isOut(payment) && !isLost(payment));
    store.commit((batch) => {
      write(batch);
      for (const payment of unsent) store.payments.delete(batch, open.token, payment.id);
    });
  }
  return end.outcome;
}

function writeEnd(
  { store, clock }: JobEndParts,
  batch: StoreBatch,
  { id, open, request, isCancelled }: EndingJob,
  { outcome, tried, out }: JobEnd,
): void {
  const nowMs = clock.nowMs();
  const row = store.jobs.get(id, batch);
  const isDone = outcome.kind === "done";
  if (row !== undefined) {
    store.jobs.put(batch, {
      ...row,
      state: isDone ? "done" : isCancelled ? "cancelled" : "failed",
      phase: "",
      done: out,
      updatedMs: nowMs,
      answer: isDone ? outcome.body : null,
      error: isDone ? null : outcome.error,
    });
  }
  const { key } = request;
  if (key === null) return;
  const use = { token: open.token, key };
  if (tried === 0) store.idempotency.name(batch, use, { jobId: null, paymentIds: [] });
  else store.idempotency.answer(batch, use, encodeOutcome(outcome), nowMs);
}
