/** Change of the secret of a whole wallet folder: its files, and the rows of the database beside them. */
import { changeSecret, type ChangeReport, type SecretChange } from "../keys/changeSecret.ts";
import { openStoreRows } from "../store/storeRows.ts";

/**
 * Changes the secret of a folder that no daemon has open. After a kill, the same call with the same two secrets goes on. Rejects
 * like `changeSecret`, and with `wallet/rows-sealed`, `store/commit-failed` and its kin.
 */
export function changeFolderSecret(change: Omit<SecretChange, "openRows">): Promise<ChangeReport> {
  return changeSecret({ ...change, openRows: (ciphers) => openStoreRows(change.path, ciphers) });
}
