/** Loads what a page says in a language. English is there from the start; the others are files of their own. */
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import { ENGLISH, type Language } from "./language.ts";

const LOADERS: { readonly [L in PageLocale]: () => Promise<Language> } = {
  en: () => Promise.resolve(ENGLISH),
  de: async () => (await import("./de/german.ts")).german,
  es: async () => (await import("./es/spanish.ts")).spanish,
};

/** Resolves with the language. Rejects when its file cannot be loaded. */
export function loadLanguage(locale: PageLocale): Promise<Language> {
  return LOADERS[locale]();
}
