/** A network that falls in two and comes together again: all nodes agree afterwards. */
import { expect, test } from "vitest";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { chainFacts, untilSink } from "../testkit/nodeFacts.ts";
import { mineAt, payAddressOf } from "../testkit/nodeMiner.ts";
import { genesisHashOf } from "../testkit/nodeStore.ts";
import { PATIENCE_MS, pruneNetwork } from "../testkit/networkSizes.ts";
import { Scene } from "../testkit/scene.ts";

/**
 * Blocks of each half while they are apart: more than the announcements that a node keeps and the merge depth together, so that
 * the oldest ones that come at once when the line heals are of no use.
 */
const APART = IS_FULL ? 500 : 400;
const COMMON = 10;

test(`two halves that mined ${APART} blocks each agree when they meet`, async () => {
  const scene = new Scene(pruneNetwork());
  const recordsAfter = genesisHashOf(scene.profile);
  const [north, south] = await Promise.all([
    scene.node({ name: "north" }),
    scene.node({ name: "south" }),
  ]);
  const bridges = await Promise.all([north, south].map((node) => scene.line(node.peerPort)));
  const [toNorth, toSouth] = bridges.map(({ port }) => port);
  if (toNorth === undefined || toSouth === undefined) throw new Error("there are no bridges");
  const [west, east] = await Promise.all([
    scene.node({ name: "west", peers: [north.peerPort, toSouth] }),
    scene.node({ name: "east", peers: [south.peerPort, toNorth] }),
  ]);
  const all = [north, south, west, east];
  // A node has blocks before it stands on them, so what it stands on now is no goal for others.
  const agreed = (sink: string): Promise<void> => untilSink(all, { sink, limitMs: PATIENCE_MS });
  await mineAt(west, COMMON, payAddressOf(1));
  await agreed((await west.tip()).sink);
  for (const bridge of bridges) bridge.fallSilent();
  // One half has more, so that the other one changes to its chain.
  await Promise.all([
    mineAt(west, APART, payAddressOf(2)),
    mineAt(south, APART + 1, payAddressOf(3)),
  ]);
  const [left, right] = [await west.tip(), await south.tip()];
  expect(left.sink).not.toBe(right.sink);
  expect(left.blockCount + right.blockCount).toBe(BigInt(2 * (COMMON + APART) + 3));
  for (const bridge of bridges) bridge.heal();
  await west.untilTip(
    "all blocks",
    ({ blockCount }) => blockCount === BigInt(COMMON + 2 * APART + 2),
    PATIENCE_MS,
  );
  await agreed(right.sink);
  await mineAt(east, 1, payAddressOf(4));
  await west.untilTip(
    "the block on both halves",
    ({ blockCount }) => blockCount === BigInt(COMMON + 2 * APART + 3),
    PATIENCE_MS,
  );
  await agreed((await east.tip()).sink);
  const facts = await Promise.all(all.map((node) => chainFacts(node, { recordsAfter })));
  for (const other of facts) expect(other).toEqual(facts[0]);
});
