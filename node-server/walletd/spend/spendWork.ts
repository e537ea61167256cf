/**
 * The work of a job that spends: chooses the notes of all its transactions at once, then proves, signs and broadcasts them one
 * after the other.
 *
 * It may be done again from the start at any time. What is signed counts as paid, and is broadcast, the same bytes; what is not
 * is planned again.
 */
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import type { Sompi } from "@svc/shared/base/brand.ts";
import { infoOf } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { payeesLeft } from "@svc/shared/wallet/reduce/payeeQueue.ts";
import { whyLost } from "@svc/shared/wallet/reduce/paymentEnd.ts";
import { withoutUnsent } from "@svc/shared/wallet/reduce/paymentParts.ts";
import { broadcast } from "@svc/shared/wallet/send/broadcast.ts";
import { payReserved } from "@svc/shared/wallet/send/payReserved.ts";
import {
  checkFee,
  reserveAll,
  tipToPayAt,
  type NumberedPayment,
} from "@svc/shared/wallet/send/reservePayment.ts";
import { actionCount } from "@svc/shared/wallet/state/fee.ts";
import { isOut, type Payee, type Payment } from "@svc/shared/wallet/state/payment.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import type { StoreReader } from "../../storage/rows/storeKeys.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { WalletStore } from "../store/walletStore.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";
import { payPartsOf, provePlanAtTurn, reservePlace, type PayTools } from "./payTools.ts";
import { feesOf, planOrder } from "./orderPlan.ts";
import type { SpendOrder } from "./spendOrder.ts";

/** A job at work. */
export type SpendWork = {
  readonly id: string;
  readonly order: SpendOrder;
  readonly open: OpenWallet;
  /** It was begun before the program was started: it waits for its wallet where a caller would be refused. */
  readonly isResumed: boolean;
  /** Resolves when nothing else holds notes that a payment may need. */
  readonly clearWay: () => Promise<void>;
  /** The notes are chosen: adds what is to be stored with them. `fees` are those of all its transactions. */
  readonly planned: (batch: StoreBatch, ids: readonly string[], fees: Sompi) => void;
  /** Tells how far it is. */
  readonly tell: (progress: WorkProgress) => void;
};

/** How far a job is. */
export type WorkProgress = {
  /** Transactions that are out, and all of them. */
  readonly done: number;
  readonly total: number;
  /** The transaction at hand; null while none is. */
  readonly payment: string | null;
  /** Actions that are still to be proved, that transaction's among them. */
  readonly actions: number;
  /** Actions of the transaction at hand, and the part of them that is proved. */
  readonly atHand: number;
  readonly proved: number;
};

/** The payments of a job, in their order, as they stand; those of this id prefix that are put away among them. */
export function paymentsOfJob(
  store: Pick<WalletStore, "payments">,
  { token, wallet }: { readonly token: WalletToken; readonly wallet: OpenWallet["wallet"] | null },
  jobId: string,
  reader?: StoreReader,
): readonly Payment[] {
  const begin = `${jobId}:`;
  const found = new Map<string, Payment>();
  for (const row of store.payments.ofWallet(token, reader, begin)) found.set(row.id, row);
  for (const payment of wallet?.isBegun === true ? wallet.state.outbox : []) {
    if (payment.id.startsWith(begin)) found.set(payment.id, payment);
  }
  const place = ({ id }: Payment): number => Number(id.slice(begin.length));
  return [...found.values()].toSorted((a, b) => place(a) - place(b));
}

/**
 * Does the work. Resolves when all transactions are out. Rejects with why not, as `tipToPayAt`, the planner and `payReserved`
 * do; then whoever called looks at what became of the payments.
 */
export async function doSpendWork(
  tools: PayTools,
  work: SpendWork,
  signal: AbortSignal,
): Promise<void> {
  const { open } = work;
  if (work.isResumed) await resumed(tools, work, signal);
  if (partsLeft(tools, work) === null) return;
  await work.clearWay();
  const payments = await open.spending.run(async () => {
    throwIfAborted(signal);
    return plan(tools, work);
  });
  await payAll(tools, work, payments, signal);
}

