/** Implementation of the wallet worker's RPC calls, each a few lines over the parts of `WalletHost`. */
import { asSompi } from "@svc/shared/base/brand.ts";
import { formatCoins } from "@svc/shared/base/money.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { judgeSignedMessage } from "@svc/shared/signer/messages/judgeSignedMessage.ts";
import { readMemo } from "@svc/shared/wallet/state/memo.ts";
import { payeeFaults, readPayees, type PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import { parsePaymentUri, type UriPayment } from "@svc/shared/wallet/plan/paymentUri.ts";
import { maxSendableTransfer } from "@svc/shared/wallet/plan/maxSendableTransfer.ts";
import { estimateTransfer } from "@svc/shared/wallet/plan/estimateTransfer.ts";
import { reviewPayment } from "@svc/shared/wallet/plan/reviewPayment.ts";
import { WalletHost } from "./walletHost.ts";
import type { LinkFields, LocalMiner, PaymentPreview, WalletApi } from "../wallet-api/walletApi.ts";
import { readAutoLock } from "../wallet-api/autoLock.ts";
import { askMiner, tellMiner } from "../node/nodeQuestions.ts";
import { consolidationView } from "./merging/consolidationView.ts";
import type { PaymentWish, WalletSession } from "./walletSession.ts";

/** The calls over a host that `start` makes. */
export function walletCalls(glue: unknown): WalletApi {
  let made: WalletHost | null = null;
  const host = (): WalletHost => {
    if (made === null) throw new SvcError("wallet/locked", {});
    return made;
  };
  const never = new AbortController().signal;
  return {
    async start(keyring, listener, { nodeUrl, otherUrls, proving }) {
      made = new WalletHost({ glue, url: nodeUrl, otherUrls, keyring, listener, proving });
      void made.run();
    },
    replaceKeyring: (keyring) => host().replaceKeyring(keyring),
    takeOver: (force) => host().takeOver(force),
    noteActivity: () => host().tabs.noteActivity(),
    acceptNetwork: (digest) => host().acceptNetwork(digest),
    vault: () => host().kept.vault(),
    adopt: (vault, from) => host().adopt(vault, from),
    open: () => host().open(),
    lock: () => host().lock(),
    erase: () => host().erase(),
    confirmBackup: () => host().kept.remember({ backupConfirmed: true }),
    replaceVault: (header, next) => host().kept.replace(header, next),
    backupFacts: () => host().backupFacts(),
    setAutoLock: (choice) => host().kept.remember({ autoLock: readAutoLock(choice) }),
    setMergesNotes: (on) => setMergesNotes(host(), on),
    newAddress: () => host().session.newAddress(),
    addresses: (limit) => host().session.words.addresses.list(limit),
    labelAddress: (index, text) => host().session.words.addresses.label(index, text),
    networkProfile: async () => host().session.profileJson,
    verifyMessage: async (signed) =>
      judgeSignedMessage(host().core, host().session.profileJson, signed),
    readLink: async (text) => readLink(host(), text),
    lookAlike: async (address) => host().session.words.known.lookAlike(address),
    payeeFaults: async (payees) => {
      const session = host().payer;
      return payeeFaults(payees, (text) => session.readPayee(text));
    },
    preview: async (payees) => preview(host().payer, payees),
    maxPayment: async () =>
      maxSendableTransfer(host().session.sync.state, host().session.policy, asSompi(0n)),
    consolidation: async () => consolidationView(host().payer),
    send: async (payees, maxFee, separate = false) => send(host(), payees, { maxFee, separate }),
    cancelSend: () => host().send.cancel(),
    stopPayment: (id) => host().stopPayment(id),
    clearSend: () => host().send.clear(),
    warmProver: () => host().prover.warm(),
    history: (query) => host().tabs.reads.history(query),
    labelPayment: (rowId, text) => host().session.words.labels.label(rowId, text),
    historyFile: (query, form) => host().tabs.reads.historyFile(query, form),
    forgetPayment: (id) => host().session.forgetPayment(id),
    receipts: (rowId, challenge) => host().tabs.reads.receipts(rowId, challenge),
    rescan: (from = "birthday") => host().rescan(from),
    retryNode: () => host().retryNode(),
    retryCore: () => void host().loadCore(),
    lookAtOthers: () => host().session.lookAtOthers(),
    localMiner: () => miner(host(), askMiner(host().url, never)),
    mineHere: (on) => {
      const { url, session, core } = host();
      // Coinbase notes are looked for at the first addresses only: a later one would never be credited.
      const address = on ? session.addressText(0) : addressOfNobody(core, session.policy.hrp);
      return miner(host(), tellMiner(url, address, never));
    },
  };
}

/** An address that nobody can spend from, since its keys are discarded: a local miner goes on without paying anybody. */
function addressOfNobody(core: CoreGlue, hrp: string): string {
  using seed = new Secret(callCore(() => core.generateSeed()));
  const raw = seed.reveal((bytes) => callCore(() => core.addressAt(core.fullViewingKey(bytes), 0)));
  return callCore(() => core.encodeAddress(hrp, raw));
}

/** A merge under way ends when its owner no longer wants any. */
async function setMergesNotes(host: WalletHost, mergesNotes: boolean): Promise<void> {
  if (host.kept.watchOnly) throw new SvcError("wallet/watch-only", {});
  await host.kept.remember({ mergesNotes });
  if (!mergesNotes) await host.merger.clearWay();
}

function readLink(host: WalletHost, text: string): LinkFields {
  const { core, session } = host;
  const { payments, label, expiresMs } = parsePaymentUri(text, {
    hrp: session.policy.hrp,
    decodeAddress: (hrp, address) => callCore(() => core.decodeAddress(hrp, address)),
  });
  return { payees: payments.map(linkPayee), label, expiresMs };
}

function linkPayee({ address, amount, memo: hex }: UriPayment): PayeeText {
  const memo = readMemo(hex);
  // The form holds text: a memo of other bytes would be lost without a word.
  if (memo.kind === "bytes") throw new SvcError("uri/unsupported", { key: "memo" });
  return {
    address,
    amount: amount === null ? "" : formatCoins(amount),
    memo: memo.kind === "text" ? memo.text : "",
  };
}

function preview(session: WalletSession, texts: readonly PayeeText[]): PaymentPreview {
  const { policy } = session;
  const payees = readPayees(texts, (text) => session.readPayee(text));
  const review = reviewPayment(session.sync.state, policy, payees);
  const { fee, amount, notes, transactions } = estimateTransfer(review.planned, 0);
  const shown = payees.map(({ address, own, value }, index) => {
    const known = session.words.known.lookAlike(address);
    return { address, own, amount: value, memo: texts[index]?.memo ?? "", lookAlike: known };
  });
  return {
    payees: shown,
    own: payees.every(({ own }) => own),
    amount,
    fee,
    total: asSompi(amount + fee),
    change: asSompi(review.planned.reduce((sum, { change }) => sum + change, 0n)),
    notes,
    transactions,
    changeSeconds: (policy.anchorDepth * policy.blockTimeMs) / 1_000n,
    repeats: review.repeated.map(({ txid, status }) => ({ txid, state: status.state })),
    shares: review.shares,
  };
}

async function send(
  host: WalletHost,
  texts: readonly PayeeText[],
  wish: PaymentWish,
): Promise<void> {
  const session = host.payer;
  const payees = readPayees(texts, (text) => session.readPayee(text));
  await host.merger.clearWay();
  await host.send.run(session, payees, wish);
}

async function miner(
  { session }: WalletHost,
  answer: ReturnType<typeof askMiner>,
): Promise<LocalMiner> {
  const found = await answer;
  if (found === null) throw new SvcError("http/not-found", { path: "/local/mine" });
  const { address, blocksPerSecond, minedBlocks } = found;
  const paysUs = session.isOwn(address);
  return { address, paysUs, blocksPerSecond, minedBlocks: String(minedBlocks) };
}
