/** File of a viewing key: its digits as text, as `svc gateway merchants add --viewing-key-file` reads it. */
import type { ViewingKeyKind } from "../../wallet-api/keyringApi.ts";
import { networkAndDay } from "./backupFileName.ts";

/** Name and text of the file of a key in hexadecimal digits. */
export function viewingKeyFile(
  { kind, key }: { readonly kind: ViewingKeyKind; readonly key: string },
  network: string,
  date: Date,
): { readonly name: string; readonly text: string } {
  return { name: `viewing-key-${kind}-${networkAndDay(network, date)}.txt`, text: `${key}\n` };
}
