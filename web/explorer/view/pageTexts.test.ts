import { describe, expect, it } from "vitest";
import { PAGE_LOCALES } from "@svc/shared/explorer/pageLocale.ts";
import { de } from "../texts/de.ts";
import { en } from "../texts/en.ts";
import { es } from "../texts/es.ts";
import { pageTexts } from "./pageTexts.ts";

const CATALOGUES = { en, de, es };
const english = pageTexts("en", en);
const german = pageTexts("de", de);

/** The slots of a message, in the order of their names. */
function slotsOf(message: unknown): readonly string[] {
  const text = typeof message === "string" ? message : JSON.stringify(message);
  return [...new Set(text.match(/\{\w+\}/g) ?? [])].toSorted();
}

describe.each(PAGE_LOCALES)("the catalogue of %s", (locale) => {
  it("has the slots of English in each message, and says none of them in English by oversight", () => {
    const own: Readonly<Record<string, unknown>> = CATALOGUES[locale];
    for (const [key, message] of Object.entries(en)) {
      expect(slotsOf(own[key]), key).toEqual(slotsOf(message));
      const isSentence = typeof message === "string" && message.split(" ").length > 4;
      if (locale !== "en" && isSentence) expect(own[key], key).not.toBe(message);
    }
  });
});

describe("numbers", () => {
  it("amounts keep every digit of their sompi", () => {
    expect(english.coins("7663980000000001")).toBe("76,639,800.00000001 coins");
    expect(german.coins("18446744073709551615")).toBe("184.467.440.737,09551615 Münzen");
  });

  it("hash rates and large numbers are shortened with their unit", () => {
    expect(english.hashrate(162_288_500)).toBe("162.3\u00a0MH/s");
    expect(english.hashrate(0)).toBe("0.00\u00a0H/s");
    expect(german.compact(81_234_567.5)).toBe("81,23\u00a0M");
  });

  it("ages are told from the server's time and never lie in the future", () => {
    expect(english.age(10_000, 9_000)).toBe("now");
    expect(english.age(0, 65_000)).toBe("1 min ago");
    expect(german.age(0, 3 * 86_400_000)).toBe("vor 3 Tagen");
  });

  it("times are UTC, and say so", () => {
    expect(english.dateTime(0)).toBe("Jan 1, 1970, 12:00:00 AM\u00a0UTC");
  });
});
