/** A line of the history whose payment came to nothing. */
import { formatCoins } from "@svc/shared/base/money.ts";
import type { HistoryView } from "@svc/shared/wallet/history.ts";
import type { PayeeText } from "@svc/shared/wallet/payee.ts";

/** The payment behind a line that no block can apply any more; null for every other line. */
export function endedPayment(row: HistoryView): string | null {
  return row.removable ? row.paymentId : null;
}

/** The payment form filled in as it was then. */
export function retryText(row: HistoryView): PayeeText {
  return {
    address: row.counterparty ?? "",
    amount: formatCoins(row.amount),
    memo: row.memo.kind === "text" ? row.memo.text : "",
  };
}
