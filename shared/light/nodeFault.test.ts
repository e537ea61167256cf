import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { asTimestampMs } from "../base/brand.ts";
import { SvcError } from "../base/svcError.ts";
import { LIGHT_LIMITS } from "./lightLimits.ts";
import { faultSentenceOf, nodeFault, nodeFaultOf } from "./nodeFault.ts";

const SINCE = asTimestampMs(5n);
const other = new SvcError("evidence/other-notes", { block: "ab", expected: "0", found: "1" });
const wire = { code: "evidence/other-notes", data: { block: "ab" }, sinceMs: "5" };

describe("a fault that a scanner tells of its node", () => {
  it("has the sentence of its code", () => {
    const fault = nodeFaultOf(other, SINCE);
    expect(faultSentenceOf(fault)).toContain("made up payments: at block ab");
    expect(v.parse(nodeFault, { ...fault, sinceMs: "5" })).toEqual(fault);
  });

  it("of a code that only a newer registry has is taken, and has a sentence", () => {
    const fault = v.parse(nodeFault, { ...wire, code: "evidence/of-next-year" });
    expect(faultSentenceOf(fault)).toBe("Its evidence does not hold.");
  });

  it("is cut to what a batch may hold, and is printable whatever a node says", () => {
    const reason = `<b>\u001b[2J\u202e${"x".repeat(1_000)}`;
    const fault = nodeFaultOf(new SvcError("evidence/not-shown", { reason }), SINCE);
    expect(fault.data["reason"]).toHaveLength(LIGHT_LIMITS.nodeFaultChars);
    expect(fault.data["reason"]).toMatch(/^<b>\?\[2J\?x+$/);
    const many = Object.fromEntries(
      Array.from({ length: 26 }, (_, at) => [`f${"x".repeat(at)}`, ""]),
    );
    const cut = nodeFaultOf({ code: "evidence/not-shown", data: many }, SINCE);
    expect(Object.keys(cut.data)).toHaveLength(LIGHT_LIMITS.nodeFaultFields);
    expect(v.is(nodeFault, { ...cut, sinceMs: "5" })).toBe(true);
  });

  it.each([
    ["a code that is none", { code: "evidence" }],
    ["a long code", { code: `evidence/${"x".repeat(65)}` }],
    ["a long datum", { data: { block: "x".repeat(LIGHT_LIMITS.nodeFaultChars + 1) } }],
    ["a datum that is not printable", { data: { block: "\u001b[2J" } }],
    ["a field that is no name", { data: { "<b>": "" } }],
    ["too many data", { data: Object.fromEntries([..."abcdefghi"].map((name) => [name, ""])) }],
    ["a time that no date can name", { sinceMs: "8640000000000001" }],
  ])("with %s is none", (_, change) => {
    expect(v.is(nodeFault, wire)).toBe(true);
    expect(v.is(nodeFault, { ...wire, ...change })).toBe(false);
  });
});
