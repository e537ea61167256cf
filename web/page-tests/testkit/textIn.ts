/** Texts of a language for tests that look for them. */
import type { en } from "../../i18n/en/en.ts";
import type { Language } from "../../i18n/language.ts";

/** A text of the language, without slots; the form for several, where there are two. */
export function textIn({ texts }: Language, key: keyof typeof en): string {
  const message = texts[key];
  return typeof message === "string" ? message : message.other;
}
