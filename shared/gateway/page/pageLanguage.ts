/** Language of a checkout page: the invoice's, else the first of the browser's that the page has, else English. */
import type { CheckoutMessages } from "./messages/checkoutMessages.ts";
import { ENGLISH } from "./messages/englishMessages.ts";
import { GERMAN } from "./messages/germanMessages.ts";
import { SPANISH } from "./messages/spanishMessages.ts";

/** A language of the page. */
export type PageLanguage = {
  readonly tag: "en" | "de" | "es";
  readonly messages: CheckoutMessages;
};

/** The languages, the one for everybody else first. */
export const PAGE_LANGUAGES: readonly [PageLanguage, ...PageLanguage[]] = [
  { tag: "en", messages: ENGLISH },
  { tag: "de", messages: GERMAN },
  { tag: "es", messages: SPANISH },
];

/** Characters of a header that are read, and languages of it; what follows is not looked at. */
const HEADER_CHARS = 256;

/** Chooses. `wanted` is a language tag or null; `accepted` is the header `Accept-Language`. */
export function pageLanguage(wanted: string | null, accepted: string | undefined): PageLanguage {
  const asked = [...(wanted === null ? [] : [wanted]), ...tagsOf(accepted ?? "")];
  for (const tag of asked) {
    const found = PAGE_LANGUAGES.find((one) => one.tag === tag.toLowerCase().split("-", 1)[0]);
    if (found !== undefined) return found;
  }
  return PAGE_LANGUAGES[0];
}

/** The tags of a header, the most wanted first; those that are not wanted (`q=0`) are left out. */
function tagsOf(header: string): readonly string[] {
  return header
    .slice(0, HEADER_CHARS)
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.trim().split(/\s*;\s*/);
      const weight = parameters.find((text) => text.startsWith("q="))?.slice(2) ?? "1";
      return { tag, weight: /^[01](\.\d{0,3})?$/.test(weight) ? Number(weight) : 0 };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
