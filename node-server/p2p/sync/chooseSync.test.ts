import { describe, expect, it } from "vitest";
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { chooseSync, type SyncFacts } from "./chooseSync.ts";

const known = asBlockHash("a".repeat(64));
const facts: SyncFacts = {
  known,
  isOwnPointBelow: true,
  isPeerPointKept: true,
  isSettled: false,
  isWellAhead: true,
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
    [{ known: null }, "point"],
    [{ known: null, isOwnPointBelow: false }, "point"],
    [{ known: null, isWellAhead: false }, "sync/not-ahead"],
    [{ known: null, isSettled: true }, "sync/not-ahead"],
  ])("%j: %s", (over, way) => {
    expect(choice(over)).toBe(way);
  });
});
