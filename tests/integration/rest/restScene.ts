/** A node whose public REST interface tests ask: the recorded payment chain with a reorganisation, and a graph with blue and red blocks. */
import type { NodeOptions, RunningNode } from "@svc/node-server/app/node/node.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { BlockMaker, recipient } from "../engine/engineFixture.ts";
import { mineOn, never, startTestNode } from "../node/nodeFixture.ts";

const fixture = readPaymentFixture();
/** Blocks that two miners have in common, and those that each then makes alone: more than the rules take for blue. */
const COMMON = 3;
const ALONE = 22;

/** Starts a node that has the recorded trunk, then the branch that replaces its end. */
export async function startRecordedNode(over: Partial<NodeOptions> = {}): Promise<RunningNode> {
  const node = await startOnDisk({
    network: { name: fixture.profile },
    clock: new ManualClock(fixture.firstBlockMs + 1_000_000n),
    ...over,
  });
  for (const raw of [...fixture.trunk, ...fixture.branch]) await node.api.submitBlock(raw, never);
  return node;
}

/** Blocks that nobody has merged yet. */
export const UNMERGED = 2;

/** Starts a node with a graph of two branches that a block has merged, and blocks beside that block. */
export async function startGraphNode(): Promise<RunningNode> {
  const node = await startOnDisk();
  const [one, other] = [new BlockMaker(), new BlockMaker()];
  const blocks: Uint8Array[] = [];
  for (let count = 0; count < COMMON; count += 1) {
    const block = one.next(recipient(1));
    other.take(block);
    blocks.push(block);
  }
  for (let count = 0; count < ALONE; count += 1) {
    blocks.push(one.next(recipient(1)), other.next(recipient(2)));
  }
  blocks.push(one.next(recipient(1)));
  for (const raw of blocks) await node.api.submitBlock(raw, never);
  // The merging block alone would be overtaken by what follows beside it.
  for (let count = 0; count < 2 * UNMERGED; count += 1) await mineOn(node, recipient(3));
  for (let count = 0; count < UNMERGED; count += 1) {
    await node.api.submitBlock(other.next(recipient(2)), never);
  }
  return node;
}

/** Starts a node with a real database, which goes with it. */
async function startOnDisk(over: Partial<NodeOptions> = {}): Promise<RunningNode> {
  const folder = temporaryFolder();
  const node = await startTestNode(folder.path, over);
  const stop = async (): Promise<void> => {
    await node.stop();
    folder.remove();
  };
  return { ...node, stop };
}

/** Asks the node for a path of the interface. */
export function askRest(
  node: RunningNode,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${node.httpAddress}/api${path}`, init);
}

/** The document at a path. Throws for any other status than 200. */
export async function documentOf(node: RunningNode, path: string): Promise<unknown> {
  const answer = await askRest(node, path);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
