import { expect, test } from "vitest";
import { isolated } from "./isolated.ts";

test("a name is one piece within a sentence, and cannot end that itself", () => {
  expect(isolated("חנות 5")).toBe("\u2068חנות 5\u2069");
  expect(isolated("a\u2069\u202eb")).toBe("\u2068ab\u2069");
  expect(isolated("")).toBe("");
});
