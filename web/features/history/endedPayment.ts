/** Failed payments of the history: which entries are one, and the payment form for a retry. */
import type { HistoryView } from "@svc/shared/wallet/view/history.ts";
import type { RowPayee } from "@svc/shared/wallet/view/rowPayees.ts";
import type { PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import { numbers } from "../../i18n/language.ts";
import { typedCoins } from "../../i18n/amounts/typedCoins.ts";

/** The id of the payment behind an entry that no block can apply any more; null for every other entry. */
export function endedPayment(row: HistoryView): string | null {
  return row.removable ? row.paymentId : null;
}

/** The contents of the payment form for a retry: as the failed payment was typed; empty where its payees are not known. */
export function retryTexts({ payees = [] }: HistoryView): readonly PayeeText[] {
  return payeeTexts(payees);
}

/** Payees as the payment form shows them. */
export function payeeTexts(payees: readonly RowPayee[]): readonly PayeeText[] {
  return payees.map(({ address, value, memo }) => ({
    address,
    amount: typedCoins(value, numbers()),
    memo: memo.kind === "text" ? memo.text : "",
  }));
}
