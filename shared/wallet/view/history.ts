/**
 * Read model of the history, newest first: what waits, what is in the chain, and how sure it is (specification wallet 14.1).
 */
import type { ChainIndex, Sompi, TimestampMs, TxId } from "../../base/brand.ts";
import { isOver } from "../reduce/forgetPayment.ts";
import type { IncomingPayment } from "../reduce/incoming.ts";
import { readMemo, type Memo } from "../state/memo.ts";
import { paymentAmount, type Payment, type PaymentStatus } from "../state/payment.ts";
import { rivalOf, type Rival } from "../reduce/rival.ts";
import { cursorOf, type HistoryRow, type WalletState } from "../state/walletState.ts";
import { backingOf, canSettle, type Backing } from "./backing.ts";
import { foldOrders, type OrderView } from "./foldOrders.ts";
import { rowPayees, type RowPayee } from "./rowPayees.ts";
import { mergedNotes } from "./mergedNotes.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";

/** The status of a history row. `waiting`: no block yet; `arriving`: a block that may still change. */
export type RowState = "working" | "waiting" | "arriving" | "settled" | "failed";

/** One line of the history. */
export type HistoryView = {
  /** Stable while the row lives; a payment's changes when its transaction exists. */
  readonly id: string;
  readonly kind: HistoryRow["kind"];
  readonly state: RowState;
  readonly txid: TxId | null;
  /** The payment of this wallet behind the row. */
  readonly paymentId: string | null;
  readonly paymentStatus: PaymentStatus | null;
  /** That payment has come to nothing for good: its line can leave the list. */
  readonly removable: boolean;
  /** Who else spends the payment's notes; null for nobody. */
  readonly rival: Rival | null;
  /** For a consolidation: how many notes it merges. Not known of one that another program with this seed made. */
  readonly merged?: number;
  readonly amount: Sompi;
  readonly fee: Sompi | null;
  /** The first payee, or who paid. */
  readonly counterparty: string | null;
  /** All payees, in their order; absent where the wallet does not know them. */
  readonly payees?: readonly RowPayee[];
  /** The first memo that says something. */
  readonly memo: Memo;
  /** Whether the memo is known: a node of another kind serves none. */
  readonly memoKnown: boolean;
  readonly addressIndex: number | null;
  /** Null before there is a block or a clock time. */
  readonly timestamp: TimestampMs | null;
  readonly chainIndex: ChainIndex | null;
  /** Blue score on top of the row's block, itself included; 0 without a block. */
  readonly confirmations: bigint;
  /** What stands behind the row's block; null without a block. */
  readonly backing: Backing | null;
  /** For a payment over several transactions: these, in one row. */
  readonly order?: OrderView;
  /** The remark of the wallet's owner. */
  readonly label?: string;
  /** The name of the own address that received it. */
  readonly addressLabel?: string;
};

/**
 * Computes all rows: payments on their way, then receipts waiting, then the chain. Payments that ended in no block stand among
 * the rows of the chain by their time. A payment over several transactions is one row.
 */
export function historyRows(
  state: WalletState,
  policy: WalletPolicy,
  incoming: readonly IncomingPayment[],
): readonly HistoryView[] {
  return historyHead(state, policy, incoming, Number.POSITIVE_INFINITY).rows;
}

/**
 * The rows of so many of the newest entries of the chain, those of all other payments, and how many there are in all: a long history is not
 * looked at further than that (`recentDepth`).
 */
export function historyHead(
  state: WalletState,
  policy: WalletPolicy,
  incoming: readonly IncomingPayment[],
  depth: number,
): { readonly rows: readonly HistoryView[]; readonly length: number } {
  const inChain = chainTxids(state, incoming);
  const payments = new Map(state.outbox.map((payment) => [payment.txid, payment]));
  const own = state.outbox
    .filter(({ txid }) => txid === null || !inChain.has(txid))
    .map((payment) => paymentView(payment, state))
    .toReversed();
  const waiting = incoming
    .filter(({ txid }) => !inChain.has(txid))
    .map(incomingView)
    .toReversed();
  const chain = state.history
    .slice(Math.max(0, state.history.length - depth))
    .map((row) => chainView(row, payments.get(row.txid) ?? null, state, policy))
    .toReversed();
  const ended = own.filter((row) => row.state === "failed");
  const rows = [
    ...own.filter((row) => row.state !== "failed"),
    ...waiting,
    ...newestFirst(ended, chain),
  ];
  const length = own.length + waiting.length + state.history.length;
  return { rows: foldOrders(rows, state), length };
}

