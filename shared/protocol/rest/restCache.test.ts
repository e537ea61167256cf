/** How long an answer about something in the chain may be kept, by its depth (specification explorer C4). */
import { expect, it } from "vitest";
import { MISSING_CACHE_CONTROL, restCacheControl } from "./restCache.ts";

it.each([
  [0n, 2],
  [19n, 2],
  [20n, 10],
  [59n, 10],
  [60n, 60],
  [599n, 60],
  [600n, 600],
  [2n ** 63n, 600],
])("%d blue blocks deep: %d s", (depth, seconds) => {
  for (const name of ["block", "transaction", "blocksAt"] as const) {
    expect(restCacheControl(name, depth)).toContain(
      `public, max-age=${seconds}, s-maxage=${seconds},`,
    );
  }
});

it("at no depth it is that of the row, and what is not there is asked for again in 5 s", () => {
  expect(restCacheControl("block", null)).toBe(restCacheControl("block"));
  expect(restCacheControl("health", null)).toBe("no-store");
  expect(MISSING_CACHE_CONTROL).toContain("max-age=5,");
});
