/** The language that a page is shown in. Texts that are drawn from it follow it when it changes. */
import type { Code } from "@svc/shared/base/generated/codes.ts";
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import { createSignal } from "solid-js";
import { numberLocale } from "./amounts/numberLocale.ts";
import type { Catalogue } from "./catalogue.ts";
import { en } from "./en/en.ts";

/** A language with all that a page says in it. */
export type Language = {
  readonly locale: PageLocale;
  readonly texts: Catalogue;
  /** Sentences of errors, with the slots of the registry's; one that is missing is said in English. */
  readonly sentences: { readonly [C in Code]?: string };
};

/** English, which every page has from the start. */
export const ENGLISH: Language = { locale: "en", texts: en, sentences: {} };

const [language, setLanguage] = createSignal<Language>(ENGLISH);

/** The language, and how it is changed. */
export { language, setLanguage };

/** The locale of texts and dates. */
export function locale(): PageLocale {
  return language().locale;
}

/** The locale of numbers that are shown and typed: the language's, in the form of the browser's owner. */
export function numbers(): string {
  return numberLocale(locale(), navigator.languages);
}
