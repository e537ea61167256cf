import { asSompi } from "@svc/shared/base/brand.ts";
import type { ChainFacts } from "@svc/shared/protocol/facts/chainFacts.ts";
import { describe, expect, test } from "vitest";
import { appendRows, mergedBeside, mintedBy, refreshRows } from "./chainRows.ts";
import { chainOf, hashOf, rowOf } from "./testRows.ts";

const indices = (rows: readonly ChainFacts[]) => rows.map(({ index }) => Number(index));

describe("rows of the chain", () => {
  test("new blocks go on top and the older rows stay", () => {
    const { rows, replaced } = refreshRows(chainOf(20, 5), chainOf(22, 13));
    expect(indices(rows)).toEqual(indices(chainOf(22, 5)));
    expect(replaced).toBe(0);
  });

  test("a reorganisation replaces rows and tells how many", () => {
    const { rows, replaced } = refreshRows(chainOf(20, 5), chainOf(21, 12, "b", 18));
    expect(rows[0]?.hash).toBe(hashOf("b", 21));
    expect(replaced).toBe(9);
    const mixed = [...chainOf(21, 18, "b", 18), ...chainOf(17, 12)];
    expect(refreshRows(chainOf(20, 5), mixed)).toMatchObject({ replaced: 3 });
    expect(refreshRows(chainOf(20, 5), mixed).rows).toHaveLength(17);
  });

  test("a chain that got shorter loses its top", () => {
    const { rows, replaced } = refreshRows(chainOf(20, 5), chainOf(18, 12));
    expect(indices(rows)).toEqual(indices(chainOf(18, 5)));
    expect(replaced).toBe(2);
  });

  test("older rows of another branch are dropped", () => {
    const { rows } = refreshRows(chainOf(20, 5), chainOf(30, 21, "b", 3));
    expect(indices(rows)).toEqual(indices(chainOf(30, 21)));
  });

  test("an older page is added only where it continues the list", () => {
    expect(appendRows(chainOf(20, 10), chainOf(9, 5))).toHaveLength(16);
    expect(appendRows(chainOf(20, 10), chainOf(8, 5))).toHaveLength(11);
    expect(appendRows(chainOf(20, 10), chainOf(9, 5, "b"))).toHaveLength(11);
  });

  test("the selected parent is no merged block beside it", () => {
    const merged = [
      { hash: hashOf("a", 6), color: "blue" as const, txCount: 1 },
      { hash: hashOf("c", 6), color: "red" as const, txCount: 1 },
    ];
    expect(mergedBeside({ ...rowOf(7), merged })).toEqual([merged[1]]);
  });

  test("adds up what the coinbase mints", () => {
    const coinbase = [
      { recipient: "", value: asSompi(3n) },
      { recipient: "", value: asSompi(4n) },
    ];
    expect(mintedBy({ ...rowOf(1), coinbase })).toBe(7n);
  });
});
