/** Words of the step "on the chain": each outcome has its own, in every language. */
import { describe, expect, it } from "vitest";
import { PAGE_LOCALES } from "@svc/shared/explorer/pageLocale.ts";
import type { ChainPlace, CheckStep } from "../checkReport.ts";
import { checkTexts } from "../checkTexts.ts";
import { chainWords } from "./chainWords.ts";

const PLACE = { number: "20", isSinceFork: false, above: "160", workMs: "150000" };

const step = (over: Partial<CheckStep>): readonly CheckStep[] => [
  { subject: "block", step: "onChain", outcome: "ok", ...over },
];

describe.each(PAGE_LOCALES)("in %s", (locale) => {
  const texts = checkTexts(locale);

  it("what is not shown has its reason, and no work beside it", () => {
    for (const outcome of ["differs", "notProvable"] as const) {
      const words = chainWords(step({ outcome, reason: "noEvidence" }), { texts, locale });
      expect(words?.work).toBe(null);
      expect(words?.place).toContain(texts.t("reason.noEvidence"));
    }
  });

  it("each block that may be meant has a sentence of its own", () => {
    const said = ["block", "merging", "accepting"].map(
      (subject) => chainWords(step({ subject, place: PLACE }), { texts, locale })?.place,
    );
    expect(new Set(said).size).toBe(3);
    for (const one of said) expect(one).toContain("20");
  });
});

describe("the words", () => {
  const texts = checkTexts("en");
  const wordsOf = (place: Partial<ChainPlace>) =>
    chainWords(step({ place: { ...PLACE, ...place } }), { texts, locale: "en" });

  it.each([
    ["0", "Too few blocks stand on it"],
    ["1000", "about 1 second of"],
    ["119999", "about 119 seconds of"],
    ["150000", "about 2 minutes of"],
    ["7199999", "about 119 minutes of"],
    ["7200000", "about 2 hours of"],
  ])("of %s ms of work round down", (workMs, words) => {
    expect(wordsOf({ workMs })?.work).toContain(words);
  });

  it("count the blocks above", () => {
    expect(wordsOf({ above: "1" })?.work).toMatch(/^1 chain block stands on it\./);
    expect(wordsOf({ above: "12345" })?.work).toMatch(/^12,345 chain blocks stand on it\./);
  });

  it("say from where the log counts, and nothing of a number that no log gave", () => {
    expect(wordsOf({})?.place).toBe("On the chain of this network: chain block number 20.");
    expect(wordsOf({ isSinceFork: true })?.place).toContain("number 20 since the security fork");
    expect(wordsOf({ number: null })?.place).toBe("On the chain of this network: a chain block.");
  });

  it("are none for a report that says nothing of the chain", () => {
    expect(chainWords([], { texts, locale: "en" })).toBe(null);
  });
});
