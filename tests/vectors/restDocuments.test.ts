/** The examples of the public REST interface's table, and so of its OpenAPI document, against the documents of the specification. */
import { describe, expect, it } from "vitest";
import type { RouteContract } from "@svc/shared/protocol/contract/routeContract.ts";
import { REST_ROUTES } from "@svc/shared/protocol/rest/restRoutes.ts";
import { SPECIFIED_ROWS, unlikeDocument } from "../testkit/restDocuments.ts";

const ROWS = new Map<string, RouteContract>(Object.entries(REST_ROUTES));

describe("the documents of the specification", () => {
  it.each(SPECIFIED_ROWS)("%s: its example has every key in its form, and no other", (name) => {
    const example: unknown = ROWS.get(name)?.example.answer;
    expect(unlikeDocument(name, JSON.parse(JSON.stringify(example)))).toEqual([]);
  });

  it("are not taken with a key more or less, or in another form", () => {
    const dag = { ...REST_ROUTES.blockDag.example.answer };
    const { sink: _, ...less } = dag;
    expect(unlikeDocument("blockDag", less)).toEqual(["blockDag.sink is missing"]);
    expect(unlikeDocument("blockDag", { ...dag, ip: "1.2.3.4" })).toEqual([
      "blockDag.ip is unknown",
    ]);
    expect(unlikeDocument("blockDag", { ...dag, blockCount: 7 })).toEqual([
      "blockDag.blockCount is no decimal",
    ]);
    expect(unlikeDocument("blockDag", { ...dag, difficulty: "7" })).toEqual([
      "blockDag.difficulty is no number",
    ]);
    const fees = { ...REST_ROUTES.feeEstimate.example.answer, feeByActions: { "1": 7 } };
    expect(unlikeDocument("feeEstimate", fees)).toEqual(["feeEstimate.feeByActions.1 is no decimal"]);
  });
});