/** Ids of own payments and of incoming ones that a block already contains. */
function chainTxids(
  { history, outbox }: WalletState,
  incoming: readonly IncomingPayment[],
): ReadonlySet<TxId> {
  const asked = new Set([...outbox, ...incoming].map(({ txid }) => txid));
  const found = new Set<TxId>();
  if (asked.size === 0) return found;
  for (const { txid } of history) if (asked.has(txid)) found.add(txid);
  return found;
}

/** Merges ended payments into the rows of the chain, whose order stays as it is. */
function newestFirst(
  ended: readonly HistoryView[],
  chain: readonly HistoryView[],
): readonly HistoryView[] {
  const rows: HistoryView[] = [];
  const left = ended.toSorted((a, b) => Number(timeOf(b) - timeOf(a)));
  for (const row of chain) {
    while (left[0] !== undefined && timeOf(left[0]) >= timeOf(row)) rows.push(...left.splice(0, 1));
    rows.push(row);
  }
  return [...rows, ...left];
}

function timeOf(row: HistoryView): bigint {
  return row.timestamp ?? 0n;
}

function paymentView(payment: Payment, { outbox, account }: WalletState): HistoryView {
  const { id, txid, status, payees } = payment;
  return {
    ...mergeOf(mergedNotes(payment, account)),
    id,
    kind: payees.every(({ own }) => own) ? "self" : "sent",
    state: paymentRowState(status),
    txid,
    paymentId: id,
    paymentStatus: status,
    removable: isOver(payment, outbox),
    rival: rivalOf(outbox, payment),
    amount: paymentAmount(payment),
    fee: payment.fee,
    counterparty: payees[0]?.address ?? null,
    payees: rowPayees(payees),
    memo: readMemo(payees.find(({ memo }) => memo !== "")?.memo ?? ""),
    memoKnown: true,
    addressIndex: null,
    timestamp: payment.createdMs,
    chainIndex: null,
    confirmations: 0n,
    backing: null,
  };
}

/** The field of a row that is a consolidation, and of no other. */
function mergeOf(merged: number | null): Pick<HistoryView, "merged"> {
  return merged === null ? {} : { merged };
}

function paymentRowState(status: PaymentStatus): RowState {
  switch (status.state) {
    case "planned":
    case "proving":
    case "signing":
      return "working";
    case "signed":
    case "broadcasting":
    case "mempool":
      return "waiting";
    case "accepted":
      return "arriving";
    case "settled":
      return "settled";
    // A draft in the outbox is work that a closed page left behind: `resumeOutbox` freed its notes.
    case "draft":
    case "failed":
    case "cancelled":
    case "conflicted":
    case "expired":
      return "failed";
  }
}

function incomingView(receipt: IncomingPayment): HistoryView {
  return {
    id: receipt.txid,
    kind: "received",
    state: "waiting",
    txid: receipt.txid,
    paymentId: null,
    paymentStatus: null,
    removable: false,
    rival: null,
    amount: receipt.amount,
    fee: null,
    counterparty: null,
    memo: readMemo(receipt.memo),
    memoKnown: true,
    addressIndex: receipt.addressIndex,
    timestamp: null,
    chainIndex: null,
    confirmations: 0n,
    backing: null,
  };
}

/** The payees, from the payment itself or as they were read back. */
function payeesOf(row: HistoryRow, payment: Payment | null): Pick<HistoryView, "payees"> {
  const payees = payment?.payees ?? row.payees;
  return payees === undefined ? {} : { payees: rowPayees(payees) };
}

function chainView(
  row: HistoryRow,
  payment: Payment | null,
  state: WalletState,
  policy: WalletPolicy,
): HistoryView {
  const depth = cursorOf(state).blueScore - row.blueScore;
  const isSettled = depth >= policy.settleDepth && canSettle(state, row.chainIndex, policy);
  return {
    ...mergeOf(payment === null ? null : mergedNotes(payment, state.account)),
    id: row.id,
    kind: row.kind,
    state: isSettled ? "settled" : "arriving",
    txid: row.txid,
    paymentId: payment?.id ?? null,
    paymentStatus: payment?.status ?? null,
    removable: false,
    rival: null,
    amount: row.amount,
    fee: row.fee,
    counterparty: row.counterparty,
    ...payeesOf(row, payment),
    memo: readMemo(row.memo),
    memoKnown: row.memoKnown !== false,
    addressIndex: row.addressIndex,
    timestamp: row.timestamp === 0n ? null : row.timestamp,
    chainIndex: row.chainIndex,
    confirmations: depth + 1n,
    backing: backingOf(state, row.chainIndex, policy),
  };
}
