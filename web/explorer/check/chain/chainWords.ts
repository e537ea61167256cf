/** Words of the step "on the chain": where a block stands, under how much work, and what that does not show. */
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import { CHAIN_STEP, type ChainPlace, type CheckStep } from "../checkReport.ts";
import type { CheckTexts } from "../checkTexts.ts";
import { workTimeText } from "./workTimeText.ts";

/** The language, and its texts. */
export type ChainTexts = {
  readonly texts: CheckTexts;
  readonly locale: PageLocale;
};

/** The sentences about a block. */
export type ChainWords = {
  readonly outcome: CheckStep["outcome"];
  readonly place: string;
  /** What was recomputed; null where nothing was. */
  readonly work: string | null;
};

const SENTENCES: Readonly<Record<string, "chain.merging" | "chain.accepting">> = {
  merging: "chain.merging",
  accepting: "chain.accepting",
};
/** The sentences; null for a report without the step. */
export function chainWords(
  steps: readonly CheckStep[],
  { texts, locale }: ChainTexts,
): ChainWords | null {
  const step = steps.find((one) => one.step === CHAIN_STEP);
  if (step === undefined) return null;
  const { outcome, subject, place } = step;
  const { t } = texts;
  if (outcome !== "ok" || place === undefined) {
    const key = outcome === "differs" ? "chain.differs" : "chain.open";
    return { outcome, place: t(key, { reason: texts.reason(step) }), work: null };
  }
  const sentence = SENTENCES[subject] ?? "chain.block";
  const ms = BigInt(place.workMs);
  const worked =
    ms < 1_000n ? t("chain.workYoung") : t("chain.work", { time: workTimeText(ms, locale) });
  return {
    outcome,
    place: t(sentence, { place: placeText(place, texts) }),
    work: `${t("chain.above", { count: BigInt(place.above) })} ${worked}`,
  };
}

function placeText({ number, isSinceFork }: ChainPlace, { t }: CheckTexts): string {
  if (number === null) return t("chain.noNumber");
  const slots = { number: BigInt(number) };
  return t(isSinceFork ? "chain.numberSince" : "chain.number", slots);
}
