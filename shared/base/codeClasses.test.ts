import { expect, it } from "vitest";
import { isOfClass } from "./codeClasses.ts";
import { CODE_FIELDS, type Code } from "./generated/codes.ts";

const CODES = Object.keys(CODE_FIELDS).filter((code): code is Code => code in CODE_FIELDS);

it("tells classes of codes", () => {
  expect(isOfClass({ code: "store/corrupt" }, "fatal")).toBe(true);
  expect(isOfClass({ code: "store/corrupt" }, "final")).toBe(false);
  expect(isOfClass({ code: "amount/zero" }, "own")).toBe(false);
});

it("blames no peer for what is fatal here or a failure of the engine", () => {
  for (const code of CODES) {
    const isOurs = isOfClass({ code }, "engine");
    if (isOurs) expect(isOfClass({ code }, "own"), code).toBe(true);
    if (code.startsWith("store/")) expect(isOfClass({ code }, "fatal"), code).toBe(true);
  }
});

it("takes nothing for final that says that it may pass", () => {
  for (const code of CODES) {
    const isBoth = isOfClass({ code }, "final") && isOfClass({ code }, "own");
    expect(isBoth, code).toBe(false);
  }
});
