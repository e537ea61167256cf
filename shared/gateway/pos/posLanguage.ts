/** Language of the point of sale: that of the browser, with the words of the checkout and its own. */
import { pageLanguage, type PageLanguage } from "../page/pageLanguage.ts";
import { ENGLISH_POS } from "./messages/englishPos.ts";
import { GERMAN_POS } from "./messages/germanPos.ts";
import type { PosMessages } from "./messages/posMessages.ts";
import { SPANISH_POS } from "./messages/spanishPos.ts";

/** A language of the point of sale. */
export type PosLanguage = PageLanguage & { readonly pos: PosMessages };

/** The messages by language. */
export const POS_MESSAGES: Readonly<Record<PageLanguage["tag"], PosMessages>> = {
  en: ENGLISH_POS,
  de: GERMAN_POS,
  es: SPANISH_POS,
};

/** Chooses by the header `Accept-Language`. */
export function posLanguage(accepted: string | undefined): PosLanguage {
  const language = pageLanguage(null, accepted);
  return { ...language, pos: POS_MESSAGES[language.tag] };
}
