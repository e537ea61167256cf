/** Own words in a backup: the stored texts of contacts, names of addresses, and remarks on payments. They are no words of a seed. */
import * as v from "valibot";

/** The records of own words, the one first that a backup keeps first where not all of them fit. */
export const WORD_RECORDS = ["contacts", "labels", "payment-labels"] as const;

/** One of those records: the contacts, the names of own addresses, or the remarks on payments. */
export type WordRecord = (typeof WORD_RECORDS)[number];

/** The stored text of each record; null for one that nobody wrote. */
export type BackupWords = { readonly [N in WordRecord]: string | null };

/** The words of a wallet whose owner wrote none. */
export const NO_WORDS: BackupWords = { contacts: null, labels: null, "payment-labels": null };

const text = v.nullable(v.string());

/** Form of the words in a backup file. What the texts hold is checked by whoever stores them. */
export const backupWordsForm = v.object({
  contacts: text,
  labels: text,
  "payment-labels": text,
} satisfies { readonly [N in WordRecord]: unknown });

/** The words that go into a backup, and the records that do not: damaged ones, and those without room. */
export type KeptWords = {
  readonly words: BackupWords;
  readonly leftOut: readonly WordRecord[];
};
