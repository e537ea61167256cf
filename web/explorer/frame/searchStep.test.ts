import { describe, expect, it } from "vitest";
import { explorerPageOf } from "@svc/shared/explorer/explorerPaths.ts";
import { searchStep } from "./searchStep.ts";

const HASH = "ab".repeat(32);
const OVERVIEW = explorerPageOf("/", "");

describe("what is typed into the search", () => {
  it.each([
    ["an address", `svc:${"q".repeat(61)}`],
    ["a hash without its last digit", HASH.slice(1)],
    ["a hash with words before it", `txid: ${HASH}`],
    ["a number that is no score", "1".repeat(21)],
  ])("and is %s stays in the page", (_, typed) => {
    expect(searchStep(typed, OVERVIEW)).toEqual({ kind: "no-form", text: typed });
  });

  it("goes to the server where it is a number, and nowhere where it is nothing", () => {
    expect(searchStep("1,276,151", OVERVIEW)).toEqual({ kind: "ask" });
    expect(searchStep("  ", OVERVIEW)).toEqual({ kind: "nothing" });
  });
});

describe("a hash", () => {
  it("is looked for by the page of the private search itself", () => {
    const page = explorerPageOf("/search", "lang=de");
    expect(searchStep(HASH.toUpperCase(), page)).toEqual({ kind: "look-here", hash: HASH });
  });

  it.each([
    ["/", ""],
    ["/search", "q=123"],
    ["/search", `q=${HASH}`],
    ["/search", "q=else"],
  ])("on %s?%s opens that page", (path, query) => {
    expect(searchStep(HASH, explorerPageOf(path, query))).toEqual({ kind: "open", hash: HASH });
  });
});
