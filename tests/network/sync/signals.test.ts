/** A signal in every stage of a node's life: it ends in bounded time with the status in the documents, and the next start goes on. */
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { signalStatus } from "@svc/node-server/app/program/stopOnSignals.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { drawnPart } from "../../testkit/drawnCases.ts";
import { expectSame } from "../testkit/nodeFacts.ts";
import { mineAt, payAddressOf } from "../testkit/nodeMiner.ts";
import { untilSo, type NodeProcess } from "../testkit/nodeProcess.ts";
import { expectSoundStore, genesisHashOf } from "../testkit/nodeStore.ts";
import { PATIENCE_MS, SHALLOW, SHORT } from "../testkit/networkSizes.ts";
import { untilKnown } from "../testkit/paymentsOf.ts";
import { Scene, storedChain, type StoredChain } from "../testkit/scene.ts";
import { PERFECT_LINE, type TcpProxy } from "../testkit/tcpProxy.ts";

const STUCK_STOP = fileURLToPath(new URL("../../integration/node/stuckStop.ts", import.meta.url));
/** Slow enough that a stage lasts until the signal arrives. */
const SLOW = { ...PERFECT_LINE, delayMs: 20, bytesPerSecond: 1_000_000 };
/** Slow enough for the few records of the history, too. */
const SLOWER = { ...SLOW, bytesPerSecond: 100_000 };
const CAUGHT_UP = /"caught up"/;
const CLEAN = /^stopped, the store is clean$/;
/** Every record below the pruning point too. */
const HISTORY = "--shielded-history=on";

/** Ends a node; `status` is what the documents promise. */
type Way = {
  readonly name: string;
  readonly imports: readonly string[];
  readonly status: number;
  readonly end: (node: NodeProcess) => Promise<void>;
};

const once = (signal: "SIGTERM" | "SIGHUP"): Way => ({
  name: signal,
  imports: [],
  status: 0,
  end: async (node) => node.send(signal),
});
/** The first signal meets a stop that never ends, while everything behind the servers goes on. */
const twice = (signal: "SIGINT" | "SIGTERM" | "SIGHUP"): Way => ({
  name: `a second ${signal}`,
  imports: [STUCK_STOP],
  status: signalStatus(signal),
  end: async (node) => {
    const isStuck = node.nextLine(/^stuck$/, PATIENCE_MS);
    node.send("SIGINT");
    await isStuck;
    const hasMoved = node.nextLine(/^moved$/, PATIENCE_MS);
    node.send("SIGUSR2");
    await hasMoved;
    node.send(signal);
  },
});
const WAYS: readonly Way[] = [
  once("SIGTERM"),
  once("SIGHUP"),
  twice("SIGINT"),
  twice("SIGTERM"),
  twice("SIGHUP"),
];

/** In the order in which they come. What a node logs as its beginning, and whether its servers answer by then. */
const STAGES = [
  { name: "start", line: /"building the verifying key"/, listens: false },
  ...["negotiating", "proof", "trusted", "headers", "state", "bodies"].map((name) => ({
    name,
    line: new RegExp(`"stage":"${name}".*a stage begins`),
    listens: true,
  })),
] as const;

let chain: StoredChain;
let short: StoredChain;
beforeAll(async () => {
  chain = await storedChain(SHALLOW);
  short = await storedChain(SHORT);
});

/** All of them at full size, one of them by lot at the reduced one. */
function waysOf(scene: Scene): readonly Way[] {
  return IS_FULL ? WAYS : WAYS.slice(scene.random.below(WAYS.length)).slice(0, 1);
}

/** Ends a node and looks at how it went. */
async function expectEnd(node: NodeProcess, way: Way, stage: string): Promise<void> {
  const said = `${way.name} in stage ${stage}`;
  const clean = node.gather(CLEAN);
  await way.end(node);
  const status = await node.endedWithin(PATIENCE_MS);
  expect(status, said).toBe(way.status);
  expect(clean.length, said).toBe(way.status === 0 ? 1 : 0);
}

/** Headers and blocks that a node has said it holds are there at the next start. */
class Held {
  #headers = 0n;
  #blocks = 0n;

