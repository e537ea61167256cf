/**
 * Schemas of what one tab tells another of the open wallet, read from JSON: the state that it shows, and the answers to
 * questions. Text of another form is refused whole.
 */
import * as v from "valibot";
import type { Code } from "@svc/shared/base/generated/codes.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { isCode } from "@svc/shared/base/svcError.ts";
import { AUTO_LOCKS } from "../../wallet-api/autoLock.ts";
import type { Snapshot, WalletView } from "../../wallet-api/walletApi.ts";

/** What a tab shows of the open wallet. */
export type Shown = Pick<
  Snapshot,
  "node" | "others" | "network" | "backupConfirmed" | "watchOnly" | "autoLock" | "wallets" | "send"
> & { readonly wallet: WalletView };

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const { u64, sompi, chainIndex, blueScore, timestampMs, txId, addressText } = fields;
const rival = v.nullable(v.picklist(["own", "elsewhere"]));

/** An error as code and data. */
export const errorForm = v.object({
  code: v.custom<Code>((code) => typeof code === "string" && isCode(code)),
  data: v.record(v.string(), v.string()),
});
const problem = v.nullable(errorForm);

const network = v.object({
  name: v.string(),
  digest: v.string(),
  hrp: v.string(),
  builtIn: v.boolean(),
});

const node = v.object({
  url: v.string(),
  state: v.picklist(["connecting", "online", "offline", "refused"]),
  live: v.boolean(),
  answerMs: v.nullable(u64),
  network: v.nullable(network),
  tip: v.nullable(
    v.object({
      chainIndex: u64,
      blueScore: u64,
      mempoolSize: count,
      isSynced: v.boolean(),
      proverReady: v.boolean(),
    }),
  ),
  minesOnRequest: v.boolean(),
  problem,
});

const word = v.object({
  url: v.string(),
  state: v.picklist(["unasked", "online", "offline", "refused"]),
  askedMs: v.nullable(timestampMs),
  answerMs: v.nullable(u64),
  tip: v.nullable(
    v.object({ network: v.string(), chainIndex, blueScore, timestamp: v.nullable(timestampMs) }),
  ),
  records: v.nullable(v.picklist(["same", "other"])),
  hasProved: v.nullable(v.boolean()),
  problem,
});

const backing = v.variant("kind", [
  v.object({ kind: v.literal("work"), blocks: u64, ms: u64 }),
  v.object({ kind: v.literal("no-work") }),
  v.object({ kind: v.literal("unmeasured") }),
  v.object({ kind: v.literal("claimed") }),
]);

/** Nobody is shown what a payment's status was before. */
const chainPart = {
  at: chainIndex,
  previous: v.pipe(
    v.unknown(),
    v.transform(() => null),
  ),
};
const paymentStatus = v.variant("state", [
  v.object({
    state: v.picklist(["draft", "planned", "proving", "signing", "signed", "cancelled"]),
  }),
  v.object({
    state: v.picklist(["broadcasting", "mempool"]),
    attempts: count,
    lastAttemptMs: timestampMs,
    lastError: problem,
  }),
  v.object({ state: v.literal("failed"), error: errorForm }),
  v.object({ ...chainPart, state: v.picklist(["accepted", "settled"]), blueScore }),
  v.object({ ...chainPart, state: v.literal("conflicted"), txid: txId }),
  v.object({ ...chainPart, state: v.literal("expired") }),
]);

const memo = v.variant("kind", [
  v.object({ kind: v.literal("empty") }),
  v.object({ kind: v.literal("text"), text: v.string() }),
  v.object({ kind: v.literal("bytes"), hex: fields.hex }),
]);
const payees = v.array(v.object({ address: addressText, value: sompi, memo }));

