import { describe, expect, test } from "vitest";
import { PAGE_LIMITS } from "../pageLimits.ts";
import {
  knownNodes,
  NO_NODE,
  NO_WISH,
  nodeRoles,
  readNodeWish,
  withNode,
  withoutNode,
  writeNodeWish,
  type NodeWish,
} from "./nodeList.ts";
import { readNodeOrigins } from "./nodeOrigins.ts";

const OWN = "http://127.0.0.1:19850";
const [B, C] = ["https://b.example", "https://c.example"];
const alone = { nodes: readNodeOrigins(undefined), own: OWN };
const three = { nodes: readNodeOrigins(`self ${B} ${C}`), own: OWN };
const any = { nodes: readNodeOrigins("any"), own: OWN };

const wish = (change: Partial<NodeWish>): NodeWish => ({ ...NO_WISH, ...change });

describe("the roles of nodes", () => {
  test("have another one of the list beside the followed one to be compared with, and the rest stand in", () => {
    expect(nodeRoles(NO_WISH, three)).toEqual({ followed: OWN, second: B, spare: [C] });
    expect(nodeRoles(NO_WISH, alone)).toEqual({ followed: OWN, second: null, spare: [] });
  });

  test("put the node that was left last", () => {
    expect(nodeRoles(wish({ followed: B }), three)).toEqual({
      followed: B,
      second: C,
      spare: [OWN],
    });
    expect(nodeRoles(wish({ followed: C }), three)).toEqual({
      followed: C,
      second: OWN,
      spare: [B],
    });
  });

  test("are as somebody chose them, with no second one at all if so", () => {
    const chosen = { followed: OWN, second: C, spare: [B] };
    expect(nodeRoles(wish({ second: C }), three)).toEqual(chosen);
    expect(nodeRoles(wish({ second: NO_NODE }), three)).toEqual({
      followed: OWN,
      second: null,
      spare: [],
    });
  });

  test("never have the followed node as the second one", () => {
    const roles = nodeRoles(wish({ followed: B, second: B }), three);
    expect(roles).toEqual({ followed: B, second: C, spare: [OWN] });
  });

  test("are one for each node, also where the build lists the server of the pages by its address, too", () => {
    const twice = { nodes: readNodeOrigins(`self ${OWN}`), own: OWN };
    expect(knownNodes(NO_WISH, twice)).toEqual([OWN]);
    expect(nodeRoles(NO_WISH, twice)).toEqual({ followed: OWN, second: null, spare: [] });
  });

  test("are given only to nodes that this build knows", () => {
    const strange = wish({
      followed: "https://evil.example",
      second: "https://evil.example",
      added: ["https://evil.example"],
    });
    expect(nodeRoles(strange, three)).toEqual({ followed: OWN, second: B, spare: [C] });
    expect(knownNodes(strange, three)).toEqual([OWN, B, C]);
  });

  test("are given to added nodes in a build for any, and to the server of the pages where it is chosen", () => {
    const added = wish({ followed: B, added: [B, C] });
    expect(knownNodes(added, any)).toEqual([OWN, B, C]);
    expect(nodeRoles(added, any)).toEqual({ followed: B, second: C, spare: [] });
    expect(nodeRoles({ ...added, second: OWN }, any)).toEqual({
      followed: B,
      second: OWN,
      spare: [C],
    });
    expect(nodeRoles(NO_WISH, any)).toEqual({ followed: OWN, second: null, spare: [] });
  });
});

describe("a stored choice of nodes", () => {
  test("is read as it was written", () => {
    const written = wish({ followed: B, second: NO_NODE, added: [C] });
    expect(readNodeWish(writeNodeWish(written), "https://old.example")).toEqual(written);
    expect(readNodeWish(null, null)).toEqual(NO_WISH);
  });

  test("of version 1 is the followed node, and stays one to choose in a build for any", () => {
    const old = readNodeWish(null, B);
    expect(old).toEqual(wish({ followed: B }));
    expect(knownNodes(old, any)).toEqual([OWN, B]);
    expect(nodeRoles(old, three).followed).toBe(B);
  });

  test.each([
    ["that is no JSON", "https://b.example"],
    ["of a later version", JSON.stringify({ version: 3, followed: B, second: null, added: [] })],
    ["of another form", JSON.stringify({ version: 2, followed: 7, second: null, added: [] })],
    ["with too many nodes", writeNodeWish(wish({ added: Array<string>(17).fill(B) }))],
    ["that is too long", writeNodeWish(wish({ followed: "x".repeat(10_000) }))],
  ])("%s counts as none", (_, text) => {
    expect(readNodeWish(text, null)).toEqual(NO_WISH);
  });
});

describe("a node that somebody adds", () => {
  test("is one to choose, once, and until it is removed", () => {
    const added = withNode(NO_WISH, ` ${B}/ `, any);
    expect(added).toEqual({ kind: "added", wish: wish({ added: [B] }) });
    expect(withNode(wish({ added: [B] }), B, any)).toEqual({ kind: "known" });
    expect(withNode(NO_WISH, OWN, any)).toEqual({ kind: "known" });
    const used = wish({ followed: B, second: B, added: [B, C] });
    expect(withoutNode(used, B)).toEqual(wish({ added: [C] }));
  });

  test("is refused where the build does not allow it, or there are many", () => {
    expect(withNode(NO_WISH, "https://evil.example", three)).toEqual({ kind: "not-listed" });
    expect(withNode(NO_WISH, "http://node.example", any)).toEqual({ kind: "insecure" });
    expect(withNode(NO_WISH, "node", any)).toEqual({ kind: "malformed" });
    let full = NO_WISH;
    for (let count = 1; count < PAGE_LIMITS.knownNodesMax; count += 1) {
      const next = withNode(full, `https://n${count}.example`, any);
      if (next.kind !== "added") throw new Error(next.kind);
      full = next.wish;
    }
    expect(withNode(full, B, any)).toEqual({ kind: "too-many" });
    expect(readNodeWish(writeNodeWish(full), null)).toEqual(full);
  });
});