  async note(node: NodeProcess): Promise<void> {
    const { headerCount, blockCount } = await node.tip();
    expect(headerCount).toBeGreaterThanOrEqual(this.#headers);
    expect(blockCount).toBeGreaterThanOrEqual(this.#blocks);
    this.#headers = headerCount;
    this.#blocks = blockCount;
  }
}

async function startSource(scene: Scene): Promise<[NodeProcess, TcpProxy]> {
  scene.copyStore({ from: chain.path, name: "source" });
  const source = await scene.node({ name: "source" });
  return [source, await scene.line(source.peerPort, SLOW)];
}

test("a signal in each stage of catching up ends the node, and the next start goes on", async () => {
  const scene = new Scene(SHALLOW.profile);
  const [source, line] = await startSource(scene);
  const held = new Held();
  for (const stage of drawnPart(scene.random, STAGES, 4)) {
    for (const way of waysOf(scene)) {
      const spec = { name: "fresh", peers: [line.port], watched: [CAUGHT_UP] };
      const fresh = scene.begin({ ...spec, imports: way.imports });
      if (stage.listens) await fresh.listening();
      await fresh.line(stage.line, PATIENCE_MS);
      if (stage.listens) await held.note(fresh);
      expect(fresh.countOf(CAUGHT_UP), stage.name).toBe(0);
      await expectEnd(fresh, way, stage.name);
    }
  }
  const fresh = await scene.node({ name: "fresh", peers: [source.peerPort] });
  const { pruningPoint } = await source.tip();
  await expectSame(fresh, source, { recordsAfter: pruningPoint, limitMs: PATIENCE_MS });
  await held.note(fresh);
  await fresh.stop();
  await expectSoundStore(scene, "fresh");
});

test("a signal in the middle of fetching history: it goes on, stops to be wanted, and is wanted again", async () => {
  const scene = new Scene(SHALLOW.profile);
  const [source, line] = await startSource(scene);
  const first = await scene.node({ name: "fresh", peers: [source.peerPort] });
  const { sink, pruningPoint } = await source.tip();
  await first.untilTip("the sink", (tip) => tip.sink === sink, PATIENCE_MS);
  await first.stop();
  line.quality = SLOWER;
  for (const way of waysOf(scene)) {
    const spec = { name: "fresh", more: [HISTORY], peers: [line.port], imports: way.imports };
    const fresh = await scene.node(spec);
    await fresh.line(/"stage":"history".*a stage begins/, PATIENCE_MS);
    await fresh.untilTip("a part", ({ historyComplete }) => !historyComplete, PATIENCE_MS);
    await expectEnd(fresh, way, "history");
  }
  const unwanted = await scene.node({ name: "fresh", peers: [source.peerPort] });
  await untilSo(async () => (await unwanted.peerCount()) === 1, PATIENCE_MS);
  await expectSame(unwanted, source, { recordsAfter: pruningPoint, limitMs: PATIENCE_MS });
  expect((await unwanted.tip()).historyComplete).toBe(false);
  await unwanted.stop();
  await expectSoundStore(scene, "fresh");
  const again = await scene.node({ name: "fresh", more: [HISTORY], peers: [source.peerPort] });
  await again.untilTip("all history", ({ historyComplete }) => historyComplete, PATIENCE_MS);
  const recordsAfter = genesisHashOf(scene.profile);
  await expectSame(again, source, { recordsAfter, limitMs: PATIENCE_MS });
  await again.stop();
  await expectSoundStore(scene, "fresh");
});

test("blocks and payments that were acknowledged before a signal are there at the next start", async () => {
  const scene = new Scene(SHORT.profile);
  scene.copyStore({ from: short.path, name: "miner" });
  const waiting = [...short.waiting];
  const txids: string[] = [];
  const blocks = { count: 0n };
  for (const way of waysOf(scene)) {
    const node = await scene.node({ name: "miner", imports: way.imports });
    await node.keysReady(PATIENCE_MS);
    await mineAt(node, 2, payAddressOf(1));
    const { blockCount } = await node.tip();
    expect(blockCount).toBeGreaterThan(blocks.count);
    blocks.count = blockCount;
    const raw = waiting.shift();
    if (raw !== undefined) txids.push(await node.submit(raw));
    const flight = mineAt(node, 1, payAddressOf(1)).catch(() => undefined);
    await expectEnd(node, way, "mining");
    await flight;
  }
  expect(txids.length).toBeGreaterThan(0);
  const node = await scene.node({ name: "miner" });
  await node.keysReady(PATIENCE_MS);
  expect((await node.tip()).blockCount).toBeGreaterThanOrEqual(blocks.count);
  await untilKnown(node, txids);
  await node.stop();
  await expectSoundStore(scene, "miner");
});
