/** Nodes that find each other over real sockets, and whose chains become one. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { parseFlags } from "@svc/node-server/app/options/flags.ts";
import type { NodeOptions, RunningNode } from "@svc/node-server/app/node/node.ts";
import type { PeerFlags } from "@svc/node-server/app/options/peerFlags.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { BlockMaker, core, recipient } from "../engine/engineFixture.ts";
import { mineOn, never, runningClock, startTestNode, tipOf, untilSink } from "./nodeFixture.ts";
import { DEPTH, smallNetwork } from "./smallNetwork.ts";

const nodes: RunningNode[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop();
  folders.length = 0;
});

function peersOf(...args: string[]): PeerFlags {
  return parseFlags("local", args, {}).peers;
}

function start(peers: PeerFlags, over: Partial<NodeOptions> = {}): Promise<RunningNode> {
  const folder = folderOfTest();
  folders.push(folder);
  return startIn(folder, peers, over);
}

async function startIn(
  folder: string,
  peers: PeerFlags,
  over: Partial<NodeOptions>,
): Promise<RunningNode> {
  const log = createLog(process.env["SVC_TEST_LOG"] === undefined ? "silent" : "debug");
  const node = await startTestNode(folder, { peers, clock: runningClock, log, ...over });
  nodes.push(node);
  return node;
}

/** The small network in a file of its own. */
function networkFile(): string {
  const file = join(folderOfTest(), "network.json");
  writeFileSync(file, smallNetwork());
  return file;
}

describe("two nodes", () => {
  it("pass blocks on, and the one that comes later catches up", async () => {
    const first = await start(peersOf("--listen=127.0.0.1:0"));
    for (let block = 0; block < 150; block += 1) await mineOn(first, recipient(1));
    const second = await start(peersOf(`--connect=127.0.0.1:${first.peerPort}`));
    await untilSink(second, (await tipOf(first)).sink);
    const next = await mineOn(first, recipient(1));
    await untilSink(second, next);
    const own = await mineOn(second, recipient(1));
    await untilSink(first, own);
    expect((await tipOf(second)).treeRoot).toBe((await tipOf(first)).treeRoot);
  });
});

describe("a source that has pruned", () => {
  it("gives its pruning point to a node that begins", async () => {
    const file = networkFile();
    const source = await start(peersOf("--listen=127.0.0.1:0"), { network: { file } });
    const maker = new BlockMaker(core.canonicalProfile(smallNetwork()));
    for (let block = 0; block < 2 * DEPTH; block += 1) {
      const outcome = await source.api.submitBlock(maker.next(recipient(1)), never);
      expect(outcome.kind).toBe("accepted");
    }
    const tip = await tipOf(source);
    expect(tip.pruningPoint).not.toBe(tip.genesis);
    const fresh = await start(peersOf(`--connect=127.0.0.1:${source.peerPort}`), {
      network: { file },
    });
    await untilSink(fresh, tip.sink);
    const own = await tipOf(fresh);
    expect(own.pruningPoint).toBe(tip.pruningPoint);
    expect([own.treeRoot, own.treeSize, own.historyComplete]).toEqual([
      tip.treeRoot,
      tip.treeSize,
      false,
    ]);
    const shielded = (node: RunningNode) => node.api.ask("shieldedFacts", [tip.sink]);
    expect(await shielded(fresh)).toBe(await shielded(source));
    await untilSink(fresh, await mineOn(source, recipient(1)));
    // What came before the point comes from a source that has it all, when somebody wants it.
    await fresh.stop();
    const [folder] = folders.slice(-1);
    const wanting = await startIn(folder ?? "", peersOf(`--connect=127.0.0.1:${source.peerPort}`), {
      network: { file },
      shieldedHistory: true,
    });
    while (!(await tipOf(wanting)).historyComplete) await nextTurn();
    const first = (node: RunningNode) => node.api.ask("records", [tip.genesis, 5]);
    expect(await first(wanting)).toEqual(await first(source));
  });
});

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
