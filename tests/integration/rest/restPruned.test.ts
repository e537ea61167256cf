/** The public REST interface of a node that has pruned: what is gone is said to be gone, and what is left is found. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import type { TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import { BlockMaker, core, recipient } from "../engine/engineFixture.ts";
import { never, startTestNode, tipOf } from "../node/nodeFixture.ts";
import { askRest, documentOf } from "./restScene.ts";
import { DEPTH, smallNetwork } from "../node/smallNetwork.ts";

let node: RunningNode;
let tip: TipFacts;
/** The hashes of the chain from genesis on. */
let chain: string[];

beforeAll(async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, "network.json");
  writeFileSync(file, smallNetwork());
  node = await startTestNode(null, { network: { file } });
  folder.remove();
  const maker = new BlockMaker(core.canonicalProfile(smallNetwork()));
  chain = [(await tipOf(node)).genesis];
  for (let count = 0; count < 2 * DEPTH; count += 1) {
    await node.api.submitBlock(maker.next(recipient(1)), never);
    chain.push(maker.sink());
  }
  tip = await tipOf(node);
});
afterAll(() => node?.stop());

const statusOf = async (path: string): Promise<readonly unknown[]> => {
  const answer = await askRest(node, path);
  const body: unknown = await answer.json();
  const { code, reason }: { code?: unknown; reason?: unknown } = Object(body);
  return [path, answer.status, code, reason];
};

it("the node has pruned", () => {
  expect(tip.pruningPoint).not.toBe(tip.genesis);
  expect(chain.indexOf(tip.pruningPoint)).toBeGreaterThan(10);
});

describe("a block below the pruning point", () => {
  it("is 404 with this reason, whatever is asked about it", async () => {
    for (const path of [`/blocks/${chain[5]}`, `/blocks/${chain[5]}/bytes`]) {
      expect(await statusOf(path)).toEqual([path, 404, "chain/pruned", "pruned"]);
    }
  });

  it("is not found by its scores, and the answer says why", async () => {
    for (const path of ["/blocks/at?blueScore=5", "/blocks/at?daaScore=5"]) {
      expect(await statusOf(path)).toEqual([path, 404, "chain/pruned", "pruned"]);
    }
  });
});

describe("a block from the pruning point on", () => {
  it("is there, by hash and by its scores", async () => {
    const first = chain.indexOf(tip.pruningPoint);
    for (const index of [first, first + 1, first + 50, chain.length - 1]) {
      const hash = chain[index] ?? "";
      const block = await documentOf(node, `/blocks/${hash}`);
      expect(block).toMatchObject({ block_hash: hash, extra: { color: "blue", mergedBy: hash } });
      const { header }: { header?: { blueScore?: string } } = Object(block);
      const found = await documentOf(node, `/blocks/at?blueScore=${header?.blueScore}`);
      expect(found).toMatchObject([{ block_hash: hash }]);
    }
  });

  it("is in the list of the newest, which ends with the store", async () => {
    const rows = await documentOf(node, "/blocks/recent?limit=200");
    const hashes = Array.isArray(rows) ? rows.map((row: unknown) => Object(row).block_hash) : [];
    const newest = chain.slice(-hashes.length).toReversed();
    expect(hashes).toEqual(newest);
    expect(hashes.length).toBeGreaterThanOrEqual(chain.length - chain.indexOf(tip.pruningPoint));
  });
});
