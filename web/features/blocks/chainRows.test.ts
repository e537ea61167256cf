import {
  asBlockHash,
  asBlueScore,
  asChainIndex,
  asDaaScore,
  asSompi,
  asTimestampMs,
  asTxId,
} from "@svc/shared/base/brand.ts";
import type { ChainFacts } from "@svc/shared/protocol/facts/chainFacts.ts";
import { describe, expect, test } from "vitest";
import { appendRows, mergedBeside, mintedBy, refreshRows } from "./chainRows.ts";

const hashOf = (branch: string, index: number) =>
  asBlockHash(branch.repeat(8) + index.toString(16).padStart(56, "0"));

/** A row of a branch; the branch before `fork` is always "a". */
function row(index: number, branch = "a", fork = 0): ChainFacts {
  const parent = index - 1 < fork ? "a" : branch;
  return {
    hash: hashOf(branch, index),
    index: asChainIndex(BigInt(index)),
    blueScore: asBlueScore(BigInt(index)),
    daaScore: asDaaScore(BigInt(index)),
    timestamp: asTimestampMs(0n),
    selectedParent: hashOf(parent, index - 1),
    coinbaseTxid: asTxId("00".repeat(32)),
    coinbase: [],
    merged: [],
    applied: [],
    dropped: [],
  };
}
const chain = (from: number, to: number, branch = "a", fork = 0) =>
  Array.from({ length: from - to + 1 }, (_, offset) => row(from - offset, branch, fork));
const indices = (rows: readonly ChainFacts[]) => rows.map(({ index }) => Number(index));

describe("rows of the chain", () => {
  test("new blocks go on top and the older rows stay", () => {
    const { rows, replaced } = refreshRows(chain(20, 5), chain(22, 13));
    expect(indices(rows)).toEqual(indices(chain(22, 5)));
    expect(replaced).toBe(0);
  });

  test("a reorganisation replaces rows and tells how many", () => {
    const { rows, replaced } = refreshRows(chain(20, 5), chain(21, 12, "b", 18));
    expect(rows[0]?.hash).toBe(hashOf("b", 21));
    expect(replaced).toBe(9);
    const mixed = [...chain(21, 18, "b", 18), ...chain(17, 12)];
    expect(refreshRows(chain(20, 5), mixed)).toMatchObject({ replaced: 3 });
    expect(refreshRows(chain(20, 5), mixed).rows).toHaveLength(17);
  });

  test("a chain that got shorter loses its top", () => {
    const { rows, replaced } = refreshRows(chain(20, 5), chain(18, 12));
    expect(indices(rows)).toEqual(indices(chain(18, 5)));
    expect(replaced).toBe(2);
  });

  test("older rows of another branch are dropped", () => {
    const { rows } = refreshRows(chain(20, 5), chain(30, 21, "b", 3));
    expect(indices(rows)).toEqual(indices(chain(30, 21)));
  });

  test("an older page is added only where it continues the list", () => {
    expect(appendRows(chain(20, 10), chain(9, 5))).toHaveLength(16);
    expect(appendRows(chain(20, 10), chain(8, 5))).toHaveLength(11);
    expect(appendRows(chain(20, 10), chain(9, 5, "b"))).toHaveLength(11);
  });

  test("the selected parent is no merged block beside it", () => {
    const merged = [
      { hash: hashOf("a", 6), color: "blue" as const, txCount: 1 },
      { hash: hashOf("c", 6), color: "red" as const, txCount: 1 },
    ];
    expect(mergedBeside({ ...row(7), merged })).toEqual([merged[1]]);
  });

  test("adds up what the coinbase mints", () => {
    const coinbase = [
      { recipient: "", value: asSompi(3n) },
      { recipient: "", value: asSompi(4n) },
    ];
    expect(mintedBy({ ...row(1), coinbase })).toBe(7n);
  });
});
