import { expect, test } from "vitest";
import { localeFor } from "./languageChoice.ts";

test("what was chosen before wins over what the browser wants", () => {
  expect(localeFor("es", ["de-DE", "en"])).toBe("es");
  expect(localeFor("en", ["de"])).toBe("en");
});

test("the first language of the browser that the page has", () => {
  expect(localeFor(null, ["fr-CA", "de-AT", "en"])).toBe("de");
  expect(localeFor(null, ["ES-mx"])).toBe("es");
  expect(localeFor(null, ["en-GB", "de"])).toBe("en");
});

test("English where nothing is known, and where the stored choice is none of ours", () => {
  expect(localeFor(null, [])).toBe("en");
  expect(localeFor(null, ["", "eo", "dehu"])).toBe("en");
  expect(localeFor("de-DE", ["es"])).toBe("es");
  expect(localeFor("__proto__", ["fr"])).toBe("en");
});
