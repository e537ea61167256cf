/** A node that is killed while it catches up goes on when it is started again, whatever it was doing. */
import { beforeAll, expect, test } from "vitest";
import type { TipAnswer } from "@svc/shared/protocol/facts/tipFacts.ts";
import { drawnPart } from "../../testkit/drawnCases.ts";
import { expectSame } from "../testkit/nodeFacts.ts";
import { expectSoundStore, genesisHashOf } from "../testkit/nodeStore.ts";
import { PATIENCE_MS, PRUNED, WHOLE } from "../testkit/networkSizes.ts";
import { Scene, storedChain, type StoredChain } from "../testkit/scene.ts";
import { PERFECT_LINE } from "../testkit/tcpProxy.ts";

/** In the order in which they come. */
const STAGES = ["negotiating", "proof", "trusted", "headers", "state"];
/** After the proof, so that nothing of it is fetched again. */
const LAST_STAGE = "bodies";
/** Slow enough that a stage lasts until the signal arrives. */
const SLOW = { ...PERFECT_LINE, delayMs: 20, bytesPerSecond: 1_000_000 };
/** Headers above genesis that come before a kill: a part of what there are. */
const SOME_HEADERS = 500n;
const CAUGHT_UP = /"caught up"/;
const PROOF = /"stage":"proof"/;
const BODIES = /"stage":"bodies"/;
const watched = [CAUGHT_UP, PROOF, BODIES];

let chain: StoredChain;
beforeAll(async () => {
  chain = await storedChain(PRUNED);
});

test("a node that is killed in each stage ends where its source is", async () => {
  const scene = new Scene(PRUNED.profile);
  scene.copyStore({ from: chain.path, name: "source" });
  const source = await scene.node({ name: "source" });
  const line = await scene.line(source.peerPort, SLOW);
  for (const stage of [...drawnPart(scene.random, STAGES, 2), LAST_STAGE]) {
    const fresh = await scene.node({ name: "fresh", peers: [line.port], watched });
    await fresh.line(new RegExp(`"stage":"${stage}".*a stage begins`), PATIENCE_MS);
    await fresh.kill();
    expect(fresh.countOf(CAUGHT_UP), stage).toBe(0);
    if (stage === "proof") expect(fresh.countOf(PROOF)).toBeGreaterThan(0);
  }
  const fresh = await scene.node({ name: "fresh", peers: [line.port], watched });
  const { pruningPoint } = await source.tip();
  await expectSame(fresh, source, { recordsAfter: pruningPoint, limitMs: PATIENCE_MS });
  await fresh.line(CAUGHT_UP, PATIENCE_MS);
  await fresh.stop();
  // What was proved before the last kill is not fetched again.
  expect(fresh.countOf(PROOF)).toBe(0);
  await expectSoundStore(scene, "fresh");
});

test("headers that came before a kill stay where no new beginning is needed", async () => {
  const whole = await storedChain(WHOLE);
  const scene = new Scene(WHOLE.profile);
  scene.copyStore({ from: whole.path, name: "source" });
  const source = await scene.node({ name: "source" });
  const line = await scene.line(source.peerPort, { ...SLOW, bytesPerSecond: 200_000 });
  const killed = await scene.node({ name: "fresh", peers: [line.port], watched });
  await killed.line(/"stage":"headers".*a stage begins/, PATIENCE_MS);
  const isSome = ({ headerCount }: TipAnswer): boolean => headerCount > SOME_HEADERS;
  const before = await killed.untilTip("some headers", isSome, PATIENCE_MS);
  await killed.kill();
  expect([killed.countOf(PROOF), killed.countOf(BODIES)]).toEqual([0, 0]);
  line.quality = SLOW;
  const fresh = await scene.node({ name: "fresh", watched });
  expect((await fresh.tip()).headerCount).toBeGreaterThanOrEqual(before.headerCount);
  await fresh.addPeer(line.port);
  const recordsAfter = genesisHashOf(scene.profile);
  await expectSame(fresh, source, { recordsAfter, limitMs: PATIENCE_MS });
  await fresh.stop();
  expect(fresh.countOf(PROOF)).toBe(0);
  expect(fresh.countOf(BODIES)).toBeGreaterThan(0);
  await expectSoundStore(scene, "fresh");
});
