/** Texts of the checks in the language of a page; steps and reasons by the names that the core gives them. */
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import { groupedCoins } from "../../i18n/amounts/groupedCoins.ts";
import { fillMessage, type SlotsOf, type SlotValue } from "../../i18n/message.ts";
import type { CheckStep } from "./checkReport.ts";
import type { CheckCatalogue } from "./texts/checkCatalogue.ts";
import { de } from "./texts/de.ts";
import { en } from "./texts/en.ts";
import { es } from "./texts/es.ts";

const CATALOGUES: { readonly [L in PageLocale]: CheckCatalogue } = { en, de, es };

type TextKey = keyof typeof en;
type Arguments<K extends TextKey> =
  SlotsOf<(typeof en)[K]> extends never
    ? []
    : [slots: { readonly [S in SlotsOf<(typeof en)[K]>]: SlotValue }];

/** The texts. */
export type CheckTexts = ReturnType<typeof checkTexts>;

/** Makes them for a language. */
export function checkTexts(locale: PageLocale) {
  const catalogue = CATALOGUES[locale];
  const t = <K extends TextKey>(key: K, ...[slots]: Arguments<K>): string =>
    fillMessage(catalogue[key], slots ?? {}, locale);
  const plain = (key: string): string | null =>
    isKey(key) ? fillMessage(catalogue[key], {}, locale) : null;
  return {
    t,
    /** What a step is about. */
    subject: ({ subject }: CheckStep): string => plain(`subject.${subject}`) ?? subject,
    /** What it says when it holds. */
    step: ({ subject, step }: CheckStep): string => {
      if (subject === "shown") return plain(`shown.${step}`) ?? t("shown.field", { field: step });
      if (subject === "supply" && step === "carried") return t("step.supplyCarried");
      return plain(`step.${step}`) ?? step;
    },
    /** Why it cannot be proven, or in which way it holds; empty without a reason. */
    reason: ({ reason }: CheckStep): string =>
      reason === undefined ? "" : (plain(`reason.${reason}`) ?? reason),
    /** An amount of sompi, which may be below zero. */
    coins: (sompi: string): string =>
      t("audit.coins", { amount: groupedCoins(BigInt(sompi), locale) }),
    count: (number: string): string => new Intl.NumberFormat(locale).format(BigInt(number)),
  };
}

function isKey(key: string): key is TextKey {
  return Object.hasOwn(en, key);
}
