/**
 * Benchmark of block propagation: how long a block takes through eight nodes in a line, each a process of its own on this
 * machine.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { payAddressOf } from "../../network/testkit/nodeMiner.ts";
import { NodeProcess, untilSo } from "../../network/testkit/nodeProcess.ts";
import type { Bench, Report } from "../run/bench.ts";
import { median, percentile } from "../run/median.ts";
import { WatchedLine } from "./watchedLine.ts";

const NODES = 8;
const PROFILE = fileURLToPath(new URL("../../profiles/prune.json", import.meta.url));
/** Blocks a second, and for how many seconds. */
const PACES = [
  { perSecond: 1, seconds: 60 },
  { perSecond: 10, seconds: 30 },
] as const;
/** Blocks at each pace that do not count: code is compiled meanwhile. */
const UNCOUNTED = 10;
/** Milliseconds for a start, and for the last blocks of a pace to arrive. */
const PATIENCE_MS = 120_000;

/** The benchmark. */
export const relayBench: Bench = {
  kind: "report",
  name: "relay",
  about: "a block through eight nodes in a line, at one and at ten blocks a second",
  figures: [
    { field: "paces.0.median_ms", better: "lower" },
    { field: "paces.1.median_ms", better: "lower" },
  ],
  async run({ signal }) {
    const { path: folder, remove } = temporaryFolder();
    const nodes: NodeProcess[] = [];
    try {
      await startLine(nodes, folder);
      const line = await WatchedLine.over(nodes);
      const paces: MinThroughput[] = [];
      for (const { perSecond, seconds } of PACES) {
        paces.push(await measured(line, { perSecond, count: perSecond * seconds, signal }));
      }
      return reportOf(paces);
    } finally {
      await Promise.all(nodes.map((node) => node.kill()));
      remove();
    }
  },
};

/** Starts them one after the other: each dials the one before. */
async function startLine(nodes: NodeProcess[], folder: string): Promise<void> {
  for (let number = 1; number <= NODES; number += 1) {
    const name = `node-${number}`;
    const before = nodes.at(-1);
    const node = await NodeProcess.start({
      name,
      profile: PROFILE,
      appdir: join(folder, name),
      peers: before === undefined ? [] : [before.peerPort],
      more: ["--loglevel=warn"],
    });
    nodes.push(node);
    await node.keysReady(PATIENCE_MS);
  }
  for (const [place, node] of nodes.entries()) {
    const wanted = place === 0 || place === NODES - 1 ? 1 : 2;
    await untilSo(async () => (await node.peerCount()) === wanted, PATIENCE_MS);
  }
}

type Wish = { readonly perSecond: number; readonly count: number; readonly signal: AbortSignal };
/** Milliseconds through the whole line, and of each block through each of its links. */
type MinThroughput = {
  readonly perSecond: number;
  readonly through: readonly number[];
  readonly perLink: readonly number[];
  /** Blocks a second that were mined in fact. */
  readonly minedPerSecond: number;
};

/** Mines at the first node and hears at all of them. */
async function measured(
  line: WatchedLine,
  { perSecond, count, signal }: Wish,
): Promise<MinThroughput> {
  const payAddress = payAddressOf(1);
  const hashes: string[] = [];
  const begun = performance.now();
  while (hashes.length < UNCOUNTED + count) {
    hashes.push(await line.mine(payAddress));
    const due = begun + (1_000 * hashes.length) / perSecond;
    await sleep(Math.max(0, due - performance.now()), undefined, { signal });
  }
  const minedPerSecond = (1_000 * hashes.length) / (performance.now() - begun);
  await untilSo(async () => hashes.every((hash) => line.isEverywhere(hash)), PATIENCE_MS);
  const times = hashes.slice(UNCOUNTED).map((hash) => line.timesOf(hash));
  const through = times.map((heard) => (heard.at(-1) ?? 0) - (heard[0] ?? 0));
  const perLink = times.flatMap((heard) =>
    heard.slice(1).map((ms, place) => ms - (heard[place] ?? 0)),
  );
  return { perSecond, through, perLink, minedPerSecond };
}

function reportOf(paces: readonly MinThroughput[]): Report {
  const figures = paces.map(({ perSecond, through, perLink, minedPerSecond }) => ({
    blocks_per_s: perSecond,
    mined_per_s: minedPerSecond,
    median_ms: median(through),
    p99_ms: percentile(through, 0.99),
    median_link_ms: median(perLink),
    samples: through,
  }));
  return {
    fields: { nodes: NODES, paces: figures },
    lines: figures.map(
      ({ blocks_per_s, mined_per_s, median_ms, p99_ms, median_link_ms, samples }) =>
        `  ${blocks_per_s} a second (${mined_per_s.toFixed(2)} mined): median ${median_ms.toFixed(0)} ms, 99 of 100 within ${p99_ms.toFixed(0)} ms, a link ${median_link_ms.toFixed(0)} ms (${samples.length} blocks)`,
    ),
  };
}
