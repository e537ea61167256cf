/**
 * Makes one payment whose notes are reserved: proves, signs and broadcasts it (specification wallet 12.1).
 *
 * Each step is committed before the next begins, so a crash never loses a signed payment and never spends a note twice.
 */
import { throwIfAborted, withAnySignal } from "../../base/abort.ts";
import { asTxId } from "../../base/brand.ts";
import { encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { endWork, isAtWork, paymentOf } from "../reduce/outbox.ts";
import { whyNotPaid } from "../reduce/paymentEnd.ts";
import { isChainStatus, type Payment } from "../state/payment.ts";
import type { ProvedPayment, ProverPort, ProveProgress, SignerPort } from "../state/ports.ts";
import { signIntent, type IntentContext, type ProvePlan } from "../state/provePlan.ts";
import type { WalletState } from "../state/walletState.ts";
import { advancePaymentIn, broadcast, type BroadcastParts } from "./broadcast.ts";
import { disclosedOutputs } from "./disclosedOutputs.ts";

/** Dependencies of making a payment. */
export type PayParts = BroadcastParts & {
  readonly prover: ProverPort;
  readonly signer: SignerPort;
  /** The core's function for the identity of a raw transaction. */
  readonly transactionId: (raw: Uint8Array) => string;
};

/** A payment in status `planned`, and the prover's input for it. */
export type ReservedPayment = IntentContext & {
  readonly id: string;
  readonly plan: ProvePlan;
};

/**
 * Proves, signs and broadcasts. Resolves with the payment once a node has it, or once it is safe in the outbox and a node has
 * yet to take it. Until it is broadcast a fired signal cancels it and frees its notes. Rejects with `wallet/cancelled`, the
 * errors of prover and signer, and what `whyNotPaid` says of a payment that was refused for good or that a block has overtaken,
 * which ends its proof at once; `wallet/payment-pending` for a cancel that came when somebody else had broadcast it.
 */
export async function payReserved(
  parts: PayParts,
  payment: ReservedPayment,
  progress: ProveProgress,
  signal: AbortSignal,
): Promise<Payment> {
  const { id } = payment;
  try {
    await unlessOvertaken(parts, id, signal, (either) =>
      proveAndSign(parts, payment, progress, either),
    );
    throwIfAborted(signal);
  } catch (thrown) {
    throw await giveUp(parts, id, SvcError.from(thrown), signal);
  }
  const sent = await broadcast(parts, id, signal);
  const reason = whyNotPaid(sent);
  if (reason !== null) throw reason;
  return sent;
}

/** Does the work with a signal that fires, too, when a block has decided the payment: a proof takes long, and is for nothing. */
async function unlessOvertaken(
  { sync }: PayParts,
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

async function proveAndSign(
  parts: PayParts,
  payment: ReservedPayment,
  progress: ProveProgress,
  signal: AbortSignal,
): Promise<void> {
  const { sync, prover } = parts;
  throwIfAborted(signal);
  await advancePaymentIn(sync, payment.id, { type: "prove" });
  const proved = await prover.prove(payment.plan, progress, signal);
  try {
    throwIfAborted(signal);
    await sign(parts, payment, proved, signal);
  } catch (error) {
    proved.drop?.();
    throw error;
  }
}

async function sign(
  { sync, signer, transactionId }: PayParts,
  { id, plan, ...context }: ReservedPayment,
  proved: ProvedPayment,
  signal: AbortSignal,
): Promise<void> {
  await advancePaymentIn(sync, id, { type: "sign" });
  const signatures = await signer.sign(signIntent(plan, context), proved, signal);
  const raw = await proved.finalize(signatures);
  const txid = asTxId(transactionId(raw));
  const { payees } = paymentOf(sync.state, id);
  const outputs = disclosedOutputs(proved, payees);
  await advancePaymentIn(sync, id, { type: "signed", txid, raw: encodeHex(raw), outputs });
}

/**
 * Ends a payment that no node has seen, which frees its notes, and gives the error to throw. Where that cannot be stored it
 * holds all the same: a start would find unsigned work and free its notes, too. What is signed and stored, a start would send.
 */
async function giveUp(
  parts: PayParts,
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
