import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { U64_MAX } from "@svc/shared/base/brand.ts";
import { groupedCoins } from "./groupedCoins.ts";
import { numberLocale } from "./numberLocale.ts";
import { readTypedCoins } from "./readTypedCoins.ts";
import { typedCoins } from "./typedCoins.ts";

test("a browser's own form of the page's language, the first one, and no other language", () => {
  expect(numberLocale("es", ["es-MX", "es"])).toBe("es-MX");
  expect(numberLocale("es", ["en-US", "es-419", "es-ES"])).toBe("es-419");
  expect(numberLocale("es", ["es", "es-MX"])).toBe("es");
  expect(numberLocale("de", ["es-MX"])).toBe("de");
  expect(numberLocale("de", ["DE-ch"])).toBe("DE-ch");
  expect(numberLocale("en", ["en-IN"])).toBe("en");
});

test("nothing that could change the digits, and no broken tag", () => {
  expect(numberLocale("es", ["es-MX-u-nu-arab"])).toBe("es");
  expect(numberLocale("es", ["es-", "es-MX"])).toBe("es");
  expect(numberLocale("es", [])).toBe("es");
});

describe("amounts in a country's form of a language", () => {
  test.each([
    ["es-MX", "1,234.5", "1,234", "1.234"],
    ["es-419", "1,234.5", "1,234", "1.234"],
    ["es-AR", "1.234,5", "1.234", "1,234"],
    ["es-ES", "1234,5", "1.234", "1,234"],
  ])("in %s one thousand and more is %s, and %s is grouped", (tag, shown, thousand, decimals) => {
    const locale = numberLocale("es", [tag]);
    expect(groupedCoins(123_450_000_000n, locale)).toBe(shown);
    expect(readTypedCoins(shown, locale)).toBe(123_450_000_000n);
    expect(readTypedCoins(thousand, locale)).toBe(123_400_000_000n);
    expect(readTypedCoins(decimals, locale)).toBe(123_400_000n);
  });

  test("is read back exactly as it is shown", () => {
    const places = "419 AR BO CL CO CR CU DO EC ES GQ GT HN MX NI PA PE PH PR PY SV US UY VE";
    const spanish = places.split(" ").map((place) => `es-${place}`);
    const german = ["AT", "BE", "CH", "DE", "IT", "LI", "LU"].map((place) => `de-${place}`);
    const amounts = fc.bigInt({ min: 1n, max: U64_MAX });
    fc.assert(
      fc.property(amounts, fc.constantFrom(...spanish, ...german), (sompi, tag) => {
        const locale = numberLocale(tag.slice(0, 2), [tag]);
        expect(locale).toBe(tag);
        expect(readTypedCoins(groupedCoins(sompi, locale), locale)).toBe(sompi);
        expect(readTypedCoins(typedCoins(sompi, locale), locale)).toBe(sompi);
      }),
    );
  });
});
