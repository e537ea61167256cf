/** Implementation of the wallet worker's payment calls: links, previews, sending and cancelling. */
import { asSompi } from "@svc/shared/base/brand.ts";
import { payeeFaults, readPayees, type PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import { maxSendableTransfer } from "@svc/shared/wallet/plan/maxSendableTransfer.ts";
import type { WalletHost } from "./walletHost.ts";
import type { WalletApi } from "../wallet-api/walletApi.ts";
import { consolidationView } from "./merging/consolidationView.ts";
import { paymentPreview } from "./paymentPreview.ts";
import { readLinkFields } from "./readLinkFields.ts";
import type { PaymentWish } from "./walletSession.ts";

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
    readLink: async (text) => {
      const { core, session } = host();
      return readLinkFields(core, session.policy.hrp, text);
    },
    lookAlike: async (address) => host().session.annotations.known.lookAlike(address),
    payeeFaults: async (payees) => {
      const session = host().payer;
      return payeeFaults(payees, (text) => session.readPayee(text));
    },
    preview: async (payees) => {
      const session = host().payer;
      const { policy, annotations, sync } = session;
      return paymentPreview(payees, {
        state: sync.state,
        policy,
        readPayee: (text) => session.readPayee(text),
        lookAlike: (address) => annotations.known.lookAlike(address),
      });
    },
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
