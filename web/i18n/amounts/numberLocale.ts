/** The form of a language whose signs of numbers the browser's owner knows: in Mexico 1,234.5 is Spanish, in Spain 1.234,5. */

/** Languages with several such forms, all of which set thousands apart by threes. English of India does not. */
const REGIONAL: ReadonlySet<string> = new Set(["de", "es"]);
/** A language with a country or a part of the world, and nothing else that could change digits. */
const TAG = /^([a-z]{2,3})-([a-z]{2}|\d{3})$/i;

/** The language as the first of the browser's languages writes numbers that is a form of it; itself where none is. */
export function numberLocale(locale: string, wanted: readonly string[]): string {
  if (!REGIONAL.has(locale)) return locale;
  // A browser that names the language alone first means its own form of it.
  const first = wanted.find((tag) => tag.toLowerCase().split("-", 1)[0] === locale);
  return first !== undefined && TAG.test(first) ? first : locale;
}
