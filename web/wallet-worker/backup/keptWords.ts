/** Own words of an open wallet for its backup file. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import {
  NO_WORDS,
  WORD_RECORDS,
  type BackupWords,
  type KeptWords,
  type WordRecord,
} from "../../wallet-api/backupWords.ts";
import { wordForms } from "./wordForms.ts";

/**
 * Reads the words. A record that is damaged or has no room is left out and named, since the seed has to be saved all the same. Rejects
 * as `load` does for every other reason.
 */
export async function keptWords(
  load: (name: WordRecord) => Promise<string | null>,
): Promise<KeptWords> {
  const texts = await Promise.all(WORD_RECORDS.map((name) => wholeText(name, load)));
  const leftOut: WordRecord[] = [];
  let words: BackupWords = NO_WORDS;
  WORD_RECORDS.forEach((name, at) => {
    const text = texts[at];
    const more = { ...words, [name]: text ?? null };
    if (text === undefined || !fits(more)) leftOut.push(name);
    else words = more;
  });
  return { words, leftOut };
}

/** The text of a record that can be read; undefined for a damaged one. */
async function wholeText(
  name: WordRecord,
  load: (name: WordRecord) => Promise<string | null>,
): Promise<string | null | undefined> {
  try {
    const text = await load(name);
    if (text !== null) wordForms[name](text);
    return text;
  } catch (error) {
    if (SvcError.is(error, "store/corrupt") || SvcError.is(error, "store/version"))
      return undefined;
    throw error;
  }
}

function fits(words: BackupWords): boolean {
  const { length } = new TextEncoder().encode(JSON.stringify(words));
  return length <= PAGE_LIMITS.backupWordsBytes;
}
