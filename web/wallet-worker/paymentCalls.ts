/** Implementation of the wallet worker's payment calls: links, previews, sending and cancelling. */
import { asSompi } from "@svc/shared/base/brand.ts";
import { formatCoins } from "@svc/shared/base/money.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { readMemo } from "@svc/shared/wallet/state/memo.ts";
import { payeeFaults, readPayees, type PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import { parsePaymentUri, type UriPayment } from "@svc/shared/wallet/plan/paymentUri.ts";
import { maxSendableTransfer } from "@svc/shared/wallet/plan/maxSendableTransfer.ts";
import { estimateTransfer } from "@svc/shared/wallet/plan/estimateTransfer.ts";
import { reviewPayment } from "@svc/shared/wallet/plan/reviewPayment.ts";
import type { WalletHost } from "./walletHost.ts";
import type { LinkFields, PaymentPreview, WalletApi } from "../wallet-api/walletApi.ts";
import { consolidationView } from "./merging/consolidationView.ts";
import type { PaymentWish, WalletSession } from "./walletSession.ts";

type PaymentCalls = Pick<
  WalletApi,
  | "readLink"
  | "lookAlike"
  | "payeeFaults"
  | "preview"
  | "maxPayment"
  | "consolidation"
  | "send"
  | "cancelSend"
  | "stopPayment"
  | "clearSend"
  | "warmProver"
  | "forgetPayment"
>;

/** The calls over the host, which rejects while there is none. */
export function paymentCalls(host: () => WalletHost): PaymentCalls {
  return {
    readLink: async (text) => readLink(host(), text),
    lookAlike: async (address) => host().session.annotations.known.lookAlike(address),
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
    forgetPayment: (id) => host().session.forgetPayment(id),
  };
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
    const known = session.annotations.known.lookAlike(address);
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
