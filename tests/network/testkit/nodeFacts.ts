/** Chain state of a node in a form in which two nodes are compared. */
import { createHash } from "node:crypto";
import { expect } from "vitest";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { readContainer, readRecords } from "@svc/shared/protocol/http/recordContainer.ts";
import { untilSo, type NodeProcess } from "./nodeProcess.ts";

/** Which records are compared: those behind this block. */
export type FactsOptions = { readonly recordsAfter: string };

/** Sink, virtual state, note tree, supply, anchors, and the records of the chain. */
export async function chainFacts(node: NodeProcess, { recordsAfter }: FactsOptions) {
  const tip = await node.tip();
  const supply = await node.grpc.call({
    $case: "getShieldedSupply",
    value: { blockHash: undefined },
  });
  const { sink, daaScore, chainIndex, treeSize, treeRoot, pruningPoint } = tip;
  const { virtualParents, sinkBlueScore, sinkBlueWork, bits, pastMedianTime } = tip;
  const tree = await bytesOf(node, `/v1/tree/state?at=${sink}`);
  return {
    sink,
    chainIndex,
    daaScore,
    virtualParents,
    sinkBlueScore,
    sinkBlueWork,
    bits,
    pastMedianTime,
    pruningPoint,
    treeSize,
    treeRoot,
    tree: createHash("sha256").update(tree).digest("hex"),
    supply,
    records: await recordsDigest(node, recordsAfter),
  };
}

/**
 * Waits until all nodes have so many blocks and stand on the same ones. A node has blocks before it stands on them, so their
 * number alone says nothing of its sink, nor of the parents of its templates.
 */
export async function untilAgreed(
  nodes: readonly NodeProcess[],
  { blockCount, limitMs }: { readonly blockCount: bigint; readonly limitMs: number },
): Promise<void> {
  for (const node of nodes) {
    await node.untilTip("all blocks", (tip) => tip.blockCount === blockCount, limitMs);
  }
  await untilSo(async () => {
    const tips = await Promise.all(nodes.map((node) => node.tip()));
    return new Set(tips.map(({ virtualParents }) => virtualParents.join())).size === 1;
  }, limitMs);
}

/** Waits until all nodes stand on this block. */
export async function untilSink(
  nodes: readonly NodeProcess[],
  { sink, limitMs }: { readonly sink: string; readonly limitMs: number },
): Promise<void> {
  for (const node of nodes) {
    await node.untilTip(`the sink ${sink}`, (tip) => tip.sink === sink, limitMs);
  }
}

/** Waits until a node stands where another one does, and fails with the difference when all facts are not equal. */
export async function expectSame(
  node: NodeProcess,
  source: NodeProcess,
  { limitMs, ...options }: FactsOptions & { readonly limitMs: number },
): Promise<void> {
  const { sink } = await source.tip();
  await untilSink([node], { sink, limitMs });
  expect(await chainFacts(node, options)).toEqual(await chainFacts(source, options));
}

async function bytesOf(node: NodeProcess, path: string): Promise<Uint8Array> {
  const response = await fetch(`${node.http}${path}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${path}: ${Buffer.from(bytes).toString()}`);
  return bytes;
}

/** How many records there are behind a block, and their digest. */
async function recordsDigest(node: NodeProcess, after: string): Promise<string> {
  const digest = createHash("sha256");
  let count = 0;
  for (let last = after; ;) {
    const limit = PROTOCOL_LIMITS.recordPageMax;
    const page = readContainer(
      await bytesOf(node, `/v1/blocks?after=${last}&limit=${limit}`),
      limit,
    );
    digest.update(page.body);
    count += page.count;
    const newest = readRecords(page).at(-1);
    if (newest === undefined) return `${count} records, ${digest.digest("hex")}`;
    last = newest.hash;
  }
}
