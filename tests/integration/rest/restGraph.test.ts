/** Documents about blocks over a real graph with blue and red blocks, against what the engine says of every block of it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askFacts } from "@svc/node-server/engine/calls/askFacts.ts";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import type { BlockFacts } from "@svc/shared/protocol/facts/blockFacts.ts";
import type { TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import { unlikeDocument } from "../../testkit/restDocuments.ts";
import { never, tipOf } from "../node/nodeFixture.ts";
import { askRest, documentOf, startGraphNode, UNMERGED } from "./restScene.ts";

type Place = { readonly color: string; readonly mergedBy: string | null };

let node: RunningNode;
let tip: TipFacts;
/** Every block of the graph, and its place by the mergesets of the chain. */
let blocks: Map<string, BlockFacts>;
let places: Map<string, Place>;

beforeAll(async () => {
  node = await startGraphNode();
  tip = await tipOf(node);
  blocks = new Map();
  for (const hashes = [...tip.tips]; hashes.length > 0;) {
    const hash = hashes.pop();
    if (hash === undefined || blocks.has(hash)) continue;
    const facts = await askFacts(node.api, "blockFacts", [hash], never);
    if (facts === undefined) throw new Error(`no block ${hash}`);
    blocks.set(hash, facts);
    hashes.push(...facts.parents);
  }
  places = new Map();
  const chain = [...blocks.values()].filter(({ isChainBlock }) => isChainBlock);
  for (const { hash, blues, reds } of chain) {
    for (const blue of blues) places.set(blue, { color: "blue", mergedBy: hash });
    for (const red of reds) places.set(red, { color: "red", mergedBy: hash });
  }
  for (const { hash } of chain) places.set(hash, { color: "blue", mergedBy: hash });
  for (const hash of blocks.keys()) {
    if (!places.has(hash)) places.set(hash, { color: "none", mergedBy: null });
  }
});
afterAll(() => node?.stop());

const rowsOf = async (path: string): Promise<readonly Record<string, unknown>[]> => {
  const document = await documentOf(node, path);
  if (!Array.isArray(document)) throw new Error("no list");
  return document.map((row: unknown) => ({ ...Object(row) }));
};

it("the graph has blocks of both colours, and some that nobody has merged", () => {
  const colors = [...places.values()].map(({ color }) => color);
  expect(new Set(colors)).toEqual(new Set(["blue", "red", "none"]));
  expect(colors.filter((color) => color === "none")).toHaveLength(UNMERGED);
  expect(places.size).toBe(blocks.size);
});

describe("a block", () => {
  it("has its colour, and the chain block that merged it, whatever its depth", async () => {
    for (const hash of blocks.keys()) {
      const document = await documentOf(node, `/blocks/${hash}`);
      expect(document).toMatchObject({ block_hash: hash, extra: places.get(hash) });
      expect(unlikeDocument("block", document)).toEqual([]);
    }
  });

  it("tells of its place in the graph as the engine does", async () => {
    for (const facts of blocks.values()) {
      expect(await documentOf(node, `/blocks/${facts.hash}`)).toMatchObject({
        verboseData: {
          difficulty: facts.difficulty,
          selectedParentHash: facts.selectedParent,
          transactionIds: facts.txids,
          isChainBlock: facts.isChainBlock,
          childrenHashes: facts.children,
          mergeSetBluesHashes: facts.blues,
          mergeSetRedsHashes: facts.reds,
        },
      });
    }
  });
});

describe("the newest blocks", () => {
  it("are all of the graph, the highest DAA score first, with their colours", async () => {
    const rows = await rowsOf("/blocks/recent?limit=200");
    expect(unlikeDocument("recentBlocks", rows)).toEqual([]);
    const expected = [...blocks.values()].toSorted(
      (a, b) => Number(b.daaScore - a.daaScore) || (a.hash > b.hash ? -1 : 1),
    );
    expect(rows.map(({ block_hash: hash }) => hash)).toEqual(expected.map(({ hash }) => hash));
    for (const row of rows) {
      const { color } = places.get(String(row["block_hash"])) ?? {};
      expect([row["block_hash"], row["color"]]).toEqual([row["block_hash"], color]);
    }
  });

  it("are as many as were asked for, the first of the longer list", async () => {
    const all = await rowsOf("/blocks/recent?limit=200");
    for (const limit of [1, 2, 7, 20, 40]) {
      expect(await rowsOf(`/blocks/recent?limit=${limit}`)).toEqual(all.slice(0, limit));
    }
    expect(await rowsOf("/blocks/recent")).toEqual(all.slice(0, 50));
  });

  it("cannot be paged without an index, and the answer says so", async () => {
    const answer = await askRest(node, `/blocks/recent?before=5-${tip.sink}`);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(await answer.json()).toMatchObject({
      code: "http/unavailable",
      reason: "this node keeps no index",
    });
  });
});

describe.each(["daaScore", "blueScore"] as const)("the blocks at a %s", (kind) => {
  it("are those of the graph that have it, once they are merged", async () => {
    const most = Number(tip.daaScore) + 1;
    for (let score = 0; score <= most; score += 1) {
      const rows = await rowsOf(`/blocks/at?${kind}=${score}`);
      const expected = [...blocks.values()].filter(
        ({ hash, [kind]: own }) => own === BigInt(score) && places.get(hash)?.color !== "none",
      );
      const hashes = rows.map(({ block_hash: hash }) => String(hash));
      expect([score, hashes.toSorted()]).toEqual([
        score,
        expected.map(({ hash }) => hash).toSorted(),
      ]);
      for (const row of rows)
        expect(row).toMatchObject(places.get(String(row["block_hash"])) ?? {});
    }
  });

  it("are none above the sink", async () => {
    expect(await rowsOf(`/blocks/at?${kind}=${tip.daaScore + 1_000n}`)).toEqual([]);
    expect(await rowsOf(`/blocks/at?${kind}=18446744073709551615`)).toEqual([]);
  });
});

it.each(["", "?daaScore=1&blueScore=1", "?daaScore=-1", "?blueScore=x", "?daaScore=1.5"])(
  "a score is one number: /blocks/at%s is refused",
  async (query) => {
    const answer = await askRest(node, `/blocks/at${query}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "api/bad-field" });
  },
);
