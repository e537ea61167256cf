/** The calls of the page, each a few lines over the engine's parts. */
import { asSompi } from "@svc/shared/base/brand.ts";
import { formatCoins } from "@svc/shared/base/money.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/coreGlue.ts";
import { historyRows } from "@svc/shared/wallet/history.ts";
import { readMemo } from "@svc/shared/wallet/memo.ts";
import type { PayeeText } from "@svc/shared/wallet/payee.ts";
import { parsePaymentUri } from "@svc/shared/wallet/paymentUri.ts";
import { maxSendable } from "@svc/shared/wallet/planner.ts";
import { reviewPayment } from "@svc/shared/wallet/reviewPayment.ts";
import { Engine } from "./Engine.ts";
import type { EngineApi, LinkFields, LocalMiner, PaymentPreview } from "./engineApi.ts";
import { askMiner, tellMiner } from "./nodeQuestions.ts";
import type { PaymentWish, WalletSession } from "./WalletSession.ts";
import { historyPage } from "./walletView.ts";

/** The calls over an engine that `start` makes. */
export function engineCalls(glue: unknown): EngineApi {
  let made: Engine | null = null;
  const engine = (): Engine => {
    if (made === null) throw new SvcError("wallet/locked", {});
    return made;
  };
  const never = new AbortController().signal;
  return {
    async start(keyring, listener, { nodeUrl, proving }) {
      made = new Engine({ glue, url: nodeUrl, keyring, listener, proving });
      void made.run();
    },
    replaceKeyring: (keyring) => engine().replaceKeyring(keyring),
    takeOver: (force) => engine().takeOver(force),
    acceptNetwork: (digest) => engine().acceptNetwork(digest),
    vault: () => engine().vault(),
    adopt: (vault, from) => engine().adopt(vault, from),
    open: () => engine().open(),
    lock: () => engine().lock(),
    erase: () => engine().erase(),
    confirmBackup: () => engine().confirmBackup(),
    newAddress: () => engine().session.newAddress(),
    readLink: async (text) => readLink(engine(), text),
    preview: async (payee) => preview(engine().session, payee),
    maxPayment: async () => maxSendable(engine().session.sync.state, engine().session.policy),
    send: async (payee, maxFee, separate = false) => send(engine(), payee, { maxFee, separate }),
    cancelSend: () => engine().send.cancel(),
    clearSend: () => engine().send.clear(),
    warmProver: () => engine().prover.warm(),
    history: async (query) => historyPage(rowsOf(engine().session), query),
    forgetPayment: (id) => engine().session.forgetPayment(id),
    rescan: (from = "birthday") => engine().rescan(from),
    retryNode: () => engine().retryNode(),
    localMiner: () => miner(engine(), askMiner(engine().url, never)),
    mineHere: (on) => {
      const { url, session, core } = engine();
      // Coinbase notes are looked for at the first addresses only: a later one would never be credited.
      const address = on ? session.addressText(0) : addressOfNobody(core, session.policy.hrp);
      return miner(engine(), tellMiner(url, address, never));
    },
  };
}

/** An address whose keys are forgotten as it is made: a local miner goes on without paying anybody. */
function addressOfNobody(core: CoreGlue, hrp: string): string {
  using seed = new Secret(callCore(() => core.generateSeed()));
  const raw = seed.reveal((bytes) => callCore(() => core.addressAt(core.fullViewingKey(bytes), 0)));
  return callCore(() => core.encodeAddress(hrp, raw));
}

function readLink(engine: Engine, text: string): LinkFields {
  const { core, session } = engine;
  const { payments, label } = parsePaymentUri(text, {
    hrp: session.policy.hrp,
    decodeAddress: (hrp, address) => callCore(() => core.decodeAddress(hrp, address)),
  });
  const [payment, second] = payments;
  if (payment === undefined || second !== undefined) {
    throw new SvcError("uri/unsupported", { key: "address.1" });
  }
  const memo = readMemo(payment.memo);
  // The form holds text: a memo of other bytes would be lost without a word.
  if (memo.kind === "bytes") throw new SvcError("uri/unsupported", { key: "memo" });
  return {
    address: payment.address,
    amount: payment.amount === null ? "" : formatCoins(payment.amount),
    memo: memo.kind === "text" ? memo.text : "",
    label,
  };
}

function preview(session: WalletSession, text: PayeeText): PaymentPreview {
  const payee = session.readPayee(text);
  const review = reviewPayment(session.sync.state, session.policy, [payee]);
  const { fee, change, notes } = review.planned;
  return {
    payee: payee.address,
    own: payee.own,
    amount: payee.value,
    fee,
    total: asSompi(payee.value + fee),
    change,
    notes: notes.length,
    repeats: review.repeated.map(({ txid, status }) => ({ txid, state: status.state })),
    shares: review.shares,
  };
}

async function send(engine: Engine, text: PayeeText, wish: PaymentWish): Promise<void> {
  const { session } = engine;
  await engine.send.run(session, session.readPayee(text), wish);
}

function rowsOf(session: WalletSession) {
  return historyRows(session.sync.state, session.policy, session.incoming);
}

async function miner(
  { session }: Engine,
  answer: ReturnType<typeof askMiner>,
): Promise<LocalMiner> {
  const found = await answer;
  if (found === null) throw new SvcError("http/not-found", { path: "/local/mine" });
  const { address, blocksPerSecond, minedBlocks } = found;
  const paysUs = session.isOwn(address);
  return { address, paysUs, blocksPerSecond, minedBlocks: String(minedBlocks) };
}
