/** Name of a backup file: the network and the day, and nothing of the wallet. */
import { dayText } from "../welcome/restoreDay.ts";

/** The name, of letters that every disk takes. */
export function backupFileName(network: string, date: Date): string {
  return `wallet-${network.replaceAll(/[^a-z0-9-]/g, "")}-${dayText(date)}.json`;
}
