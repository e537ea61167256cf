/** A node that is killed while it catches up goes on when it is started again, whatever it was doing. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { TipAnswer } from "@svc/shared/protocol/facts/tipFacts.ts";
import { expectSame } from "./nodeFacts.ts";
import { genesisHashOf, verifiedStore } from "./nodeStore.ts";
import { PATIENCE_MS, PRUNED, WHOLE } from "./networkSizes.ts";
import { Scene, storedChain, type StoredChain } from "./scene.ts";
import { PERFECT_LINE } from "./tcpProxy.ts";

/** In the order in which they come. */
const STAGES = ["negotiating", "proof", "trusted", "headers", "state", "bodies"];
/** Slow enough that a stage lasts until the signal arrives. */
const SLOW = { ...PERFECT_LINE, delayMs: 20, bytesPerSecond: 1_000_000 };
/** Headers above genesis that come before a kill: a part of what there are. */
const SOME_HEADERS = 500n;

let chain: StoredChain;
beforeAll(async () => {
  chain = await storedChain(PRUNED);
});
afterAll(() => chain.remove());

test("a node that is killed in each stage ends where its source is", async () => {
  const scene = new Scene(PRUNED.profile);
  scene.copyStore({ from: chain.path, name: "source" });
  const source = await scene.node({ name: "source" });
  const line = await scene.line(source.peerPort, SLOW);
  for (const stage of STAGES) {
    const fresh = await scene.node({ name: "fresh", peers: [line.port] });
    await fresh.line(new RegExp(`"stage":"${stage}".*a stage begins`), PATIENCE_MS);
    await fresh.kill();
    expect(fresh.hasLogged(/"caught up"/), stage).toBe(false);
  }
  const fresh = await scene.node({ name: "fresh", peers: [line.port] });
  const { pruningPoint } = await source.tip();
  await expectSame(fresh, source, { recordsAfter: pruningPoint, limitMs: PATIENCE_MS });
  // What was proved before the last kill is not fetched again.
  expect(fresh.hasLogged(/"stage":"proof"/)).toBe(false);
  await fresh.stop();
  expect(await verifiedStore(scene, "fresh")).toMatchObject({ result: "same" });
});

test("headers that came before a kill stay where no new beginning is needed", async () => {
  const whole = await storedChain(WHOLE);
  onTestFinished(() => whole.remove());
  const scene = new Scene(WHOLE.profile);
  scene.copyStore({ from: whole.path, name: "source" });
  const source = await scene.node({ name: "source" });
  const line = await scene.line(source.peerPort, { ...SLOW, bytesPerSecond: 200_000 });
  const killed = await scene.node({ name: "fresh", peers: [line.port] });
  await killed.line(/"stage":"headers".*a stage begins/, PATIENCE_MS);
  const isSome = ({ headerCount }: TipAnswer): boolean => headerCount > SOME_HEADERS;
  const before = await killed.untilTip("some headers", isSome, PATIENCE_MS);
  await killed.kill();
  expect(killed.hasLogged(/"stage":"(proof|bodies)"/)).toBe(false);
  line.quality = SLOW;
  const fresh = await scene.node({ name: "fresh" });
  expect((await fresh.tip()).headerCount).toBeGreaterThanOrEqual(before.headerCount);
  await fresh.addPeer(line.port);
  const recordsAfter = genesisHashOf(scene.profile);
  await expectSame(fresh, source, { recordsAfter, limitMs: PATIENCE_MS });
  expect(fresh.hasLogged(/"stage":"proof"/)).toBe(false);
  await fresh.stop();
  expect(await verifiedStore(scene, "fresh")).toMatchObject({ result: "same" });
});
