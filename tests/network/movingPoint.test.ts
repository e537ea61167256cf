/** A source whose pruning point moves while a fresh node begins there: nobody's fault, and the node comes to its chain all the same. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { nextLinkEnd } from "./linkEnds.ts";
import { expectSame } from "./nodeFacts.ts";
import { mineAt, payAddressOf } from "./nodeMiner.ts";
import type { NodeProcess } from "./nodeProcess.ts";
import { expectSoundStore } from "./nodeStore.ts";
import { PATIENCE_MS, SHALLOW } from "./networkSizes.ts";
import { Scene, storedChain, type StoredChain } from "./scene.ts";
import { PERFECT_LINE } from "./tcpProxy.ts";

/** When it moves. */
const STAGES = ["trusted", "state"];
/** Slow enough that the questions of a stage are still to come when the line falls silent. */
const SLOW = { ...PERFECT_LINE, delayMs: 50, bytesPerSecond: 1_000_000 };
/** Blocks between two looks at the pruning point. */
const MINED = 10;
const MOVED = /export\/moved/;

let chain: StoredChain;
beforeAll(async () => {
  chain = await storedChain(SHALLOW);
});
afterAll(() => chain.remove());

/** Mines until the pruning point is another one. */
async function movePoint(source: NodeProcess): Promise<void> {
  const before = await source.tip();
  let { pruningPoint } = before;
  while (pruningPoint === before.pruningPoint) {
    await mineAt(source, MINED, payAddressOf(1));
    ({ pruningPoint } = await source.tip());
  }
}

test.each(STAGES)("a pruning point that moves during %s is nobody's fault", async (stage) => {
  const scene = new Scene(SHALLOW.profile);
  scene.copyStore({ from: chain.path, name: "source" });
  const source = await scene.node({ name: "source" });
  const line = await scene.line(source.peerPort, SLOW);
  const fresh = await scene.node({ name: "fresh", watched: [MOVED] });
  await fresh.addPeer(line.port);
  await fresh.line(new RegExp(`"stage":"${stage}".*a stage begins`), PATIENCE_MS);
  line.fallSilent();
  await movePoint(source);
  const ended = nextLinkEnd(fresh, PATIENCE_MS);
  line.heal();
  // What was left before its end makes the link useless: another one is made, and all begins again.
  const { message, penalty } = await ended;
  expect(penalty, message).toBe("none");
  expect(fresh.countOf(MOVED)).toBeGreaterThan(0);
  expect((await fresh.tip()).sinkBlueScore).toBe(0n);
  await fresh.addPeer(line.port);
  const { pruningPoint } = await source.tip();
  await expectSame(fresh, source, { recordsAfter: pruningPoint, limitMs: PATIENCE_MS });
  await fresh.stop();
  await expectSoundStore(scene, "fresh");
});
