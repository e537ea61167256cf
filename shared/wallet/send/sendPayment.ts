/**
 * Sends a payment: plans, proves, signs and broadcasts it (specification wallet 12.1).
 *
 * Each step is committed before the next begins, so a crash never loses a signed payment and
 * never spends a note twice.
 */
import { throwIfAborted, withAnySignal } from "../../base/abort.ts";
import { asTxId, type Sompi } from "../../base/brand.ts";
import { encodeHex } from "../../base/hex.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { formatCoins } from "../../base/money.ts";
import { SvcError } from "../../base/svcError.ts";
import { advancePaymentIn, broadcast, type BroadcastParts } from "./broadcast.ts";
import {
  addPayment,
  endWork,
  isAtWork,
  paymentOf,
  reduceOutbox,
  type Reservation,
} from "../reduce/outbox.ts";
import { draftPayment, isChainStatus, type Payee, type Payment } from "../state/payment.ts";
import { whyNotPaid } from "../reduce/paymentEnd.ts";
import { planPayment, type PlannedPayment } from "../plan/planner.ts";
import type { ProverPort, ProveProgress, SignerPort } from "../state/ports.ts";
import { makeProvePlan } from "../plan/makeProvePlan.ts";
import { signIntent, type ProvePlan } from "../state/provePlan.ts";
import { repeatedPayments } from "../plan/retry.ts";
import { cursorOf, type WalletState } from "../state/walletState.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";

/** Dependencies of sending. */
export type SendParts = BroadcastParts & {
  readonly policy: WalletPolicy;
  readonly prover: ProverPort;
  readonly signer: SignerPort;
  /** The core's function for the identity of a raw transaction. */
  readonly transactionId: (raw: Uint8Array) => string;
  /** The network profile, as JSON. */
  readonly profile: unknown;
  /** Full viewing key, hex of 96 bytes. */
  readonly fvk: string;
};

/** A payment to send, as its owner confirmed it. */
export type SendRequest = {
  /** Fresh and unique, for example a random UUID. */
  readonly id: string;
  readonly payees: readonly Payee[];
  /** The most that may be paid as fee; null for what the size demands. */
  readonly maxFee: Sompi | null;
  /**
   * The owner has confirmed that this is one more payment, though an equal one is still on its way or may have failed. Without
   * it the payment shares a note with each of those, so that at most one goes through.
   */
  readonly separate?: boolean;
  /** Whether the payment can be read back from the chain with the viewing key alone. */
  readonly recoverable: boolean;
};

/**
 * Plans, proves, signs and broadcasts a payment. The node is asked nothing before it gets the signed bytes: what it needs to
 * know of the chain the wallet has. Resolves with the payment once a node has it, or once it is safe in the outbox and a node
 * has yet to take it. Until it is broadcast a fired signal cancels it and frees its notes. Rejects with the planner's errors,
 * `wallet/not-synced`, `wallet/fee-too-high`, `wallet/cancelled`, `wallet/false-record` while the chain's records contradict
 * themselves, what stands between the node's pages and the state, the errors of prover and signer, and what `whyNotPaid` says
 * of a payment that was refused for good or that a block has overtaken, which ends its proof at once.
 */
export async function sendPayment(
  parts: SendParts,
  request: SendRequest,
  progress: ProveProgress,
  signal: AbortSignal,
): Promise<Payment> {
  throwIfAborted(signal);
  const { id } = request;
  const plan = await reserve(parts, request);
  try {
    await unlessOvertaken(parts, id, signal, (either) =>
      proveAndSign(parts, id, plan, { progress, signal: either }),
    );
    throwIfAborted(signal);
  } catch (thrown) {
    throw await giveUp(parts, id, SvcError.from(thrown), signal);
  }
  const payment = await broadcast(parts, id, signal);
  const reason = whyNotPaid(payment);
  if (reason !== null) throw reason;
  return payment;
}

/** Does the work with a signal that fires, too, when a block has decided the payment: a proof takes long, and is for nothing. */
async function unlessOvertaken(
  { sync }: SendParts,
  id: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const overtaken = new AbortController();
  const look = (state: WalletState): void => {
    const payment = state.outbox.find((candidate) => candidate.id === id);
    if (payment !== undefined && isChainStatus(payment.status)) overtaken.abort();
  };
  const unsubscribe = sync.subscribe(look);
  try {
    look(sync.state);
    await withAnySignal([signal, overtaken.signal], work);
  } finally {
    unsubscribe();
  }
}

