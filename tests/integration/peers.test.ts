/** Nodes that find each other over real sockets, and whose chains become one. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { parseFlags } from "@svc/node-server/app/flags.ts";
import type { NodeOptions, RunningNode } from "@svc/node-server/app/node.ts";
import type { PeerFlags } from "@svc/node-server/app/peerFlags.ts";
import { systemClock } from "@svc/node-server/platform/clock.ts";
import { createLog } from "@svc/node-server/platform/log.ts";
import { readTipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import { recipient } from "./engineFixture.ts";
import { mineOn, startTestNode } from "./nodeFixture.ts";

const nodes: RunningNode[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function peersOf(...args: string[]): PeerFlags {
  return parseFlags("local", args, {}).peers;
}

async function start(peers: PeerFlags, over: Partial<NodeOptions> = {}): Promise<RunningNode> {
  const folder = mkdtempSync(join(tmpdir(), "svc-peers-"));
  folders.push(folder);
  const log = createLog(process.env["SVC_TEST_LOG"] === undefined ? "silent" : "debug");
  const node = await startTestNode(folder, { peers, clock: systemClock, log, ...over });
  nodes.push(node);
  return node;
}

async function tipOf(node: RunningNode) {
  return readTipFacts(await node.api.ask("tip", []));
}

/** Resolves when a node's sink is this block. */
async function reaches(node: RunningNode, sink: string): Promise<void> {
  let news = Promise.withResolvers<void>();
  const end = node.api.onEvent(() => news.resolve());
  try {
    for (;;) {
      news = Promise.withResolvers();
      if ((await tipOf(node)).sink === sink) return;
      await news.promise;
    }
  } finally {
    end();
  }
}

describe("two nodes", () => {
  it("pass blocks on, and the one that comes later catches up", { timeout: 60_000 }, async () => {
    const first = await start(peersOf("--listen=127.0.0.1:0"));
    for (let block = 0; block < 150; block += 1) await mineOn(first, recipient(1));
    const second = await start(peersOf(`--connect=127.0.0.1:${first.peerPort}`));
    await reaches(second, (await tipOf(first)).sink);
    const next = await mineOn(first, recipient(1));
    await reaches(second, next);
    const own = await mineOn(second, recipient(1));
    await reaches(first, own);
    expect((await tipOf(second)).treeRoot).toBe((await tipOf(first)).treeRoot);
  });
});
