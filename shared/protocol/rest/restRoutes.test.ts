/** The table of the public REST interface: its examples, its cache headers, its document. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import type { RouteContract } from "../contract/routeContract.ts";
import { restDocument } from "./openApi.ts";
import { restCacheControl } from "./restCache.ts";
import { REST_ROUTES, type RestRouteName } from "./restRoutes.ts";

const NAMES = Object.keys(REST_ROUTES).filter((name): name is RestRouteName => name in REST_ROUTES);

describe.each(NAMES)("the row %s", (name) => {
  const row: RouteContract = REST_ROUTES[name];

  it("has an example of its answer", () => {
    expect(v.safeParse(row.answer, row.example.answer).success).toBe(true);
  });

  it("only reads, and asks for no credential", () => {
    expect([row.method, row.credential, row.takesKey, row.lasts]).toEqual([
      name === "transactionSearch" ? "POST" : "GET",
      "none",
      false,
      false,
    ]);
  });

  it("says how long its answer may be kept", () => {
    expect(restCacheControl(name)).toMatch(
      /^(?:no-store|public, max-age=(\d+), s-maxage=\1, stale-while-revalidate=\d+)$/,
    );
  });

  it("stands in the document", () => {
    expect(restDocument()).toHaveProperty([
      "paths",
      row.path,
      row.method.toLowerCase(),
      "responses",
      "200",
    ]);
  });
});
