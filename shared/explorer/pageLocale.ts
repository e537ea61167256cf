/** Language of an explorer page: what its address asks for, else what the visitor chose before, else what the browser wants, else English. */
import { acceptedLanguages } from "../protocol/http/acceptedLanguages.ts";

/** Languages of the pages, the one for everybody else first. */
export const PAGE_LOCALES = ["en", "de", "es"] as const;
export type PageLocale = (typeof PAGE_LOCALES)[number];

/** Parameter of an address that asks for a language. */
export const LOCALE_PARAMETER = "lang";
/** Cookie that keeps the choice; the page writes it, servers only read it. */
export const LOCALE_COOKIE = "svc-lang";

/** Characters of a header that are looked at. */
const HEADER_CHARS = 2_048;

/** What a request says about languages. */
export type LocaleWish = {
  /** Query of the address, without its question mark. */
  readonly query: string;
  /** Headers of the request. */
  readonly cookie: string | undefined;
  readonly acceptLanguage: string | undefined;
};

/** The language, and whether the address asked for it. */
export type ChosenLocale = { readonly locale: PageLocale; readonly isAsked: boolean };

/** Chooses. */
export function pageLocaleOf({ query, cookie, acceptLanguage }: LocaleWish): ChosenLocale {
  const asked = localeOf(new URLSearchParams(query).get(LOCALE_PARAMETER) ?? "");
  if (asked !== null) return { locale: asked, isAsked: true };
  const kept = localeOf(cookieValue(cookie ?? ""));
  if (kept !== null) return { locale: kept, isAsked: false };
  const wanted = acceptedLanguages(acceptLanguage ?? "").map(localeOf);
  return { locale: wanted.find((locale) => locale !== null) ?? "en", isAsked: false };
}

function localeOf(tag: string): PageLocale | null {
  const language = tag.trim().toLowerCase().split("-", 1)[0];
  return PAGE_LOCALES.find((locale) => locale === language) ?? null;
}

function cookieValue(header: string): string {
  const pairs = header.slice(0, HEADER_CHARS).split(";");
  const found = pairs
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${LOCALE_COOKIE}=`));
  return found?.slice(LOCALE_COOKIE.length + 1) ?? "";
}
