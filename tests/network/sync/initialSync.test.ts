/** A fresh node and one that has the chain: all of it comes over, and both say the same of it. */
import { beforeAll, describe, expect, test } from "vitest";
import { expectSoundStore, genesisHashOf } from "../testkit/nodeStore.ts";
import { expectSame } from "../testkit/nodeFacts.ts";
import { PATIENCE_MS, PRUNED, WHOLE } from "../testkit/networkSizes.ts";
import { Scene, storedChain, type StoredChain } from "../testkit/scene.ts";

describe("a chain that was never pruned", () => {
  let chain: StoredChain;
  beforeAll(async () => {
    chain = await storedChain(WHOLE);
  });

  test("comes from genesis on", async () => {
    const scene = new Scene(WHOLE.profile);
    scene.copyStore({ from: chain.path, name: "source" });
    const source = await scene.node({ name: "source" });
    const fresh = await scene.node({ name: "fresh", peers: [source.peerPort] });
    const recordsAfter = genesisHashOf(scene.profile);
    await expectSame(fresh, source, { recordsAfter, limitMs: PATIENCE_MS });
    expect((await fresh.tip()).blockCount).toBe((await source.tip()).blockCount);
    await fresh.stop();
    await expectSoundStore(scene, "fresh");
  });
});

describe("a chain whose pruning point has moved several times", () => {
  let chain: StoredChain;
  beforeAll(async () => {
    chain = await storedChain(PRUNED);
  });

  test("comes from the pruning point on", async () => {
    const scene = new Scene(PRUNED.profile);
    scene.copyStore({ from: chain.path, name: "source" });
    const source = await scene.node({ name: "source" });
    const fresh = await scene.node({ name: "fresh", peers: [source.peerPort] });
    const { pruningPoint, genesis } = await source.tip();
    expect(pruningPoint).not.toBe(genesis);
    await expectSame(fresh, source, { recordsAfter: pruningPoint, limitMs: PATIENCE_MS });
    await fresh.stop();
    await expectSoundStore(scene, "fresh");
  });
});