const part = v.object({
  id: v.string(),
  kind: v.picklist(["mined", "received", "sent", "self"]),
  state: v.picklist(["working", "waiting", "arriving", "settled", "failed"]),
  txid: v.nullable(txId),
  paymentId: v.nullable(v.string()),
  paymentStatus: v.nullable(paymentStatus),
  removable: v.boolean(),
  rival,
  amount: sompi,
  fee: v.nullable(sompi),
  counterparty: v.nullable(v.string()),
  payees: v.exactOptional(payees),
  merged: v.exactOptional(count),
  label: v.exactOptional(v.string()),
  addressLabel: v.exactOptional(v.string()),
  memo,
  memoKnown: v.boolean(),
  addressIndex: v.nullable(count),
  timestamp: v.nullable(timestampMs),
  chainIndex: v.nullable(chainIndex),
  confirmations: u64,
  backing: v.nullable(backing),
});
const row = v.object({
  ...part.entries,
  order: v.exactOptional(
    v.object({
      parts: v.array(part),
      out: count,
      confirmed: sompi,
      stopped: problem,
      rest: payees,
    }),
  ),
});
const minedDay = v.object({
  id: v.string(),
  kind: v.literal("mined-day"),
  blocks: count,
  amount: sompi,
  timestamp: timestampMs,
  settled: v.boolean(),
});
const line = v.variant("kind", [row, minedDay]);

const shownBlock = v.nullable(
  v.object({
    chainIndex,
    timestamp: v.nullable(timestampMs),
    tipTimestamp: timestampMs,
    backing,
  }),
);

const wallet = v.object({
  status: v.object({
    phase: v.picklist([
      "locked",
      "opening",
      "offline",
      "scanning",
      "catching-up",
      "ready",
      "degraded",
    ]),
    final: v.boolean(),
    atLeast: v.boolean(),
    canSpend: v.boolean(),
    behind: u64,
    permille: count,
  }),
  asOf: v.object({ chainIndex: u64, timestamp: timestampMs }),
  balances: v.object({
    total: sompi,
    spendable: sompi,
    maturing: sompi,
    returning: sompi,
    pendingIn: sompi,
    pendingOut: sompi,
  }),
  maturing: v.array(v.object({ amount: sompi, blocksLeft: u64, secondsLeft: u64 })),
  noteCount: count,
  sendable: v.object({ amount: sompi, fee: sompi, notes: count, transactions: count }),
  birthdayGuessed: v.boolean(),
  older: v.nullable(v.object({ since: timestampMs, permille: count, problem })),
  address: v.object({ text: addressText, index: count }),
  recent: v.array(line),
  historyLength: count,
  labelVersion: count,
  evidence: v.object({ far: shownBlock, near: shownBlock, last: shownBlock, doubt: problem }),
  problem,
});

const send = v.object({
  id: v.string(),
  stage: v.picklist(["building", "proving", "signing", "broadcasting", "paused", "sent", "failed"]),
  fraction: v.nullable(v.number()),
  startedMs: v.number(),
  cancellable: v.boolean(),
  part: count,
  parts: count,
  out: count,
  txid: v.nullable(txId),
  queued: v.boolean(),
  rival,
  error: problem,
});

const wallets = v.object({
  list: v.array(v.object({ id: v.string(), name: v.string(), number: count })),
  current: v.nullable(v.string()),
  beside: v.nullable(v.string()),
});

/** Form of `Shown`. */
export const shownForm = v.object({
  node,
  others: v.object({ asked: v.nullable(v.string()), pays: v.string(), words: v.array(word) }),
  network: v.nullable(network),
  backupConfirmed: v.boolean(),
  watchOnly: v.boolean(),
  autoLock: v.picklist(AUTO_LOCKS),
  wallets,
  wallet,
  send: v.nullable(send),
});

/** Answers to questions, by the call. Bytes are hex. */
export const answerForms = {
  history: v.object({ rows: v.array(line), total: count, fault: problem }),
  historyFile: v.string(),
  receipts: v.variant("kind", [
    v.object({
      kind: v.literal("made"),
      receipts: v.array(
        v.object({
          bytes: v.pipe(fields.hex, v.transform(decodeHex)),
          value: sompi,
          payee: v.nullable(addressText),
        }),
      ),
    }),
    v.object({ kind: v.literal("young"), blocksLeft: u64 }),
    v.object({ kind: v.picklist(["forgotten", "undisclosed"]) }),
  ]),
} as const;
