/** Test kit: a snapshot of an open wallet that has something of everything that is shown. */
import {
  asAddressText,
  asBlueScore,
  asChainIndex,
  asSompi,
  asTimestampMs,
  asTxId,
} from "@svc/shared/base/brand.ts";
import type { HistoryView } from "@svc/shared/wallet/view/history.ts";
import type { RowPayee } from "@svc/shared/wallet/view/rowPayees.ts";
import type { MinedDay } from "@svc/shared/wallet/view/foldMined.ts";
import { startSnapshot } from "../../wallet-api/startSnapshot.ts";
import type { Snapshot, WalletView } from "../../wallet-api/walletApi.ts";

const URL = "http://node.test";
const at = asTimestampMs(1_700_000_000_000n);
const txid = asTxId("ab".repeat(32));
const refused = { code: "wallet/node-unreachable", data: { url: URL } } as const;

/** A received payment in a block. */
export const exampleRow: HistoryView = {
  id: "row",
  kind: "received",
  state: "settled",
  txid,
  paymentId: null,
  paymentStatus: null,
  removable: false,
  rival: null,
  amount: asSompi(12_345_678_900n),
  fee: null,
  counterparty: null,
  memo: { kind: "text", text: "for the tabs" },
  memoKnown: true,
  addressIndex: 0,
  timestamp: at,
  chainIndex: asChainIndex(9n),
  confirmations: 3n,
  backing: { kind: "work", blocks: 3n, ms: 3_000n },
};

const sent: HistoryView = {
  ...exampleRow,
  id: "sent",
  kind: "sent",
  state: "waiting",
  paymentId: "p",
  paymentStatus: {
    state: "broadcasting",
    attempts: 2,
    lastAttemptMs: at,
    lastError: refused,
  },
  rival: "own",
  fee: asSompi(10n),
  counterparty: "address",
  memo: { kind: "bytes", hex: "ff00" },
  timestamp: null,
  chainIndex: null,
  backing: null,
};

const payee: RowPayee = {
  address: asAddressText("address"),
  value: asSompi(6n),
  memo: { kind: "text", text: "one of several" },
};

const ended: HistoryView = {
  ...sent,
  id: "ended",
  payees: [payee, payee],
  merged: 40,
  label: "a remark",
  addressLabel: "a name",
  state: "failed",
  removable: true,
  memo: { kind: "empty" },
  paymentStatus: {
    state: "accepted",
    at: asChainIndex(3n),
    previous: null,
    blueScore: asBlueScore(4n),
  },
  backing: { kind: "claimed" },
};

const day: MinedDay = {
  id: "day",
  kind: "mined-day",
  blocks: 4,
  amount: asSompi(400n),
  timestamp: at,
  settled: true,
};

const block = {
  chainIndex: asChainIndex(8n),
  timestamp: at,
  tipTimestamp: at,
  backing: { kind: "no-work" },
} as const;

const wallet: WalletView = {
  status: {
    phase: "ready",
    final: true,
    atLeast: false,
    canSpend: true,
    behind: 0n,
    permille: 1_000,
  },
  asOf: { chainIndex: 9n, timestamp: at },
  balances: {
    total: asSompi(5n),
    spendable: asSompi(4n),
    maturing: asSompi(1n),
    returning: asSompi(0n),
    pendingIn: asSompi(0n),
    pendingOut: asSompi(0n),
  },
  maturing: [{ amount: asSompi(1n), blocksLeft: 2n, secondsLeft: 3n }],
  noteCount: 1,
  sendable: { amount: asSompi(3n), fee: asSompi(1n), notes: 1, transactions: 1 },
  birthdayGuessed: false,
  older: { since: at, permille: 417, problem: refused },
  address: { text: asAddressText("address"), index: 0 },
  recent: [
    {
      ...sent,
      order: { parts: [sent], out: 1, confirmed: asSompi(7n), stopped: refused, rest: [payee] },
    },
    exampleRow,
    ended,
    day,
  ],
  historyLength: 7,
  labelVersion: 2,
  evidence: { far: null, near: { ...block, timestamp: null }, last: block, doubt: refused },
  problem: null,
};

const start = startSnapshot(URL);

/** The snapshot. */
export const exampleSnapshot: Snapshot & { readonly wallet: WalletView } = {
  ...start,
  access: "open",
  node: {
    ...start.node,
    state: "online",
    answerMs: 4n,
    tip: { chainIndex: 9n, blueScore: 9n, mempoolSize: 1, isSynced: true, proverReady: true },
  },
  others: {
    asked: URL,
    pays: URL,
    words: [
      {
        url: URL,
        state: "online",
        askedMs: at,
        answerMs: 5n,
        tip: {
          network: "net",
          chainIndex: asChainIndex(9n),
          blueScore: asBlueScore(9n),
          timestamp: null,
        },
        records: "same",
        hasProved: true,
        problem: null,
      },
    ],
  },
  network: { name: "net", digest: "00", hrp: "x", builtIn: true },
  backupConfirmed: true,
  wallets: {
    list: [{ id: "first", name: "a wallet", number: 1 }],
    current: "first",
    beside: null,
  },
  wallet,
  send: {
    id: "s",
    stage: "proving",
    fraction: 0.5,
    startedMs: 1,
    cancellable: true,
    part: 1,
    parts: 2,
    out: 0,
    txid: null,
    queued: false,
    rival: null,
    error: null,
  },
};
