/** Failed payments of the history: which entries are one, and the payment form for a retry. */
import type { HistoryView } from "@svc/shared/wallet/view/history.ts";
import type { PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import { numbers } from "../../i18n/language.ts";
import { typedCoins } from "../../i18n/amounts/typedCoins.ts";

/** The id of the payment behind an entry that no block can apply any more; null for every other entry. */
export function endedPayment(row: HistoryView): string | null {
  return row.removable ? row.paymentId : null;
}

/** The contents of the payment form for a retry: as the failed payment was typed. */
export function retryText(row: HistoryView): PayeeText {
  return {
    address: row.counterparty ?? "",
    amount: typedCoins(row.amount, numbers()),
    memo: row.memo.kind === "text" ? row.memo.text : "",
  };
}
