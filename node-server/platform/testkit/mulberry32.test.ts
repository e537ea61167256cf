import { expect, it } from "vitest";
import { mulberry32 } from "./mulberry32.ts";

it("gives the numbers of the published generator, which recorded seeds stand for", () => {
  const next = mulberry32(1);
  expect([next(), next(), next()]).toEqual([2_693_262_067, 11_749_833, 2_265_367_787]);
});
