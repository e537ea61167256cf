/** Name of a file of the history. */
import type { HistoryForm } from "../../wallet-api/walletApi.ts";

/** The name, with the local day on which it was made: files of different days do not overwrite each other. */
export function historyFileName(form: HistoryForm, nowMs: number): string {
  const now = new Date(nowMs);
  const month = String(now.getMonth() + 1).padStart(2, "0");
  const day = String(now.getDate()).padStart(2, "0");
  return `wallet-history-${now.getFullYear()}-${month}-${day}.${form}`;
}
