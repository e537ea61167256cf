/** Payments on their stem at a peer that swallows them, while their node is killed: each is still spread. */
import { beforeAll, expect, test } from "vitest";
import * as v from "valibot";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { PATIENCE_MS, SHORT } from "../testkit/networkSizes.ts";
import { untilSo, type NodeProcess } from "../testkit/nodeProcess.ts";
import { Scene, storedChain, type StoredChain } from "../testkit/scene.ts";
import { SwallowingPeer } from "./swallowingPeer.ts";

/** Each kills the node once more before it may go on. */
const KILLS = IS_FULL ? 8 : 2;
/** Answers of the node before it is killed, at most: some hundreds of milliseconds. */
const ANSWERS = 40;

const { networkName } = v.parse(v.object({ networkName: v.string() }), JSON.parse(SHORT.profile));

let chain: StoredChain;
beforeAll(async () => {
  chain = await storedChain(SHORT);
});

async function mempoolSize(node: NodeProcess): Promise<number> {
  const response = await fetch(`${node.http}/v1/tip`);
  return v.parse(v.object({ mempoolSize: v.number() }), await response.json()).mempoolSize;
}

test("a payment on its stem survives kills of its node and a peer that swallows it", async () => {
  const scene = new Scene(SHORT.profile);
  const hole = await SwallowingPeer.start(networkName);
  try {
    scene.copyStore({ from: chain.path, name: "payer" });
    scene.copyStore({ from: chain.path, name: "honest" });
    const [raw = new Uint8Array()] = chain.waiting;
    let payer = await scene.node({ name: "payer", peers: [hole.port] });
    await payer.keysReady(PATIENCE_MS);
    await payer.line(/a peer came/, PATIENCE_MS);
    const txid = await payer.submit(raw);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await untilSo(async () => hole.swallowed >= kill, PATIENCE_MS);
      // Nobody who asks the node sees it meanwhile.
      for (let left = scene.random.below(ANSWERS); left >= 0; left -= 1)
        expect(await payer.waiting()).toEqual([]);
      // Whoever hands it in again learns nothing by that, and its sender is told once more that it is here.
      expect(await payer.submit(raw)).toBe(txid);
      expect(await mempoolSize(payer)).toBe(0);
      await payer.kill();
      if (kill < KILLS) payer = await scene.node({ name: "payer", peers: [hole.port] });
    }
    const honest = await scene.node({ name: "honest" });
    await honest.keysReady(PATIENCE_MS);
    await scene.node({ name: "payer", peers: [honest.peerPort] });
    await untilSo(async () => (await honest.waiting()).includes(txid), PATIENCE_MS);
  } finally {
    await hole.stop();
  }
});
