import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { U64_MAX } from "@svc/shared/base/brand.ts";
import { PAGE_LOCALES } from "@svc/shared/explorer/pageLocale.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { groupedCoins } from "./groupedCoins.ts";
import { readTypedCoins } from "./readTypedCoins.ts";
import { typedCoins } from "./typedCoins.ts";

const SUM = 2_694_765_500_000n;
const amounts = fc.bigInt({ min: 1n, max: U64_MAX });
const locales = fc.constantFrom(...PAGE_LOCALES);

/** The code with which a text is refused; the amount where it is not. */
function outcome(text: string, locale: string): string {
  try {
    return readTypedCoins(text, locale).toString();
  } catch (error) {
    return SvcError.from(error).code;
  }
}

describe("amounts as they are written", () => {
  test.each([
    ["26,947.655", "en", SUM],
    ["26.947,655", "de", SUM],
    ["26.947,655", "es", SUM],
    ["26947,655", "de", SUM],
    ["26 947,655", "de", SUM],
    ["26\u00A0947,655", "es", SUM],
    ["26\u202F947.655", "en", SUM],
    ["26'947.655", "en", SUM],
    ["26’947,655", "de", SUM],
    [" 26947.655\n", "en", SUM],
    ["1,5", "de", 150_000_000n],
    ["1,5", "es", 150_000_000n],
    [".5", "en", 50_000_000n],
    [",5", "de", 50_000_000n],
    ["5.", "en", 500_000_000n],
    ["5,", "de", 500_000_000n],
    ["007", "en", 700_000_000n],
    ["1.234", "en", 123_400_000n],
    ["1.234", "de", 123_400_000_000n],
    ["1.234", "es", 123_400_000_000n],
    ["1,234", "en", 123_400_000_000n],
    ["1,234", "de", 123_400_000n],
    ["1.234.567", "de", 123_456_700_000_000n],
    ["0.00000001", "en", 1n],
  ])("%j in %s is %s", (text, locale, sompi) => {
    expect(readTypedCoins(text, locale)).toBe(sompi);
  });
});

describe("amounts as another language writes them, where they can mean one thing only", () => {
  test.each([
    ["1,5", "en", 150_000_000n],
    ["1.5", "de", 150_000_000n],
    [".5", "de", 50_000_000n],
    ["0.5", "es", 50_000_000n],
    ["1,2345", "en", 123_450_000n],
    ["26.947,655", "en", SUM],
    ["26,947.655", "de", SUM],
    ["26.947.655", "en", 2_694_765_500_000_000n],
  ])("%j in %s is %s", (text, locale, sompi) => {
    expect(readTypedCoins(text, locale)).toBe(sompi);
  });
});

describe("nothing is guessed", () => {
  test.each([
    ["26947.655", "de"],
    ["1,23,456", "en"],
    ["1234,567", "en"],
    ["1,234 567", "en"],
    ["1,234,56", "en"],
    ["1.234.56", "de"],
    [",123", "en"],
    ["1,,234", "en"],
    ["1.2.3", "en"],
    ["1.234,5.6", "de"],
    ["1 2", "en"],
    ["1,000.123 456", "en"],
    [".", "en"],
    [",", "de"],
    ["", "en"],
    [" ", "de"],
    ["1e3", "en"],
    ["+5", "en"],
    ["0x10", "en"],
    ["∞", "en"],
    ["١٢", "en"],
    ["5 coins", "en"],
    ["5\u202E1", "en"],
    ["1\n234", "en"],
    ["9".repeat(61), "en"],
  ])("%j in %s is no amount", (text, locale) => {
    expect(outcome(text, locale)).toBe("amount/malformed");
  });

  test.each([
    ["0", "en", "amount/zero"],
    ["0,000", "de", "amount/zero"],
    ["-1", "en", "amount/negative"],
    ["−1,5", "de", "amount/negative"],
    ["0.123456789", "en", "amount/too-many-decimals"],
    ["1,000000000", "de", "amount/too-many-decimals"],
    ["184467440737.09551616", "en", "amount/too-large"],
    ["999.999.999.999.999", "de", "amount/too-large"],
  ])("%j in %s is refused as %s", (text, locale, code) => {
    expect(outcome(text, locale)).toBe(code);
  });
});

describe("any amount", () => {
  test("is read back exactly as it is shown, grouped or not", () => {
    fc.assert(
      fc.property(amounts, locales, (sompi, locale) => {
        expect(readTypedCoins(groupedCoins(sompi, locale), locale)).toBe(sompi);
        expect(readTypedCoins(typedCoins(sompi, locale), locale)).toBe(sompi);
      }),
    );
  });

  test("shown in one language is the same amount in another, or none: a thousand alone looks like decimals", () => {
    fc.assert(
      fc.property(amounts, (sompi) => {
        const text = groupedCoins(sompi, "de");
        const read = outcome(text, "en");
        const oneSign = text.replaceAll(/\d/g, "").length === 1;
        if (!oneSign && read !== "amount/malformed") expect(read).toBe(sompi.toString());
      }),
    );
  });

  test("text of the signs of amounts is an amount or refused, and a longer one takes no time", () => {
    const characters = fc.constantFrom(..."0123456789.,'’ \u00A0-−");
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 5_000 }), locales, (text, locale) => {
        const found = outcome(text, locale);
        expect(found).toMatch(/^(\d+|amount\/\S+)$/);
        if (text.length > 60) expect(found).toBe("amount/malformed");
      }),
    );
  });
});
