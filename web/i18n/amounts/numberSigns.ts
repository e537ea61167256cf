/** The signs that a language writes into numbers. */

/** The sign between thousands, and the one before decimals. */
export type NumberSigns = { readonly group: string; readonly decimal: string };

/** A number that every language groups, and that has decimals. */
const SAMPLE = 1_234_567.5;

/** The signs of a locale. */
export function numberSigns(locale: string): NumberSigns {
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(SAMPLE);
  const signOf = (wanted: "group" | "decimal", usual: string) =>
    parts.find(({ type }) => type === wanted)?.value ?? usual;
  return { group: signOf("group", ","), decimal: signOf("decimal", ".") };
}
