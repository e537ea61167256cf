/** Nodes in a ring over bad lines, miners at several of them: they agree, and payments reach every pool and a block. */
import { beforeAll, expect, test } from "vitest";
import * as v from "valibot";
import { RPC_LIMITS } from "@svc/node-server/rpc/rpcLimits.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { chainFacts, untilAgreed } from "../testkit/nodeFacts.ts";
import { mineAt, payAddressOf } from "../testkit/nodeMiner.ts";
import { untilSo, type NodeProcess } from "../testkit/nodeProcess.ts";
import { genesisHashOf } from "../testkit/nodeStore.ts";
import { PATIENCE_MS, SHORT } from "../testkit/networkSizes.ts";
import { Scene, storedChain, type StoredChain } from "../testkit/scene.ts";
import type { LineQuality } from "../testkit/tcpProxy.ts";

const SIZES = IS_FULL ? [2, 8, 20] : [4];
/** Blocks that each miner makes. */
const ROUNDS = IS_FULL ? 60 : 10;
/** Every so many nodes one mines. */
const MINER_EVERY = 2;
const BAD: LineQuality = {
  delayMs: 40,
  jitterMs: 30,
  lossPerMille: 10,
  resendMs: 200,
  bytesPerSecond: null,
};

const chainRows = v.object({
  rows: v.array(v.object({ applied: v.array(v.object({ txid: v.string() })) })),
});

let chain: StoredChain;
beforeAll(async () => {
  chain = await storedChain(SHORT);
});

/** Each dials the next over a bad line, and the last one the first. */
async function ring(scene: Scene, size: number): Promise<readonly NodeProcess[]> {
  const nodes: NodeProcess[] = [];
  const ports: number[] = [];
  for (let index = 0; index < size; index += 1) {
    const name = `node-${index}`;
    scene.copyStore({ from: chain.path, name });
    const isLast = index + 1 === size && size > 2;
    const dialled = [ports[index - 1], isLast ? ports[0] : undefined];
    const peers = dialled.filter((port) => port !== undefined);
    const node = await scene.node({ name, peers });
    nodes.push(node);
    ports.push((await scene.line(node.peerPort, BAD)).port);
  }
  return nodes;
}

/** Payments that the newest blocks of the chain applied. */
async function applied(node: NodeProcess): Promise<readonly string[]> {
  const response = await fetch(`${node.http}/v1/chain?limit=${RPC_LIMITS.chainRowsMax}`);
  const { rows } = v.parse(chainRows, await response.json());
  return rows.flatMap((row) => row.applied.map(({ txid }) => txid));
}

for (const size of SIZES) {
  test(`${size} nodes agree, and payments reach all of them`, async () => {
    const scene = new Scene(SHORT.profile);
    const nodes = await ring(scene, size);
    const payments: string[] = [];
    for (const [at, raw] of chain.waiting.entries()) {
      const node = nodes[at % nodes.length];
      if (node === undefined) throw new Error("there is no node");
      await node.keysReady(PATIENCE_MS);
      payments.push(await node.submit(raw));
    }
    payments.sort();
    for (const node of nodes) {
      await untilSo(
        async () => (await node.waiting()).toSorted().join() === payments.join(),
        PATIENCE_MS,
      );
    }
    const miners = nodes.filter((_, index) => index % MINER_EVERY === 0);
    const [first] = miners;
    if (first === undefined) throw new Error("nobody mines");
    await Promise.all(miners.map((node, at) => mineAt(node, ROUNDS, payAddressOf(at + 1))));
    const blockCount = BigInt(1 + chain.blocks.length + miners.length * ROUNDS);
    await untilAgreed(nodes, { blockCount, limitMs: PATIENCE_MS });
    // Blocks made at the same time are all below this one.
    await mineAt(first, 1, payAddressOf(1));
    await untilAgreed(nodes, { blockCount: blockCount + 1n, limitMs: PATIENCE_MS });
    const recordsAfter = genesisHashOf(scene.profile);
    const facts = await Promise.all(nodes.map((node) => chainFacts(node, { recordsAfter })));
    for (const other of facts) expect(other).toEqual(facts[0]);
    for (const node of nodes) {
      expect((await applied(node)).toSorted(), node.spec.name).toEqual(payments);
      // The pool follows the chain in its own time.
      await untilSo(async () => (await node.waiting()).length === 0, PATIENCE_MS);
    }
  });
}
