/** Language of the wallet page: what the person chose before, else what the browser wants, else English. */
import { PAGE_LOCALES, type PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { locale, setLanguage } from "../../i18n/language.ts";
import { loadLanguage } from "../../i18n/loadLanguage.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";

const KEY = "svc.language";

/** The wish that counts, so that of two choices in a row the later one is shown. */
let wished: PageLocale = "en";

/** The language for a stored choice (null without one) and the browser's languages, best first. */
export function localeFor(stored: string | null, wanted: readonly string[]): PageLocale {
  const known = (tag: string) => {
    const name = tag.trim().toLowerCase().split("-", 1)[0];
    return PAGE_LOCALES.find((each) => each === name);
  };
  const chosen = PAGE_LOCALES.find((each) => each === stored);
  return chosen ?? wanted.map(known).find((each) => each !== undefined) ?? "en";
}

/**
 * Shows the page in the language that is wanted. It stays English when the language cannot be loaded, and until it comes
 * where that takes longer than `languageWaitMs`.
 */
export async function showWantedLanguage(): Promise<void> {
  const shown = show(localeFor(readChoice(), navigator.languages)).catch(() => undefined);
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, PAGE_LIMITS.languageWaitMs);
  await Promise.race([shown, late]);
  clearTimeout(timer);
}

/** Chooses a language, now and for later visits. Rejects with `wallet/page-changed` when its file cannot be loaded. */
export async function chooseLanguage(next: PageLocale): Promise<void> {
  await show(next);
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Storage is refused: the choice holds for this visit.
  }
}

async function show(next: PageLocale): Promise<void> {
  wished = next;
  const loaded = await loadLanguage(next).catch((cause: unknown) => {
    wished = locale();
    throw new SvcError("wallet/page-changed", {}, cause);
  });
  if (wished !== next) return;
  setLanguage(loaded);
  document.documentElement.lang = next;
}

function readChoice(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
