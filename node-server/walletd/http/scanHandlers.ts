/** Handlers about what the scan of a wallet found: balance, history, settings, rescan. */
import type { Sompi } from "@svc/shared/base/brand.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import { NumberText } from "@svc/shared/protocol/contract/numberText.ts";
import type { RouteAnswer } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { isUnderWay, paymentAmount } from "@svc/shared/wallet/state/payment.ts";
import { blockAt } from "@svc/shared/wallet/state/chainView.ts";
import { unspentNotes, type HistoryRow } from "@svc/shared/wallet/state/walletState.ts";
import type { LastingJobs } from "../spend/lastingJobs.ts";
import { encodeRescanRequest } from "../spend/rescanWork.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";
import { problemOf, type DaemonWallets, type HandlerParts } from "./daemonWallets.ts";
import { statusOf, updatedUnix } from "./statusHandlers.ts";
import { StartedJob, type WalletHandlers } from "./walletHandlers.ts";
import { balanceFields, fixedCoins, memoText } from "./answerValues.ts";

type History = RouteAnswer<"history">;

/** Makes the handlers. */
export function scanHandlers(
  parts: HandlerParts,
  wallets: DaemonWallets,
  jobs: Pick<LastingJobs, "begin">,
): Pick<WalletHandlers, "balance" | "history" | "settings" | "rescan"> {
  const { daemon, folder } = parts;
  const addresses = new OwnAddresses();
  return {
    balance: async ({ token, query }) => balanceOf(parts, await wallets.open(token), query.notes),
    history: async ({ token, query }) => historyOf(await wallets.open(token), addresses, query),
    settings: async ({ token, body }) => {
      const open = await wallets.open(token);
      const recoverable = body.recoverable_history;
      if (recoverable !== null && recoverable !== undefined) {
        open.facts = await folder.update(token, { recoverableHistory: recoverable });
      }
      return { recoverableHistory: open.facts.recoverableHistory };
    },
    rescan: async ({ token, query, body }) => {
      const open = await wallets.open(token);
      const birthday = body?.birthday ?? null;
      if (query.job) {
        return new StartedJob(await jobs.begin(open, "rescan", encodeRescanRequest(birthday)));
      }
      daemon.wallets.rescanLater(open, { byOwner: true, birthday });
      return { rescanning: true };
    },
  };
}

function balanceOf(
  { daemon }: HandlerParts,
  open: OpenWallet,
  withNotes: boolean,
): RouteAnswer<"balance"> {
  const status = statusOf(daemon, open);
  const notes = unspentNotes(open.state).map(({ position, value }) => ({
    position: Number(position),
    value: new NumberText(String(value)),
  }));
  return {
    ...balanceFields(status.balances),
    synced: status.synced,
    scanned_blocks: Number(status.scanned),
    chain_len: Number(daemon.tip?.daaScore ?? 0n),
    note_count: status.notes,
    updated_unix: updatedUnix(daemon, open),
    error: problemOf(open, daemon),
    ...(withNotes ? { notes } : {}),
  };
}

function historyOf(
  open: OpenWallet,
  addresses: OwnAddresses,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): History {
  const { history } = open.state;
  const end = Math.max(0, history.length - offset);
  const page = history.slice(Math.max(0, end - limit), end).toReversed();
  return {
    recoverableHistory: open.facts.recoverableHistory,
    total: history.length,
    offset,
    limit,
    rows: page.map((row) => rowOf(open, addresses, row)),
    pendingOutgoing: pendingOf(open),
  };
}

function rowOf(
  open: OpenWallet,
  addresses: OwnAddresses,
  row: HistoryRow,
): History["rows"][number] {
  const isOut = row.kind === "sent" || row.kind === "self";
  // What left the wallet, where nobody knows how much of it was the fee.
  const isNet = isOut && row.fee === null;
  return {
    kind: row.kind === "mined" ? "coinbase" : isOut ? "sent" : "received",
    txid: row.txid,
    daaScore: Number(row.daaScore),
    blueScore: Number(row.blueScore),
    acceptingBlock: blockAt(open.state.blocks, row.chainIndex)?.hash ?? null,
    timestamp: Number(row.timestamp),
    ...amounts(row.kind === "self" ? null : row.amount),
    amountKind: isNet ? "netOutflow" : "paid",
    feeSompi: row.fee ?? 0n,
    feeSompiExact: row.fee ?? 0n,
    feeKnown: row.fee !== null,
    recipient: isOut ? row.counterparty : addresses.textOf(open, row.addressIndex),
    memo: memoText(row.memo),
    memoKnown: row.memoKnown !== false,
  };
}

/** A merge of one's own notes moves nothing. */
function amounts(value: Sompi | null) {
  const amount = value ?? 0n;
  return {
    amount,
    amountSompi: amount,
    amountSompiExact: amount,
    amountSvc: new NumberText(fixedCoins(amount)),
  };
}

function pendingOf({ state }: OpenWallet): History["pendingOutgoing"] {
  return state.outbox.flatMap((payment) => {
    const { txid, anchor } = payment;
    if (txid === null || !isUnderWay(payment)) return [];
    const amount = paymentAmount(payment);
    const block = state.blocks.findLast(({ hash }) => hash === anchor?.hash);
    const submittedDaa = Number(block?.daaScore ?? 0n);
    const amountSvc = new NumberText(fixedCoins(amount));
    return [{ txid, amountSompi: amount, amountSvc, submittedDaa }];
  });
}

/** Texts of own addresses: deriving one takes a while, and a history names few of them often. */
class OwnAddresses {
  readonly #texts = new WeakMap<OpenWallet, LruMap<number, string>>();

  /** The address with this index; null where the index is not known. */
  textOf(open: OpenWallet, index: number | null): string | null {
    if (index === null) return null;
    const texts = this.#texts.get(open) ?? new LruMap(WALLETD_LIMITS.knownAddresses);
    this.#texts.set(open, texts);
    const known = texts.get(index);
    if (known !== undefined) return known;
    const { text } = open.keys.addressAt(index);
    texts.set(index, text);
    return text;
  }
}
