/**
 * The outbox reducer: the state machine of a payment, from the form to the chain (specification wallet 13.1).
 *
 * draft → planned → proving → signing → signed → broadcasting → mempool → accepted → settled;
 * ends: failed, cancelled, conflicted, expired. The signed bytes are kept before they are sent
 * and are only ever sent again unchanged. Notes stay reserved until the payment is applied or
 * can provably never be. `outboxChain` handles the effects of chain blocks on payments.
 */
import { isOfClass } from "../../base/codeClasses.ts";
import type { TimestampMs, TxId } from "../../base/brand.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { SvcError, type ErrorJson } from "../../base/svcError.ts";
import {
  isChainStatus,
  type ChainStatus,
  type LocalStatus,
  type Payment,
  type PaymentState,
  type PaymentStatus,
} from "../state/payment.ts";
import { whyNotPaid } from "./paymentEnd.ts";
import type { WalletState } from "../state/walletState.ts";

/** The fields that a plan adds to a draft. */
export type Reservation = Pick<Payment, "fee" | "change" | "anchor" | "reserved">;

/**
 * An event of the state machine on this side of the network. `attempt`: the bytes go to a node now; `taken`: it has them;
 * `refused`: it answered no, or not at all; `interrupt`: the program was closed while it worked.
 */
export type PaymentEvent =
  | { readonly type: "plan"; readonly plan: Reservation }
  | { readonly type: "prove" | "sign" | "interrupt" }
  | ({ readonly type: "signed"; readonly txid: TxId; readonly raw: string } & Pick<
      Payment,
      "outputs"
    >)
  | EndEvent
  | NodeEvent;

/** What ends a payment before its bytes leave. */
type EndEvent = { readonly type: "cancel" } | { readonly type: "fail"; readonly error: ErrorJson };

type NodeEvent =
  | { readonly type: "attempt"; readonly nowMs: TimestampMs }
  | { readonly type: "taken" }
  | { readonly type: "refused"; readonly error: ErrorJson };

const ALLOWED: { readonly [E in PaymentEvent["type"]]: readonly PaymentState[] } = {
  plan: ["draft"],
  prove: ["planned"],
  sign: ["proving"],
  signed: ["signing"],
  attempt: ["signed", "broadcasting", "mempool"],
  taken: ["broadcasting", "mempool"],
  refused: ["broadcasting", "mempool"],
  cancel: ["draft", "planned", "proving", "signing", "signed"],
  interrupt: ["planned", "proving", "signing"],
  fail: ["draft", "planned", "proving", "signing"],
};

/** What may come after the chain has already decided, and then changes nothing. */
const MAY_BE_LATE: ReadonlySet<PaymentEvent["type"]> = new Set<PaymentEvent["type"]>([
  "attempt",
  "taken",
  "refused",
]);

/** Whether an answer to a broadcast means success. */
export function meansTaken(error: ErrorJson): boolean {
  return isOfClass(error, "done");
}

/** Adds a payment to the outbox. */
export function addPayment(state: WalletState, payment: Payment): WalletState {
  return { ...state, outbox: [...state.outbox, payment] };
}

/** The payment with this id. Throws `internal/unexpected` when there is none. */
export function paymentOf(state: WalletState, id: string): Payment {
  const payment = state.outbox.find((candidate) => candidate.id === id);
  if (payment === undefined) throw unexpected(`no payment ${id}`);
  return payment;
}

/** Applies an event to one payment of the state. Throws as `advancePayment` does. */
export function reduceOutbox(state: WalletState, id: string, event: PaymentEvent): WalletState {
  const next = advancePayment(paymentOf(state, id), event);
  return { ...state, outbox: state.outbox.map((payment) => (payment.id === id ? next : payment)) };
}

/**
 * The payment after an event. Throws `wallet/payment-pending` for a cancel that comes too late,
 * `tx/nullifier-spent` when somebody else has spent a reserved note meanwhile, `tx/anchor-too-old` when blocks have made it
 * too old, and `internal/unexpected` for an event that cannot happen in this state.
 */
