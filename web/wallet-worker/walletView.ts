/** View model of the open wallet for the page, as a pure function. */
import { asAddressText, asSompi, type TimestampMs } from "@svc/shared/base/brand.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { formatCoins } from "@svc/shared/base/money.ts";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import { balances } from "@svc/shared/wallet/plan/balances.ts";
import { foldMined } from "@svc/shared/wallet/view/foldMined.ts";
import { historyHead, type HistoryView } from "@svc/shared/wallet/view/history.ts";
import { labelledRows } from "@svc/shared/wallet/view/labelledRows.ts";
import { recentDepth } from "@svc/shared/wallet/view/recentDepth.ts";
import { countedState } from "@svc/shared/wallet/reduce/countedState.ts";
import type { IncomingPayment } from "@svc/shared/wallet/reduce/incoming.ts";
import type { OlderView } from "@svc/shared/wallet/run/olderReader.ts";
import { capacityOf } from "@svc/shared/wallet/plan/maxSendableTransfer.ts";
import { notesStanding } from "@svc/shared/wallet/plan/planner.ts";
import { spendability, type Spendability } from "@svc/shared/wallet/plan/spendability.ts";
import type { NodeTip } from "@svc/shared/wallet/state/ports.ts";
import { isNoLie } from "@svc/shared/wallet/proof/isNoLie.ts";
import { nodeDoubt, secondClaim } from "@svc/shared/wallet/view/backing.ts";
import { shownChain } from "@svc/shared/wallet/view/shownChain.ts";
import { walletStatus, type NodeHistory } from "@svc/shared/wallet/view/status.ts";
import type { LoopFacts } from "@svc/shared/wallet/run/walletLoop.ts";
import type { WalletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import { cursorOf, type WalletState } from "@svc/shared/wallet/state/walletState.ts";
import type { KnownLabels } from "./addresses/ownLabels.ts";
import { localDay } from "../wallet-api/localDay.ts";
import type {
  HistoryPage,
  HistoryQuery,
  MaturingView,
  WalletView,
} from "../wallet-api/walletApi.ts";

/** Lines on the first screen. */
const RECENT_ROWS = 6;
/** Sums in the list of what matures; later ones are part of the total alone. */
const MATURING_ROWS = 12;

/** The part of a tip that a view looks at. */
export type WalletTip = Pick<NodeTip, "chainIndex" | "historyComplete" | "historyFromDaaScore">;

/** Inputs of `walletView`. */
export type WalletFacts = {
  readonly state: WalletState;
  readonly policy: WalletPolicy;
  readonly incoming: readonly IncomingPayment[];
  readonly loop: LoopFacts;
  /** The last look at the node failed: no need to wait until the loop has noticed it several times. */
  readonly nodeAway: boolean;
  /** The wallet has been at the tip in some session. */
  readonly everSynced: boolean;
  /** Scanning began at a day that somebody remembered. */
  readonly birthdayGuessed: boolean;
  /** How far the older blocks are read; null where none are being read. */
  readonly older: OlderView | null;
  /** What the node last said about its tip. */
  readonly tip: WalletTip | null;
  readonly labels: KnownLabels;
  /** Text form of an own address. */
  readonly addressText: (index: number) => string;
  /** The wallet's clock: a tip can be too old by it. */
  readonly nowMs: TimestampMs;
};

/** The view model of these facts. */
export function walletView(facts: WalletFacts): WalletView {
  const { policy, incoming, loop } = facts;
  const doubt = nodeDoubt(facts.state, facts.nowMs, policy);
  // A lie that was found in an earlier session stands, too, until a node shows its work.
  const lie = doubt === null || isNoLie(doubt) ? null : doubt;
  const state = lie === null ? facts.state : countedState(facts.state);
  const cursor = cursorOf(state);
  const problem = loop.problem ?? contradictionOf(facts.state);
  const shown = shownChain(state, policy);
  // A sum of nothing is no balance.
  const knowsSum = lie === null || shown.last !== null;
  const view = spendability(state, policy);
  const depth = recentDepth(state, RECENT_ROWS, localDay);
  const history = historyHead(state, policy, incoming, depth);
  const index = state.account.nextAddressIndex - 1;
  return {
    status: walletStatus({
      unlocked: true,
      opened: true,
      failures: facts.nodeAway
        ? Math.max(loop.failures, WALLET_LIMITS.walletOfflineAfter)
        : loop.failures,
      problem: problem ?? lie,
      birthdayIndex: state.account.birthday.chainIndex,
      cursorIndex: cursorOf(facts.state).chainIndex,
      tipIndex: facts.tip?.chainIndex ?? null,
      everSynced: knowsSum && (facts.everSynced || loop.everSynced),
      historyMissing: state.account.historyMissing,
      history: historyOf(facts),
    }),
    asOf: { chainIndex: cursor.chainIndex, timestamp: cursor.timestamp },
    balances: balances(state, view, incoming),
    maturing: maturingSums(view),
    sendable: capacityOf(notesStanding(view, "spendable"), policy, 0n),
    birthdayGuessed: facts.birthdayGuessed,
    older: facts.older,
    noteCount: view.notes.filter(({ standing }) => standing === "spendable").length,
    address: { text: asAddressText(facts.addressText(index)), index },
    recent: foldMined(labelledRows(history.rows, facts.labels), localDay, RECENT_ROWS).lines,
    historyLength: history.length,
    labelVersion: facts.labels.version,
    // A second node's claim is shown where nothing else is wrong, and stops nothing.
    evidence: { ...shown, doubt: doubt ?? secondClaim(facts.state) },
    problem: problem?.code === doubt?.code ? null : problem,
  };
}

/** A record that only this wallet can know to be false is a fault of the node like any other, until it scans again. */
function contradictionOf({ contradiction }: WalletState): ErrorJson | null {
  if (contradiction === null) return null;
  const { chainIndex, reason } = contradiction;
  return new SvcError("wallet/false-record", { index: chainIndex, reason }).toJSON();
}

function historyOf({ state, tip }: WalletFacts): NodeHistory | null {
  if (tip === null) return null;
  const { historyComplete, historyFromDaaScore } = tip;
  const birthday = state.account.birthday.daaScore;
  return { complete: historyComplete, from: historyFromDaaScore, birthday };
}

/** The first lines of the history that a query asks for, newest first. */
export function historyPage(
  rows: readonly HistoryView[],
  query: HistoryQuery,
): Omit<HistoryPage, "fault"> {
  const found = historyFound(rows, query);
  if (query.kind !== "all" || query.text.trim() !== "") {
    return { rows: found.slice(0, query.limit), total: found.length };
  }
  const { lines, total } = foldMined(found, localDay, query.limit);
  return { rows: lines, total };
}

/** All lines of the history that a query asks for, newest first. */
export function historyFound(
  rows: readonly HistoryView[],
  query: Omit<HistoryQuery, "limit">,
): readonly HistoryView[] {
  const text = query.text.trim().toLowerCase();
  return rows.filter((row) => isOfKind(row, query.kind) && matches(row, text, query.amount));
}

/** Sums that mature at the same time, soonest first. */
function maturingSums(view: Spendability): readonly MaturingView[] {
  const sums = new Map<bigint, MaturingView>();
  for (const { note, standing, blocksLeft, secondsLeft } of view.notes) {
    if (standing !== "maturing") continue;
    const amount = asSompi((sums.get(blocksLeft)?.amount ?? 0n) + note.value);
    sums.set(blocksLeft, { amount, blocksLeft, secondsLeft });
  }
  const ordered = [...sums.values()].toSorted((a, b) => (a.blocksLeft < b.blocksLeft ? -1 : 1));
  return ordered.slice(0, MATURING_ROWS);
}

function isOfKind(row: HistoryView, kind: HistoryQuery["kind"]): boolean {
  if (kind === "all") return true;
  if (kind === "sent") return row.kind === "sent" || row.kind === "self";
  return row.kind === kind;
}

function matches(row: HistoryView, text: string, amount: string): boolean {
  if (text === "") return true;
  if (amount !== "" && formatCoins(row.amount).includes(amount)) return true;
  const payees = row.payees ?? [];
  const memos = [row.memo, ...payees.map(({ memo }) => memo)].map((memo) =>
    memo.kind === "text" ? memo.text : "",
  );
  const addresses = [row.counterparty, ...payees.map(({ address }) => address)];
  const fields = [row.txid, ...addresses, ...memos, row.label, row.addressLabel];
  return (
    fields.some((field) => field?.toLowerCase().includes(text)) ||
    (row.order?.parts.some((part) => matches(part, text, "")) ?? false)
  );
}