/** Chooses notes and makes the prover's plan in one change, so no two payments get the same note. */
async function reserve(parts: SendParts, request: SendRequest): Promise<ProvePlan> {
  const { sync, policy } = parts;
  const { tip, fault } = sync;
  if (fault !== null) throw fault;
  if (tip === null) throw new SvcError("wallet/not-synced", { behind: "some" });
  const behind = tip.sinkBlueScore - cursorOf(sync.state).blueScore;
  if (behind > WALLET_LIMITS.walletSyncedWithin)
    throw new SvcError("wallet/not-synced", { behind });
  let made: ProvePlan | undefined;
  await sync.update((state) => {
    checkRecords(state);
    const repeated = request.separate === true ? [] : repeatedPayments(state, request.payees);
    const planned = planPayment(state, policy, request.payees, { repeated });
    checkFee(planned.fee, request.maxFee);
    const { tree } = sync;
    const plan = makeProvePlan(planned, { ...parts, ...request, daaScore: tip.daaScore, tree });
    made = plan;
    const draft = draftPayment(request.id, parts.clock.nowMs(), request.payees);
    const event = { type: "plan", plan: reservation(planned, plan) } as const;
    return reduceOutbox(addPayment(state, draft), request.id, event);
  });
  if (made === undefined) throw new TypeError("an update runs its change");
  return made;
}

function reservation(planned: PlannedPayment, plan: ProvePlan): Reservation {
  const { hash, blueScore } = planned.anchor;
  return {
    fee: planned.fee,
    change: planned.change,
    anchor: { hash, blueScore, root: plan.anchor },
    reserved: planned.notes.map(({ position, nullifier, value }) => ({
      position,
      nullifier,
      value,
    })),
  };
}

/** Of records that contradict themselves nobody knows which is false: the notes may be, too (decision 23). */
function checkRecords({ contradiction }: WalletState): void {
  if (contradiction === null) return;
  const { chainIndex, reason } = contradiction;
  throw new SvcError("wallet/false-record", { index: chainIndex, reason });
}

function checkFee(fee: Sompi, max: Sompi | null): void {
  if (max === null || fee <= max) return;
  throw new SvcError("wallet/fee-too-high", { fee: formatCoins(fee), max: formatCoins(max) });
}

async function proveAndSign(
  parts: SendParts,
  id: string,
  plan: ProvePlan,
  run: { readonly progress: ProveProgress; readonly signal: AbortSignal },
): Promise<void> {
  const { sync, prover, signer } = parts;
  await advancePaymentIn(sync, id, { type: "prove" });
  const proved = await prover.prove(plan, run.progress, run.signal);
  throwIfAborted(run.signal);
  await advancePaymentIn(sync, id, { type: "sign" });
  const signatures = await signer.sign(signIntent(plan), proved, run.signal);
  const raw = await proved.finalize(signatures);
  const txid = asTxId(parts.transactionId(raw));
  await advancePaymentIn(sync, id, { type: "signed", txid, raw: encodeHex(raw) });
}

/**
 * Ends a payment that no node has seen, which frees its notes, and gives the error to throw. Where that cannot be stored it
 * holds all the same: a start would find unsigned work and free its notes, too. What is signed and stored, a start would send.
 */
async function giveUp(
  parts: SendParts,
  id: string,
  error: SvcError,
  signal: AbortSignal,
): Promise<SvcError> {
  const { sync } = parts;
  const cancelled = signal.aborted;
  const payment = paymentOf(sync.state, id);
  const reason = whyNotPaid(payment) ?? error;
  const event = cancelled
    ? ({ type: "cancel" } as const)
    : ({ type: "fail", error: reason.toJSON() } as const);
  if (isAtWork(payment.status)) await sync.hold((state) => endWork(state, id, event));
  else await advancePaymentIn(sync, id, event);
  return cancelled ? new SvcError("wallet/cancelled", {}, error) : reason;
}
