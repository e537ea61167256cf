/** A source whose pruning point moves while a fresh node begins there: nobody's fault, and the node comes to its chain all the same. */
import { beforeAll, expect, test } from "vitest";
import { nextLinkEnd } from "../peers/linkEnds.ts";
import { expectSame } from "../testkit/nodeFacts.ts";
import { mineAt, payAddressOf } from "../testkit/nodeMiner.ts";
import { expectSoundStore } from "../testkit/nodeStore.ts";
import { PATIENCE_MS, SHALLOW } from "../testkit/networkSizes.ts";
import { Scene, storedChain, type StoredChain } from "../testkit/scene.ts";
import { PERFECT_LINE } from "../testkit/tcpProxy.ts";

const MOVED = /export\/moved/;
/** When it moves, and what the fresh node is told: that the point is another one, or that a block was deleted with the move. */
const STAGES = [
  ["trusted", MOVED],
  ["state", /export\/moved|is below the pruning point/],
] as const;
/** Slow enough that the questions of a stage are still to come when the line falls silent. */
const SLOW = { ...PERFECT_LINE, delayMs: 50, bytesPerSecond: 1_000_000 };
const DELETED = /everything below a pruning point is gone/;

let chain: StoredChain;
/** Blocks on that chain with which its pruning point moves. A line may be silent for seconds alone, so all but one are there before. */
let blocksToMove = 0;
beforeAll(async () => {
  chain = await storedChain(SHALLOW);
  const scene = new Scene(SHALLOW.profile, { isOfFile: true });
  scene.copyStore({ from: chain.path, name: "counted" });
  const node = await scene.node({ name: "counted" });
  const before = (await node.tip()).pruningPoint;
  while ((await node.tip()).pruningPoint === before) {
    await mineAt(node, 1, payAddressOf(1));
    blocksToMove += 1;
  }
  await scene.end();
}, PATIENCE_MS);

test.each(STAGES)("a pruning point that moves during %s is nobody's fault", async (stage, told) => {
  const scene = new Scene(SHALLOW.profile);
  scene.copyStore({ from: chain.path, name: "source" });
  const source = await scene.node({ name: "source" });
  await mineAt(source, blocksToMove - 1, payAddressOf(1));
  const before = (await source.tip()).pruningPoint;
  const line = await scene.line(source.peerPort, SLOW);
  const fresh = await scene.node({ name: "fresh", watched: [told] });
  await fresh.addPeer(line.port);
  await fresh.line(new RegExp(`"stage":"${stage}".*a stage begins`), PATIENCE_MS);
  line.fallSilent();
  // While the source deletes, it may have what is asked for in part.
  const deleted = source.nextLine(DELETED, PATIENCE_MS);
  await mineAt(source, 1, payAddressOf(1));
  await deleted;
  expect((await source.tip()).pruningPoint).not.toBe(before);
  const ended = nextLinkEnd(fresh, PATIENCE_MS);
  line.heal();
  // What was left before its end makes the link useless: another one is made, and all begins again.
  const { message, penalty } = await ended;
  expect(penalty, message).toBe("none");
  expect(fresh.countOf(told)).toBeGreaterThan(0);
  expect((await fresh.tip()).sinkBlueScore).toBe(0n);
  await fresh.addPeer(line.port);
  const { pruningPoint } = await source.tip();
  await expectSame(fresh, source, { recordsAfter: pruningPoint, limitMs: PATIENCE_MS });
  await fresh.stop();
  await expectSoundStore(scene, "fresh");
});
