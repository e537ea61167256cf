import { expect, test } from "vitest";
import { plainText } from "./plainText.ts";

test("U13: characters that turn the direction of text are left out, letters of every script stay", () => {
  expect(plainText("live \u202eabc\u202c end")).toBe("live abc end");
  expect(plainText("\u2067אבג\u2069 שלום")).toBe("אבג שלום");
  expect(plainText("a\u200fb\u061cc\u200e")).toBe("abc");
  expect(plainText("Danke! ☕ 中文\nنعم")).toBe("Danke! ☕ 中文\nنعم");
});
