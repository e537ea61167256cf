/** Name of a file of the history. */
import type { HistoryForm } from "../../wallet-api/walletApi.ts";
import { dayText } from "../welcome/restoreDay.ts";

/** The name, with the local day on which it was made: files of different days do not overwrite each other. */
export function historyFileName(form: HistoryForm, nowMs: number): string {
  return `wallet-history-${dayText(new Date(nowMs))}.${form}`;
}
