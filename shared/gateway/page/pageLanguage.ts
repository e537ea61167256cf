/** Language of a checkout page: the invoice's, else the first of the browser's that the page has, else English. */
import { acceptedLanguages } from "../../protocol/http/acceptedLanguages.ts";
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

/** Chooses. `wanted` is a language tag or null; `accepted` is the header `Accept-Language`. */
export function pageLanguage(wanted: string | null, accepted: string | undefined): PageLanguage {
  const asked = [...(wanted === null ? [] : [wanted]), ...acceptedLanguages(accepted ?? "")];
  for (const tag of asked) {
    const found = PAGE_LANGUAGES.find((one) => one.tag === tag.toLowerCase().split("-", 1)[0]);
    if (found !== undefined) return found;
  }
  return PAGE_LANGUAGES[0];
}
