/** Review of a consolidation: notes, transactions, fee and result, and the payment to address 0 that makes it. */
import { formatCoins } from "@svc/shared/base/money.ts";
import { consolidationOffer } from "@svc/shared/wallet/plan/merging/consolidationOffer.ts";
import type { ConsolidationView } from "../../wallet-api/walletApi.ts";
import type { WalletSession } from "../walletSession.ts";

/** The review; null where a consolidation does not help. */
export function consolidationView(
  session: Pick<WalletSession, "sync" | "policy" | "addressText">,
): ConsolidationView | null {
  const offer = consolidationOffer(session.sync.state, session.policy);
  if (offer === null) return null;
  const address = session.addressText(0);
  return { ...offer, payee: { address, amount: formatCoins(offer.merge.amount), memo: "" } };
}