export function advancePayment(payment: Payment, event: PaymentEvent): Payment {
  const { status } = payment;
  if (isChainStatus(status)) {
    if (MAY_BE_LATE.has(event.type)) return payment;
    if (event.type === "fail" || event.type === "interrupt" || isGranted(payment, event)) {
      return { ...payment, status: endBeneath(payment, status, event) };
    }
  }
  if (!ALLOWED[event.type].includes(status.state)) return refuse(payment, event);
  switch (event.type) {
    case "plan":
      return { ...payment, ...event.plan, status: { state: "planned" } };
    case "prove":
      return { ...payment, status: { state: "proving" } };
    case "sign":
      return { ...payment, status: { state: "signing" } };
    case "signed": {
      const { type: _, ...signed } = event;
      return { ...payment, ...signed, status: { state: "signed" } };
    }
    case "cancel":
      return { ...payment, raw: null, status: { state: "cancelled" } };
    case "interrupt":
      return { ...payment, anchor: null, reserved: [], status: { state: "draft" } };
    case "fail":
      return { ...payment, status: { state: "failed", error: event.error } };
    case "attempt":
    case "taken":
    case "refused":
      return { ...payment, status: afterNode(status, event) };
  }
}

/** Cancelling what can never happen is granted. */
function isGranted({ status: { state } }: Payment, event: PaymentEvent): boolean {
  return event.type === "cancel" && (state === "conflicted" || state === "expired");
}

/** The chain has decided; if its block is undone, nobody is at the work that it overtook any more, so that ends beneath. */
function endBeneath(payment: Payment, status: ChainStatus, event: PaymentEvent): ChainStatus {
  const { previous } = status;
  if (previous === null || !isAtWork(previous)) return status;
  const { status: ended } = advancePayment({ ...payment, status: previous }, event);
  return { ...status, previous: ended };
}

/** Whether the program is making the payment, or was when a block decided it: nothing of it is signed. */
export function isAtWork(status: PaymentStatus): boolean {
  if (!isChainStatus(status)) return ALLOWED.interrupt.includes(status.state);
  return status.previous !== null && isAtWork(status.previous);
}

/** An event that does not fit the state. */
function refuse(payment: Payment, event: PaymentEvent): never {
  const { state } = payment.status;
  const end = state === "conflicted" || state === "expired" ? whyNotPaid(payment) : null;
  if (end !== null) throw end;
  if (event.type === "cancel" && payment.txid !== null) {
    throw new SvcError("wallet/payment-pending", { txid: payment.txid });
  }
  throw unexpected(`a payment cannot ${event.type} when ${state}`);
}

function afterNode(status: PaymentStatus, event: NodeEvent): LocalStatus {
  if (event.type === "attempt") {
    const attempts = "attempts" in status ? status.attempts + 1 : 1;
    const state = status.state === "mempool" ? "mempool" : "broadcasting";
    const lastError = "lastError" in status ? status.lastError : null;
    return { state, attempts, lastAttemptMs: event.nowMs, lastError };
  }
  if (!("lastAttemptMs" in status)) throw unexpected("an answer came before an attempt");
  if (event.type === "taken") return { ...status, state: "mempool", lastError: null };
  if (isOfClass(event.error, "final")) return { state: "failed", error: event.error };
  return { ...status, state: "broadcasting", lastError: event.error };
}

/**
 * Ends a payment that the program is making. Of one that is signed nothing changes: it is stored, and will be sent.
 */
export function endWork(state: WalletState, id: string, event: EndEvent): WalletState {
  return isAtWork(paymentOf(state, id).status) ? reduceOutbox(state, id, event) : state;
}

/** After a restart: work that died with the program becomes a draft again and frees its notes. */
export function resumeOutbox(state: WalletState): WalletState {
  const interrupted = state.outbox.filter(({ status }) => isAtWork(status));
  return interrupted.reduce((next, { id }) => reduceOutbox(next, id, { type: "interrupt" }), state);
}

/**
 * The payments whose bytes should go to a node now: fresh ones, refused ones after a pause that
 * doubles with each attempt, and ones that waited long without getting into a block.
 */
export function duePayments(state: WalletState, nowMs: TimestampMs): readonly Payment[] {
  return state.outbox.filter(({ raw, status }) => {
    if (raw === null) return false;
    if (status.state === "signed") return true;
    if (status.state === "mempool") {
      return nowMs - status.lastAttemptMs >= BigInt(WALLET_LIMITS.walletResubmitMs);
    }
    return (
      status.state === "broadcasting" && nowMs - status.lastAttemptMs >= pauseAfter(status.attempts)
    );
  });
}

/** Milliseconds between the attempt with this number and the next. */
function pauseAfter(attempts: number): bigint {
  const doublings = Math.min(Math.max(attempts - 1, 0), 16);
  return BigInt(
    Math.min(WALLET_LIMITS.walletRetryFirstMs * 2 ** doublings, WALLET_LIMITS.walletRetryLongestMs),
  );
}

function unexpected(message: string): SvcError {
  return new SvcError("internal/unexpected", { message });
}
