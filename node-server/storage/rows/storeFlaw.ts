/** What is wrong with a stored row or an index, as a check of the whole database finds it. */

/** A flaw of a table. */
export type StoreFlaw = { readonly table: string; readonly reason: string };

/** Hears of each flaw. */
export type TellFlaw = (table: string, reason: string) => void;

/** Says of how many more of something there are too few or too many; nothing when the counts agree. */
export function tellCounts(
  tell: TellFlaw,
  table: string,
  { found, expected }: { readonly found: number; readonly expected: number },
): void {
  if (found === expected) return;
  tell(table, `${found} rows where ${expected} follow from the rows that they index`);
}
