/**
 * Derives the history rows of one block, and tells change from receipts.
 *
 * A transaction that spends an own note is a payment of ours, whoever made it; its fee and payee are known from the outbox, after a restore
 * from what the outgoing viewing key read back, or not at all (specification wallet 14.2).
 */
import { asSompi, type Sompi, type TxId } from "../../base/brand.ts";
import { walletFee } from "../state/fee.ts";
import { readMemo } from "../state/memo.ts";
import { paymentAmount, type Payment } from "../state/payment.ts";
import type { ScannedBlock, ScannedNote } from "../state/scanFacts.ts";
import { readBack } from "./readBack.ts";
import {
  sumOfNotes,
  type ChainBlock,
  type HistoryRow,
  type OwnNote,
} from "../state/walletState.ts";

/** An own note together with what spent it. */
export type SpentNote = OwnNote & { readonly spentBy: NonNullable<OwnNote["spentBy"]> };

/** A block, the own notes it spends and brings, and the payments before it. */
export type BlockNotes = {
  readonly block: ChainBlock;
  readonly scanned: ScannedBlock;
  readonly spent: readonly SpentNote[];
  readonly received: readonly OwnNote[];
  readonly outbox: readonly Payment[];
};

/** Tells change from receipts: change comes from a transaction that also spends own notes. */
export function noteKind(
  note: ScannedNote,
  spent: readonly SpentNote[],
  outbox: readonly Payment[],
): OwnNote["kind"] {
  if (note.kind === "coinbase") return "coinbase";
  if (!spent.some(({ spentBy }) => spentBy.txid === note.txid)) return "received";
  const payees = outbox.find(({ txid }) => txid === note.txid)?.payees ?? [];
  const paidToSelf = payees.some(
    ({ recipient, value }) => recipient === note.recipient && value === note.value,
  );
  return paidToSelf ? "received" : "change";
}

/** The rows of one block: mined notes first, then transactions in the order of the block. */
export function blockRows(notes: BlockNotes): readonly HistoryRow[] {
  const mined = notes.received.filter(({ kind }) => kind === "coinbase");
  return [
    ...mined.map((note) => minedRow(notes.block, note)),
    ...notes.scanned.txs.flatMap(({ txid, nullifiers }) =>
      transactionRow(notes, txid, nullifiers.length),
    ),
  ];
}

function minedRow(block: ChainBlock, note: OwnNote): HistoryRow {
  return {
    ...placeOf(block),
    id: `${note.txid}:${note.outputIndex}`,
    kind: "mined",
    txid: note.txid,
    amount: note.value,
    fee: null,
    counterparty: null,
    memo: "",
    addressIndex: note.addressIndex,
  };
}

function transactionRow(notes: BlockNotes, txid: TxId, actions: number): HistoryRow[] {
  const spent = notes.spent.filter(({ spentBy }) => spentBy.txid === txid);
  const received = notes.received.filter((note) => note.txid === txid && note.kind !== "coinbase");
  const place = { ...placeOf(notes.block), id: txid, txid };
  if (spent.length > 0) {
    const payment = notes.outbox.find((candidate) => candidate.txid === txid);
    if (payment !== undefined) return [{ ...place, ...ownPayment(payment, received) }];
    const sent = (notes.scanned.sent ?? []).filter((output) => output.txid === txid);
    const left = sumOfNotes(spent) - sumOfNotes(received);
    const known = readBack({ left, actions, sent });
    if (known !== null) return [{ ...place, kind: "sent", ...known, addressIndex: null }];
    return [{ ...place, ...unknownPayment(left, received, actions) }];
  }
  const [first] = received;
  if (first === undefined) return [];
  return [
    {
      ...place,
      kind: "received",
      amount: sumOfNotes(received),
      fee: null,
      counterparty: null,
      ...memoOf(received),
      addressIndex: first.addressIndex,
    },
  ];
}

type PaymentPart = Pick<
  HistoryRow,
  "kind" | "amount" | "fee" | "counterparty" | "memo" | "memoKnown" | "addressIndex"
>;

function ownPayment(payment: Payment, received: readonly OwnNote[]): PaymentPart {
  const own = received.filter(({ kind }) => kind === "received");
  const [payee] = payment.payees;
  return {
    kind: own.length === payment.payees.length ? "self" : "sent",
    amount: paymentAmount(payment),
    fee: payment.fee,
    counterparty: payee?.address ?? null,
    memo: payment.payees.find(({ memo }) => memo !== "")?.memo ?? "",
    addressIndex: own[0]?.addressIndex ?? null,
  };
}

/**
 * A payment of these keys that this wallet has no record of. When exactly the fee of its size
 * left the wallet, it paid nobody else.
 */
function unknownPayment(left: bigint, received: readonly OwnNote[], actions: number): PaymentPart {
  const fee = walletFee(actions);
  const nobody: PaymentPart = {
    kind: "self",
    amount: asSompi(0n),
    fee,
    counterparty: null,
    ...memoOf(received),
    addressIndex: null,
  };
  return left === fee ? nobody : { ...nobody, kind: "sent", amount: outflow(left), fee: null };
}

/** A page that pays out more than it spends contradicts itself; nothing left the wallet then. */
function outflow(left: bigint): Sompi {
  return asSompi(left < 0n ? 0n : left);
}

/** The first memo that says something; where there is none, whether one was not served. */
function memoOf(notes: readonly OwnNote[]): Pick<HistoryRow, "memo" | "memoKnown"> {
  const said = notes.find(({ memo }) => memo !== "" && readMemo(memo).kind !== "empty");
  if (said !== undefined) return { memo: said.memo };
  const isKnown = notes.every(({ memoKnown }) => memoKnown !== false);
  return isKnown ? { memo: "" } : { memo: "", memoKnown: false };
}

function placeOf(block: ChainBlock) {
  const { chainIndex, blueScore, daaScore, timestamp } = block;
  return { chainIndex, blueScore, daaScore, timestamp };
}
