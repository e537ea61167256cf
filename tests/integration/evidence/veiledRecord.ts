/** Fault injection: a scan record whose ciphertexts somebody changed. No state root covers that. */
import type { ScanRecord } from "@svc/shared/protocol/http/recordContainer.ts";

/** Bytes of an action: of the note in the ciphertext to the receiver, and of the memo behind it. */
export const [NOTE_AT, MEMO_AT] = [100, 300];

/** The record with another byte at these places of each action. */
export function veiledRecord(record: ScanRecord, places: readonly number[]): ScanRecord {
  const transactions = record.transactions.map((transaction) => ({
    ...transaction,
    actions: transaction.actions.map((action) => {
      const bytes = action.bytes.slice();
      for (const at of places) bytes[at] = (bytes[at] ?? 0) ^ 1;
      return { ...action, bytes };
    }),
  }));
  return { ...record, transactions };
}