/** Broadcasts what a run before this one signed, and waits until the wallet may pay the rest. */
async function resumed(tools: PayTools, work: SpendWork, signal: AbortSignal): Promise<void> {
  const { open } = work;
  await untilIt(tools, signal, () => void open.state);
  const parts = payPartsOf(tools, open);
  for (const { id, status } of paymentsOfJob(tools.store, open, work.id)) {
    // Of the one at which the run ended nobody knows whether a node has it.
    if (status.state !== "signed" && status.state !== "broadcasting") continue;
    throwIfAborted(signal);
    await broadcast(parts, id, signal);
  }
  if (partsLeft(tools, work) !== null) await untilIt(tools, signal, () => void tipToPayAt(open));
}

/** Tries until it does not throw what passes by itself. */
async function untilIt({ clock }: PayTools, signal: AbortSignal, look: () => void): Promise<void> {
  for (;;) {
    throwIfAborted(signal);
    try {
      look();
      return;
    } catch (error) {
      if (!(error instanceof SvcError) || !infoOf(error).retryable) throw error;
    }
    await clock.sleep(WALLETD_LIMITS.spendRetryMs, signal);
  }
}

/** The payees that are still to be paid; null when all is out. Throws why a payment is lost, which ends the job. */
function partsLeft({ store }: PayTools, { id, order, open }: SpendWork): readonly Payee[] | null {
  const payments = paymentsOfJob(store, open, id);
  const lost = whyLost(payments);
  if (lost !== null) throw lost;
  const out = payments.filter((payment) => isOut(payment));
  if (order.kind === "consolidate") return out.length === 0 ? [] : null;
  const left = payeesLeft(
    order.payees,
    out.flatMap(({ payees }) => payees),
  );
  return left.length === 0 ? null : left;
}

/** Chooses the notes of all transactions that are left, in one commit with what the job says of it. */
function plan(tools: PayTools, work: SpendWork): readonly NumberedPayment[] {
  const { store, policy } = tools;
  const { id, order, open } = work;
  const left = partsLeft(tools, work) ?? [];
  const out = paymentsOfJob(store, open, id).filter((payment) => isOut(payment));
  let made: readonly NumberedPayment[] = [];
  open.updateWith((batch, before) => {
    tipToPayAt(open);
    const state = withoutUnsent(before, id);
    const planned = planOrder({ state, policy, open }, order, left, out);
    const fees = feesOf([...out, ...planned]);
    checkFee(fees, order.maxFee);
    const place = reservePlace(tools, open, state);
    const next = reserveAll(place, planned, (number) => idOf(id, out, number));
    made = next.payments;
    work.planned(
      batch,
      [...out, ...made].map((payment) => payment.id),
      fees,
    );
    return next.state;
  });
  return made;
}

function idOf(jobId: string, out: readonly Payment[], place: number): string {
  return `${jobId}:${out.length + place}`;
}

async function payAll(
  tools: PayTools,
  work: SpendWork,
  payments: readonly NumberedPayment[],
  signal: AbortSignal,
): Promise<void> {
  const { open } = work;
  const parts = payPartsOf(tools, open);
  const before = paymentsOfJob(tools.store, open, work.id).length - payments.length;
  let actions = payments.reduce((sum, payment) => sum + actionsOf(payment), 0);
  for (const [place, payment] of payments.entries()) {
    const atHand = actionsOf(payment);
    const progress = {
      done: before + place,
      total: before + payments.length,
      payment: payment.id,
      actions,
      atHand,
    };
    work.tell({ ...progress, proved: 0 });
    const onProgress = (stage: string, fraction: number): void => {
      if (stage === "proving") work.tell({ ...progress, proved: fraction });
    };
    throwIfAborted(signal);
    const proof = { id: payment.id, plan: provePlanAtTurn(tools, open, payment) };
    await payReserved(parts, proof, onProgress, signal);
    actions -= atHand;
  }
}

function actionsOf({ planned: { notes, payees, change } }: NumberedPayment): number {
  return actionCount(notes.length, payees.length + (change > 0n ? 1 : 0));
}
