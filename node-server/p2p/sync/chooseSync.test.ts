import { describe, expect, it } from "vitest";
import { asBlockHash, asBlueScore } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { chooseSync, isWellAhead, type SyncFacts } from "./chooseSync.ts";

const known = asBlockHash("a".repeat(64));
const facts: SyncFacts = {
  known,
  isOwnPointBelow: true,
  isPeerPointKept: true,
  isSettled: false,
  isWellAhead: true,
  isOutworkedBeginning: false,
  isDoubted: false,
};

function choice(over: Partial<SyncFacts>): string {
  try {
    return chooseSync({ ...facts, ...over });
  } catch (error) {
    return SvcError.from(error).code;
  }
}

describe("the way of catching up", () => {
  it.each<[Partial<SyncFacts>, string]>([
    [{}, "blocks"],
    [{ isWellAhead: false, isSettled: true }, "blocks"],
    [{ isOwnPointBelow: false }, "sync/finality-conflict"],
    [{ isPeerPointKept: false }, "point"],
    [{ isPeerPointKept: false, isWellAhead: false }, "sync/not-ahead"],
    [{ isPeerPointKept: false, isSettled: true }, "sync/not-ahead"],
    // A point that a peer gave, and that the network has not gone on from, is given up for more work.
    [{ isOwnPointBelow: false, isOutworkedBeginning: true }, "point"],
    [{ isOutworkedBeginning: true }, "blocks"],
    // The same chain once more, from another peer: its work is the same.
    [{ isDoubted: true, isWellAhead: false, isSettled: true }, "point"],
    [{ known: null }, "point"],
    [{ known: null, isOwnPointBelow: false }, "point"],
    [{ known: null, isWellAhead: false }, "sync/not-ahead"],
    [{ known: null, isSettled: true }, "sync/not-ahead"],
  ])("%j: %s", (over, way) => {
    expect(choice(over)).toBe(way);
  });
});

describe("a block that claims to be well ahead", () => {
  const own = {
    sinkBlueScore: asBlueScore(1_000n),
    sinkBlueWork: "10",
    headersBlueScore: asBlueScore(2_000n),
    headersBlueWork: "20",
  };
  const pruningDepth = 500n;

  it.each([
    [2_500n, 0x21n, true],
    [2_499n, 0x21n, false],
    [2_500n, 0x20n, false],
  ])("on a chain that is not known here: %i with work %i", (blueScore, blueWork, is) => {
    const claim = { blueScore, blueWork };
    expect(isWellAhead(claim, own, { isKnown: false, pruningDepth })).toBe(is);
  });

  it("is measured by bodies where its headers are here already, or nobody could give what is missing", () => {
    const bounds = { isKnown: true, pruningDepth };
    expect(isWellAhead({ blueScore: 2_000n, blueWork: 0x20n }, own, bounds)).toBe(true);
    expect(isWellAhead({ blueScore: 1_499n, blueWork: 0x20n }, own, bounds)).toBe(false);
    expect(isWellAhead({ blueScore: 2_000n, blueWork: 0x10n }, own, bounds)).toBe(false);
  });
});
