/** Note history from before the pruning point: a false record does not last, a kill costs nothing, and all of it comes. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { alterMessage, nameOf } from "./alterMessage.ts";
import { LyingPeer } from "./lyingPeer.ts";
import { expectSame } from "./nodeFacts.ts";
import { genesisHashOf, verifiedStore } from "./nodeStore.ts";
import { PATIENCE_MS, PRUNED } from "./networkSizes.ts";
import { Scene, storedChain, type StoredChain } from "./scene.ts";
import { PERFECT_LINE } from "./tcpProxy.ts";

const SLOW = { ...PERFECT_LINE, delayMs: 20, bytesPerSecond: 100_000 };
const WANTED = ["--shielded-history=on"];

let chain: StoredChain;
beforeAll(async () => {
  chain = await storedChain(PRUNED);
});
afterAll(() => chain.remove());

test("history comes whole, whoever lied and whatever was killed", async () => {
  const scene = new Scene(PRUNED.profile);
  scene.copyStore({ from: chain.path, name: "source" });
  const source = await scene.node({ name: "source" });
  let told = 0;
  const liar = await LyingPeer.start(source.peerPort, (bytes) => {
    if (nameOf(bytes) !== "shieldedHistoryChunk") return bytes;
    const altered = alterMessage(bytes, scene.random, (path) => path.endsWith(".data"));
    if (altered !== null) told += 1;
    return altered?.bytes ?? bytes;
  });
  const first = await scene.node({ name: "fresh", more: WANTED, peers: [liar.port] });
  const { sink } = await source.tip();
  await first.untilTip("the chain", (tip) => tip.sink === sink, PATIENCE_MS);
  await first.line(/"stage":"history".*a stage begins/, PATIENCE_MS);
  await first.untilTip("a lie", () => told > 0, PATIENCE_MS);
  expect((await first.tip()).historyComplete).toBe(false);
  await first.kill();
  await liar.stop();
  const line = await scene.line(source.peerPort, SLOW);
  const killed = await scene.node({ name: "fresh", more: WANTED, peers: [line.port] });
  await killed.line(/"stage":"history".*a stage begins/, PATIENCE_MS);
  await killed.kill();
  const fresh = await scene.node({ name: "fresh", more: WANTED, peers: [source.peerPort] });
  await fresh.untilTip("all history", ({ historyComplete }) => historyComplete, PATIENCE_MS);
  const recordsAfter = genesisHashOf(scene.profile);
  await expectSame(fresh, source, { recordsAfter, limitMs: PATIENCE_MS });
  await fresh.stop();
  expect(await verifiedStore(scene, "fresh")).toMatchObject({ result: "same" });
});
