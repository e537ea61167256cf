/** Name of a backup file: the network and the day, and nothing of the wallet. */
import { dayText } from "../welcome/restoreDay.ts";

/** The name, of letters that every disk takes. */
export function backupFileName(network: string, date: Date): string {
  return `wallet-${networkAndDay(network, date)}.json`;
}

/** The part of such a name that tells when it was saved, and for which network. */
export function networkAndDay(network: string, date: Date): string {
  return `${network.replaceAll(/[^a-z0-9-]/g, "")}-${dayText(date)}`;
}
