/** The query of a request as a record, in which a name that is repeated has a list. */

/** The words of a query by their names: one word, or all of a name that is there more than once. */
export type QueryRecord = Readonly<Record<string, string | readonly string[]>>;

/** Makes the record. The schemas of a row's query take it. */
export function queryRecord(search: URLSearchParams): QueryRecord {
  const words = new Map<string, string[]>();
  for (const [name, word] of search) {
    const known = words.get(name);
    if (known === undefined) words.set(name, [word]);
    else known.push(word);
  }
  return Object.fromEntries(
    [...words].map(([name, all]) => {
      const [first = "", ...others] = all;
      return [name, others.length === 0 ? first : all];
    }),
  );
}
