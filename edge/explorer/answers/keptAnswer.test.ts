import { describe, expect, it } from "vitest";
import { standingOf, type KeptAnswer } from "./keptAnswer.ts";

const answer = (cacheControl: string, status = 200): KeptAnswer => ({
  ...{ status, cacheControl, bytes: new Uint8Array(), type: "application/json" },
  ...{ etag: '""', asOfMs: 0 },
});

describe("how an answer may be shown", () => {
  it.each([
    // A document of the tip: half a second, then while a newer one is asked for.
    ["public, max-age=1, s-maxage=1, stale-while-revalidate=5", 499, "fresh"],
    ["public, max-age=1, s-maxage=1, stale-while-revalidate=5", 500, "renewable"],
    ["public, max-age=1, s-maxage=1, stale-while-revalidate=5", 5_499, "renewable"],
    ["public, max-age=1, s-maxage=1, stale-while-revalidate=5", 5_500, "last"],
    // Near the tip.
    ["public, max-age=10, s-maxage=10, stale-while-revalidate=30", 9_999, "fresh"],
    ["public, max-age=10, s-maxage=10, stale-while-revalidate=30", 39_999, "renewable"],
    // Deep below it.
    ["public, max-age=86400, s-maxage=86400, stale-while-revalidate=86400", 86_399_999, "fresh"],
    // No word of a node makes it eternal.
    ["public, max-age=999999999", 86_400_000, "gone"],
    ["public, max-age=1, stale-while-revalidate=999999999", 86_400_499, "renewable"],
    ["public, max-age=1, stale-while-revalidate=999999999", 86_400_500, "gone"],
    ["public, max-age=60", 3_599_999, "last"],
    ["public, max-age=60", 3_600_000, "gone"],
    ["no-store", 499, "fresh"],
    ["no-store", 500, "gone"],
    ["", 0, "fresh"],
    ["s-maxage=-5, max-age=abc", 500, "last"],
  ])("%s after %d ms: %s", (cacheControl, ageMs, standing) => {
    expect(standingOf(answer(cacheControl), ageMs)).toBe(standing);
  });

  it("a refusal holds for five seconds, and is never last data", () => {
    expect(standingOf(answer("public, max-age=600", 404), 4_999)).toBe("fresh");
    expect(standingOf(answer("public, max-age=600", 404), 5_000)).toBe("gone");
  });
});
