/** How long after its acceptance by a node a block is on an open page of the explorer at the edge, in a browser. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { launchBrowser, openPage } from "../../e2e/testkit/browser.ts";
import { shownBlocks } from "../../e2e/explorer/shownBlocks.ts";
import { freePort } from "../../network/testkit/freePort.ts";
import { ListeningProgram } from "../../network/testkit/listeningProgram.ts";
import { mineAt } from "../../network/testkit/nodeMiner.ts";
import type { NodeProcess } from "../../network/testkit/nodeProcess.ts";

/** Blocks that are waited for. */
const BLOCKS = 20;
/** Between two blocks: about the pace of a network, and no multiple of the page's own. */
const BLOCK_MS = 1_130;

/** Milliseconds from acceptance to the page, for each of 20 blocks. `folder` is for what the program of the edge keeps. */
export async function shownFigures(
  node: NodeProcess,
  miner: string,
  folder: string,
): Promise<readonly number[]> {
  const edge = new ListeningProgram({
    name: "edge",
    command: [
      ...["scripts/edge.ts", "explorer", `--port=${await freePort()}`],
      ...[`--node=${node.http}`, `--data=${join(folder, "edge")}`],
    ],
    home: folder,
    listens: /the explorer answers at (http:\S+)/,
    log: [],
  });
  const browser = await launchBrowser();
  const mining = new AbortController();
  try {
    const { page } = await openPage(await browser.newContext(), `${await edge.listening()}/blocks`);
    const mined = mineSteadily(node, miner, mining.signal);
    const shown = await Promise.race([shownBlocks(page, node.http, BLOCKS), mined]);
    mining.abort();
    await mined;
    return (shown ?? []).map(({ delayMs }) => delayMs);
  } finally {
    mining.abort();
    await browser.close();
    await edge.stop();
  }
}

/** Mines a block at a time until it is told to end. Rejects when a block is refused. */
async function mineSteadily(node: NodeProcess, miner: string, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await mineAt(node, 1, miner);
    await pause(BLOCK_MS, undefined, { signal: ended }).catch(() => undefined);
  }
}
