/** Hint at how hard a passphrase is to guess, by its length without what repeats itself. It cannot know a saying from a book. */
import { PAGE_LIMITS } from "../../pageLimits.ts";

/** `none`: too short to be taken. `weak`: mostly repetition or rows of characters. */
export type PassphraseStrength = "none" | "weak" | "fair" | "strong";

/** How strong a passphrase is. Characters are counted as the vault counts them; only so many of a longer text are looked at. */
export function passphraseStrength(text: string): PassphraseStrength {
  const characters = [...text.normalize("NFKC")].slice(0, PAGE_LIMITS.passphraseLookedChars);
  if (characters.length < PAGE_LIMITS.passphraseMinChars) return "none";
  const counted = withoutRows(characters.slice(0, periodOf(characters)));
  if (counted < PAGE_LIMITS.passphraseMinChars) return "weak";
  return counted < PAGE_LIMITS.passphraseStrongChars ? "fair" : "strong";
}

/** Length of the beginning whose repetition the whole text is; its own length where nothing is repeated. */
function periodOf(characters: readonly string[]): number {
  const repeats = (length: number) =>
    characters.every((character, at) => character === characters[at % length]);
  const found = characters.findIndex((_, length) => length > 0 && repeats(length));
  return found < 0 ? characters.length : found;
}

/** How many characters are no repetition of the one before, and no next step of a row such as "abc" or "321". */
function withoutRows(characters: readonly string[]): number {
  const codes = characters.map((character) => character.codePointAt(0) ?? 0);
  return codes.filter((code, at) => {
    const before = codes[at - 1];
    return before === undefined || Math.abs(code - before) > 1;
  }).length;
}
