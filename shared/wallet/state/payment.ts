/** The data types of a payment, its states, and a payment over several transactions; the state machine is in `outbox`. */
import {
  asSompi,
  type AddressText,
  type Anchor,
  type BlockHash,
  type BlueScore,
  type ChainIndex,
  type LeafPosition,
  type Nullifier,
  type RawAddress,
  type Sompi,
  type TimestampMs,
  type TxId,
} from "../../base/brand.ts";
import type { ErrorJson } from "../../base/svcError.ts";

/** A checked payee. */
export type Payee = {
  readonly address: AddressText;
  readonly recipient: RawAddress;
  readonly value: Sompi;
  /** Hex, "" for none. */
  readonly memo: string;
  /** One of this wallet's own addresses. */
  readonly own: boolean;
};

/** A note reserved for a payment. */
export type ReservedNote = {
  readonly position: LeafPosition;
  readonly nullifier: Nullifier;
  readonly value: Sompi;
};

/** An output of a signed payment, with what shows a third party its payee and its amount (specification shielded 18). */
export type DisclosedOutput = {
  /** Index of its action. */
  readonly index: number;
  readonly recipient: RawAddress;
  readonly value: Sompi;
  /** Hex of 32 bytes, from which the note is made. */
  readonly rseed: string;
  /** Nullifier that its action reveals: with it the note's commitment is known. Absent where the program that signed kept none. */
  readonly rho?: string;
};

/** The block whose tree root the payment proves against. */
export type PaymentAnchor = {
  readonly hash: BlockHash;
  readonly root: Anchor;
  readonly blueScore: BlueScore;
};

/** Statuses that the wallet itself brings about. */
export type LocalStatus =
  | { readonly state: "draft" | "planned" | "proving" | "signing" | "signed" | "cancelled" }
  | {
      readonly state: "broadcasting" | "mempool";
      /** How often the bytes were handed to a node. */
      readonly attempts: number;
      readonly lastAttemptMs: TimestampMs;
      /** Why the node did not take them last time. */
      readonly lastError: ErrorJson | null;
    }
  | { readonly state: "failed"; readonly error: ErrorJson };

/** Statuses that a chain block brought about; `previous` comes back when that block is undone. */
export type ChainStatus = {
  readonly at: ChainIndex;
  /** Null once the block is too deep to be undone. */
  readonly previous: PaymentStatus | null;
} & (
  | { readonly state: "accepted" | "settled"; readonly blueScore: BlueScore }
  /** Another transaction spent a reserved note. */
  | { readonly state: "conflicted"; readonly txid: TxId }
  /** The anchor is older than any block may spend against, by the scores that a node told. */
  | { readonly state: "expired" }
);

/** The status of a payment. */
export type PaymentStatus = LocalStatus | ChainStatus;

/** The name of a status. */
export type PaymentState = PaymentStatus["state"];

/** A payment and all that is needed to make it happen exactly once. */
export type Payment = {
  /** Chosen by the caller, unique in the wallet. */
  readonly id: string;
  readonly createdMs: TimestampMs;
  readonly payees: readonly Payee[];
  readonly fee: Sompi;
  /** What comes back to address 0. */
  readonly change: Sompi;
  readonly anchor: PaymentAnchor | null;
  readonly reserved: readonly ReservedNote[];
  readonly txid: TxId | null;
  /** Hex of the signed transaction, from `signed` until the payment is settled beyond undoing. */
  readonly raw: string | null;
  /** The outputs to its payees, from `signed` on; empty where the program that signed kept none. */
  readonly outputs?: readonly DisclosedOutput[];
  readonly status: PaymentStatus;
};

/** Version of the record of one order. */
export const PAYMENT_ORDER_VERSION = 1;

/**
 * An order: what was confirmed, whole. Its transactions are payments of the outbox whose ids begin with its own (`partsOf`); how
 * far each is, those say. What is left to pay follows from them, so nothing is counted twice.
 */
