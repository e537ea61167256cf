import { describe, expect, it } from "vitest";
import type { DagBlock } from "./dagBlock.ts";
import { DagLayout } from "./dagLayout.ts";
import { stepFrom, type DagStep } from "./dagNeighbours.ts";
import { mergesetOf } from "./mergesets.ts";

/** a ← b ← d, with x and its child y beside b, all merged by d; r is red and merged by e. */
const blocks: readonly DagBlock[] = [
  row("a", [], 1, true),
  row("b", ["a"], 2, true),
  row("x", ["a"], 2, false),
  row("y", ["x"], 3, false),
  row("d", ["b", "y"], 5, true),
  { ...row("r", ["b"], 3, false), color: "red" },
  row("e", ["d", "r"], 6, true),
  row("t", ["d"], 6, false),
];

function row(hash: string, parents: string[], blueScore: number, isChainBlock: boolean): DagBlock {
  const rest = {
    daaScore: blueScore,
    timestamp: 0,
    txCount: 1,
    mergedBy: null,
    work: "native",
  } as const;
  return { hash, parents, blueScore, isChainBlock, color: "blue", ...rest };
}

function layout(): DagLayout {
  const made = new DagLayout();
  made.add(blocks);
  return made;
}

describe("mergesets", () => {
  const hashes = (of: string) => {
    const found = mergesetOf(layout(), of);
    return (
      found && [found.merger.block.hash, ...found.merged.map(({ block }) => block.hash).toSorted()]
    );
  };

  it("are those of the chain block, whichever of their blocks is asked for", () => {
    expect(hashes("d")).toEqual(["d", "x", "y"]);
    expect(hashes("x")).toEqual(["d", "x", "y"]);
    expect(hashes("r")).toEqual(["e", "r"]);
    expect(hashes("b")).toEqual(["b"]);
  });

  it("are what the document says where it says it", () => {
    const graph = layout();
    graph.add(blocks.filter(({ hash }) => hash === "x").map((x) => ({ ...x, mergedBy: "e" })));
    expect(mergesetOf(graph, "x")?.merger.block.hash).toBe("e");
  });

  it("are not made up for a block that nothing has merged yet, or that is unknown", () => {
    expect(hashes("t")).toBeNull();
    expect(hashes("nobody")).toBeNull();
  });
});

describe("steps", () => {
  const walk = (from: string | null, ...steps: DagStep[]) => {
    const graph = layout();
    let at = from === null ? null : (graph.get(from) ?? null);
    for (const step of steps) at = stepFrom(graph, at, step);
    return at?.block.hash ?? null;
  };

  it("begin at the newest block of the chain and follow it", () => {
    expect(walk(null, "parent")).toBe("e");
    expect(walk("e", "parent")).toBe("d");
    expect(walk("e", "parent", "parent", "parent", "parent")).toBe("a");
    expect(walk("a", "child", "child")).toBe("d");
    expect(walk("d", "oldest")).toBe("a");
    expect(walk("a", "newest")).toBe("e");
  });

  it("go between parallel blocks and stay at the last one", () => {
    expect(walk("b", "above")).toBe("x");
    expect(walk("x", "below")).toBe("b");
    expect(walk("b", "below")).toBe("b");
    expect(walk("x", "child")).toBe("y");
  });

  it("find nothing in an empty layout", () => {
    expect(stepFrom(new DagLayout(), null, "child")).toBeNull();
  });
});
