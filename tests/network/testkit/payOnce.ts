/** Single payment of a test wallet, proved and signed. */
import { sendPayment } from "@svc/shared/wallet/send/sendPayment.ts";
import type { WalletKit } from "../../demo/walletKit.ts";

const never: AbortSignal = new AbortController().signal;

/** Proves a payment to an address and hands it to the wallet's node; resolves with what came of it. */
export function payOnce(
  payer: WalletKit,
  payee: { readonly address: string; readonly amount: string; readonly memo: string },
): ReturnType<typeof sendPayment> {
  const payees = [payer.readPayee(payee)];
  // Equal payments to one address are all meant.
  const wish = { id: payee.memo, payees, maxFee: null, recoverable: false, separate: true };
  return sendPayment(payer.sendParts(), wish, () => undefined, never);
}