export type PaymentOrder = {
  readonly version: typeof PAYMENT_ORDER_VERSION;
  /** Unique in the wallet, without a colon. */
  readonly id: string;
  readonly createdMs: TimestampMs;
  /** In the order in which they are paid. */
  readonly payees: readonly Payee[];
  /** The most that all transactions may cost together. */
  readonly maxFee: Sompi;
  /** One more payment beside those that it would repeat (decision 24). */
  readonly separate: boolean;
  /** Whether it can be read back from the chain with the viewing key alone. */
  readonly recoverable: boolean;
  /** Why nothing more of it is sent; null while it is to be paid in full. */
  readonly stopped: ErrorJson | null;
};

/** Makes a new payment that reserves nothing yet. */
export function draftPayment(
  id: string,
  createdMs: TimestampMs,
  payees: readonly Payee[],
): Payment {
  const zero = asSompi(0n);
  return {
    id,
    createdMs,
    payees,
    fee: zero,
    change: zero,
    anchor: null,
    reserved: [],
    txid: null,
    raw: null,
    status: { state: "draft" },
  };
}

/** The sum that the payees get together. */
export function paymentAmount(payment: { readonly payees: readonly Payee[] }): Sompi {
  return asSompi(payment.payees.reduce((sum, payee) => sum + payee.value, 0n));
}

/** The sum that leaves the wallet with a payment: what others get, and the fee. */
export function paymentOutflow(payment: Payment): Sompi {
  const toOthers = payment.payees.filter(({ own }) => !own);
  return asSompi(paymentAmount({ payees: toOthers }) + payment.fee);
}

/** True for a status that a chain block set. */
export function isChainStatus(status: PaymentStatus): status is ChainStatus {
  return "at" in status;
}

/** What a block has applied holds nothing of its own: on that block's chain the notes carry their spender. */
const RELEASED: ReadonlySet<PaymentState> = new Set<PaymentState>([
  "draft",
  "cancelled",
  "accepted",
  "settled",
  "conflicted",
  "expired",
]);

/** True while the payment's notes must not be used by another one. */
export function holdsNotes(payment: Payment): boolean {
  if (payment.status.state === "failed") return mayStillApply(payment);
  return !RELEASED.has(payment.status.state);
}

/**
 * True while a block may still apply the payment. One that a node refused counts: its bytes were
 * out, and one node's word does not bind the chain. Its anchor's age ends it.
 */
export function mayStillApply(payment: Payment): boolean {
  return isUnderWay(payment) || (payment.status.state === "failed" && payment.txid !== null);
}

const UNDER_WAY: ReadonlySet<PaymentState> = new Set<PaymentState>([
  "planned",
  "proving",
  "signing",
  "signed",
  "broadcasting",
  "mempool",
]);

/** True from the plan until a chain block decides the payment. */
export function isUnderWay(payment: Payment): boolean {
  return UNDER_WAY.has(payment.status.state);
}

const UNSETTLED: ReadonlySet<PaymentState> = new Set<PaymentState>([
  "signed",
  "broadcasting",
  "mempool",
  "accepted",
]);

/** True for signed bytes that are to get into a block, or are in one that may be undone: somebody has to look after them. */
export function isUnsettled(payment: Payment): boolean {
  return UNSETTLED.has(payment.status.state);
}

/** True for a payment that a block has settled beyond undoing: nothing of it will change any more. */
export function isSettledForGood({ status, raw }: Payment): boolean {
  return status.state === "settled" && status.previous === null && raw === null;
}

/** The bytes of a payment are on their way, or in a block: its payees have the money, or will. */
export function isOut(payment: Payment): boolean {
  return isUnsettled(payment) || payment.status.state === "settled";
}

/** Signed bytes that a node or a block refused. They may be out, so they count as a payment that was tried. */
export function isLost({ status, txid }: Payment): boolean {
  return txid !== null && ["failed", "conflicted", "expired"].includes(status.state);
}
