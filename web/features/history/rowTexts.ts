/** Texts of a history entry: its kind, its state with the work behind it, its second line and the reason of a failure. */
import type { HistoryView, RowState } from "@svc/shared/wallet/view/history.ts";
import { agoText, shortAddress, workTimeText } from "../../i18n/format.ts";
import { rivalText } from "../../i18n/rivalText.ts";
import { isolated } from "../../i18n/isolated.ts";
import { sentenceOf } from "../../i18n/sentence.ts";
import { t, type PlainKey } from "../../i18n/translate.ts";
import type { IconName } from "../../ui/Icon.tsx";

const KINDS: { readonly [K in HistoryView["kind"]]: PlainKey } = {
  received: "row.received",
  sent: "row.sent",
  mined: "row.mined",
  self: "row.self",
};

const ICONS: { readonly [K in HistoryView["kind"]]: IconName } = {
  received: "receive",
  sent: "send",
  mined: "mined",
  self: "self",
};

const STATES: { readonly [S in Exclude<RowState, "settled">]: PlainKey } = {
  working: "row.working",
  waiting: "row.waiting",
  arriving: "row.arriving",
  failed: "row.failed",
};

/** The name of the kind. A payment that came to nothing is not called sent. */
export function kindText(row: HistoryView): string {
  if (row.state === "failed") return t("row.payment");
  return t(row.merged === undefined ? KINDS[row.kind] : "merge.row");
}

/** The icon of the kind. */
export function kindIcon(row: HistoryView): IconName {
  return ICONS[row.kind];
}

/** The state of the entry, with the work behind its block; the ends of a payment have names of their own. */
export function stateText(row: HistoryView): string {
  const { state, backing } = row;
  const whole = orderWord(row);
  if (whole !== null) return whole;
  if (backing?.kind === "work") {
    const slots = { time: workTimeText(backing.ms) };
    if (state === "settled") return t("row.confirmedWork", slots);
    if (state === "arriving") return t("row.arrivingWork", slots);
  }
  if (backing?.kind === "no-work" && state === "settled") return t("row.confirmedNoWork");
  return stateWord(row);
}

/** The state with the depth of the entry's block. */
export function depthText(row: HistoryView): string {
  const state = orderWord(row) ?? stateWord(row);
  if (row.confirmations === 0n) return state;
  return t("detail.confirmations", { state, count: row.confirmations });
}

/** What stands behind the entry's block; null without a block. */
export function backingText({ backing }: Pick<HistoryView, "backing">): string | null {
  switch (backing?.kind) {
    case undefined:
      return null;
    case "work":
      return t("backing.work", { time: workTimeText(backing.ms) });
    case "no-work":
      return t("backing.noWork");
    case "unmeasured":
      return t("backing.unmeasured");
    case "claimed":
      return t("backing.claimed");
  }
}

function stateWord(row: HistoryView): string {
  // A line that stands in a block says what the block says.
  switch (row.chainIndex === null ? row.paymentStatus?.state : undefined) {
    case "cancelled":
      return t("row.cancelled");
    case "draft":
      return t("row.draft");
    case "conflicted":
      return t("row.conflicted");
    case "expired":
      return t("row.expired");
    case "failed":
      return t(row.txid === null ? "row.failed" : "row.refused");
    case "signed":
    case "broadcasting":
      return t("row.untaken");
    default:
      return row.state === "settled" ? settledWord(row) : t(STATES[row.state]);
  }
}

/** State of a payment over several transactions beyond its least certain part; null for none. */
function orderWord({ order, state }: HistoryView): string | null {
  if (order === undefined) return null;
  if (order.stopped !== null && order.out > 0) return t("pay.rowPartly");
  return state === "working" ? t("pay.rowUnderWay") : null;
}

/** A depth that no evidence covers is one node's word. */
function settledWord({ backing }: HistoryView): string {
  return t(backing === null || backing.kind === "claimed" ? "row.settled" : "row.confirmed");
}

/** Whether the money comes in, and therefore has a plus. */
export function isIncoming(row: HistoryView): boolean {
  return row.kind === "received" || row.kind === "mined";
}

/** The sign before the amount. */
export function signOf(row: HistoryView): "+" | "−" | "" {
  if (isIncoming(row)) return "+";
  return row.kind === "sent" ? "−" : "";
}

/**
 * The second line: when it was, then its owner's remark, else the memo, else the other side. A contact who was paid is always there, by
 * its name in place of its address. `contact`: the name of the contact that was paid; "" for none.
 */
export function aboutText(row: HistoryView, nowMs: number, contact = ""): string {
  const payee = row.kind === "sent" ? payeeText(row, isolated(contact)) : "";
  const memo = row.memo.kind === "text" ? isolated(row.memo.text) : "";
  const when = row.timestamp === null ? "" : agoText(row.timestamp, nowMs);
  const remark = isolated(row.label ?? "");
  const name = isolated(row.addressLabel ?? "");
  const merged = row.merged === undefined ? "" : t("merge.notesCount", { count: row.merged });
  const who = contact === "" ? "" : payee;
  const said = remark || memo || (who === "" ? payee || merged || name : "");
  return [when, who, said].filter((part) => part !== "").join(" · ");
}

function payeeText({ counterparty, payees = [] }: HistoryView, name: string): string {
  if (counterparty === null) return "";
  const address = name || shortAddress(counterparty);
  return payees.length < 2 ? address : t("payees.more", { address, count: payees.length - 1 });
}

/** Why a payment failed, or is not taken, as sentences; null when nothing is wrong. */
export function failureText(row: HistoryView): string | null {
  const stopped = row.order?.stopped ?? null;
  // That nothing was sent, as the sentence of a cancelled payment says, is not true of one that was stopped in the middle.
  if (stopped?.code === "wallet/cancelled") return t("pay.rowStopped");
  if (stopped !== null) return [t("pay.rowStopped"), sentenceOf(stopped)].join(" ");
  const status = row.paymentStatus;
  if (status === null || row.chainIndex !== null) return null;
  const rival = rivalText(row.rival, status.state === "conflicted");
  if (rival !== null) return rival;
  if (status.state === "failed") return sentenceOf(status.error);
  const refused = status.state === "broadcasting" ? status.lastError : null;
  return refused === null ? null : sentenceOf(refused);
}
