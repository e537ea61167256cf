/** A payment as its owner reviews it, made from what the form holds. */
import { asSompi } from "@svc/shared/base/brand.ts";
import { estimateTransfer } from "@svc/shared/wallet/plan/estimateTransfer.ts";
import type { KnownAddress } from "@svc/shared/wallet/plan/lookAlike.ts";
import { readPayees, type PayeeReader, type PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import { reviewPayment } from "@svc/shared/wallet/plan/reviewPayment.ts";
import type { WalletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import type { WalletState } from "@svc/shared/wallet/state/walletState.ts";
import type { PaymentPreview } from "../wallet-api/walletApi.ts";

/** The inputs of a preview beside the payees. */
export type PreviewParts = {
  readonly state: WalletState;
  readonly policy: WalletPolicy;
  readonly readPayee: PayeeReader;
  readonly lookAlike: (address: string) => KnownAddress | null;
};

/** The payment as it would be made now. Throws what is wrong with it. */
export function paymentPreview(
  texts: readonly PayeeText[],
  { state, policy, readPayee, lookAlike }: PreviewParts,
): PaymentPreview {
  const payees = readPayees(texts, readPayee);
  const review = reviewPayment(state, policy, payees);
  const { fee, amount, notes, transactions } = estimateTransfer(review.planned, 0);
  const shown = payees.map(({ address, own, value }, index) => {
    const known = lookAlike(address);
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
