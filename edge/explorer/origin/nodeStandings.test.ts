import { describe, expect, it } from "vitest";
import {
  lagOf,
  unseenNode,
  usableNodes,
  withHealth,
  withTip,
  type NodeViews,
} from "./nodeStandings.ts";

const TIP = { isOurs: true, score: 1_000 };
const nodes = (...names: string[]): NodeViews => names.map((name) => unseenNode(name));

function seen(
  views: NodeViews,
  scores: Readonly<Record<string, number>>,
  nowMs: number,
): NodeViews {
  return Object.entries(scores).reduce(
    (all, [name, score]) => withTip(all, name, { isOurs: true, score }, nowMs),
    views,
  );
}

describe("which nodes are asked", () => {
  it("those that were seen first, in the order of the list", () => {
    expect(usableNodes(nodes("a", "b"), 0)).toEqual(["a", "b"]);
    expect(usableNodes(withTip(nodes("a", "b"), "b", TIP, 0), 0)).toEqual(["b", "a"]);
    expect(usableNodes(seen(nodes("a", "b"), { b: 1, a: 1 }, 0), 0)).toEqual(["a", "b"]);
  });

  it("none of another network", () => {
    const views = withTip(nodes("a", "b"), "a", { isOurs: false, score: 9_999 }, 0);
    expect(usableNodes(views, 0)).toEqual(["b"]);
  });

  it("one that lags is left out when it has lagged for half a minute, and comes back", () => {
    const views = seen(nodes("a", "b"), { a: 900, b: 1_000 }, 0);
    expect(usableNodes(views, 29_999)).toContain("a");
    const later = seen(views, { a: 910, b: 1_030 }, 30_000);
    expect(usableNodes(later, 30_000)).toEqual(["b"]);
    expect(usableNodes(seen(later, { a: 1_000 }, 31_000), 31_000)).toEqual(["a", "b"]);
  });

  it("a few blocks behind is no lag", () => {
    const views = seen(nodes("a", "b"), { a: 940, b: 1_000 }, 0);
    expect(usableNodes(views, 60_000)).toContain("a");
  });

  it("one of three that claims a far tip shuts out nobody", () => {
    const views = seen(nodes("a", "b", "c"), { a: 999_999_999, b: 1_000, c: 999 }, 0);
    expect(usableNodes(views, 60_000)).toEqual(["a", "b", "c"]);
  });

  it("one that says that it is not well is asked after all others", () => {
    const views = withHealth(seen(nodes("a", "b"), { a: 5, b: 5 }, 0), "a", false);
    expect(usableNodes(views, 0)).toEqual(["b", "a"]);
  });
});

describe("how far behind the explorer is", () => {
  it("is the time since a node was seen that is well", () => {
    expect(lagOf(nodes("a"), 5)).toBeNull();
    const views = seen(nodes("a", "b"), { a: 5 }, 1_000);
    expect(lagOf(views, 4_000)).toBe(3_000);
    expect(lagOf(withHealth(views, "a", false), 4_000)).toBeNull();
  });
});
