/**
 * Benchmark of the explorer at the edge: what a Worker in workerd answers over 64 connections, from its memory and through its relay,
 * against the node alone; how often the node is asked for one path meanwhile; and how soon a block is on an open page.
 */
import { join } from "node:path";
import { mkdirSync, writeFileSync } from "node:fs";
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { freePort } from "../../network/testkit/freePort.ts";
import { pruneNetwork } from "../../network/testkit/networkSizes.ts";
import { mineAt, payAddressOf } from "../../network/testkit/nodeMiner.ts";
import { NodeProcess } from "../../network/testkit/nodeProcess.ts";
import { BareWorker } from "./bareWorker.ts";
import type { Bench, BenchOptions, Report } from "../run/bench.ts";
import { CountingProxy } from "./countingProxy.ts";
import { httpLoad, type LoadResult } from "./httpLoad.ts";
import { median, percentile } from "../run/median.ts";
import { shownFigures } from "./shownFigures.ts";

const CONNECTIONS = 64;
const LOAD_MS = 3_000;
const BLOCKS = 200;
/** The byte of the wallet that the blocks pay. */
const MINER = 77;
const CACHED_PATH = "/api/info/blockdag";

/** The benchmark. */
export const edgeBench: Bench = {
  kind: "report",
  name: "edge",
  about: `the explorer's Worker in workerd over ${CONNECTIONS} connections, against the node alone`,
  figures: [
    { field: "cached_rps", better: "higher" },
    { field: "uncached_rps", better: "higher" },
    { field: "p99_cached_ms", better: "lower" },
    { field: "origin_rps_max", better: "lower" },
    { field: "shown_ms", better: "lower" },
  ],
  run: (options) => inTemporaryFolder((folder) => measure(folder, options)),
};

type Round = {
  readonly node: LoadResult;
  readonly nodeUncached: LoadResult;
  readonly cached: LoadResult;
  readonly uncached: LoadResult;
};

async function measure(folder: string, { rounds }: BenchOptions): Promise<Report> {
  const profile = join(folder, "network.json");
  writeFileSync(profile, pruneNetwork());
  const appdir = join(folder, "node");
  const more = ["--loglevel=warn"];
  const node = await NodeProcess.start({ name: "node", profile, appdir, more });
  const proxy = await CountingProxy.start(node.http);
  try {
    await mineAt(node, BLOCKS, payAddressOf(MINER));
    const shown = await shownFigures(node, payAddressOf(MINER), folder);
    const bundle = join(folder, "bundle");
    mkdirSync(bundle);
    const place = { folder: bundle, port: await freePort(), node: proxy.address };
    const worker = await BareWorker.start({ ...place, network: await networkAt(node) });
    try {
      const all: Round[] = [];
      // The first one warms both, and is not counted.
      for (let round = 0; round <= rounds; round += 1) {
        const one = await measureRound(node.http, worker.address);
        if (round > 0) all.push(one);
      }
      return reportOf(all, proxy.mostPerSecond, shown);
    } finally {
      await worker.stop();
    }
  } finally {
    proxy.stop();
    await node.kill();
  }
}

async function networkAt(node: NodeProcess): Promise<string> {
  const tip: unknown = await (await fetch(`${node.http}${CACHED_PATH}`)).json();
  return String(Reflect.get(Object(tip), "networkName"));
}

/** Scores that nobody has asked for: each is a path of its own, which a cache cannot know. */
let score = 0;

async function measureRound(node: string, edge: string): Promise<Round> {
  const load = (url: () => string): Promise<LoadResult> =>
    httpLoad({ url, connections: CONNECTIONS, ms: LOAD_MS });
  const fresh = (address: string) => (): string => {
    score += 1;
    return `${address}/api/blocks/at?blueScore=${score}`;
  };
  return {
    node: await load(() => `${node}${CACHED_PATH}`),
    cached: await load(() => `${edge}${CACHED_PATH}`),
    nodeUncached: await load(fresh(node)),
    uncached: await load(fresh(edge)),
  };
}

function reportOf(rounds: readonly Round[], originMost: number, shown: readonly number[]): Report {
  const rates = (part: keyof Round): number[] => rounds.map((round) => round[part].perSecond);
  const p99 = (part: keyof Round): number =>
    percentile(
      rounds.flatMap((round) => round[part].times),
      0.99,
    );
  const ratio = (part: keyof Round, to: keyof Round): number =>
    median(rounds.map((round) => round[part].perSecond / round[to].perSecond));
  const fields = {
    cached_rps: median(rates("cached")),
    uncached_rps: median(rates("uncached")),
    node_rps: median(rates("node")),
    node_uncached_rps: median(rates("nodeUncached")),
    cached_ratio: ratio("cached", "node"),
    uncached_ratio: ratio("uncached", "nodeUncached"),
    p99_cached_ms: p99("cached"),
    p99_uncached_ms: p99("uncached"),
    p99_node_ms: p99("node"),
    origin_rps_max: originMost,
    shown_ms: Math.max(...shown),
    shown_median_ms: median(shown),
    connections: CONNECTIONS,
    refused: refusals(rounds),
  };
  const line = (name: string, part: keyof Round): string =>
    `  ${name.padEnd(14)} ${median(rates(part)).toFixed(0)} a second, 99 in 100 within ${p99(part).toFixed(1)} ms`;
  const perSecond = {
    cached: rates("cached"),
    uncached: rates("uncached"),
    node: rates("node"),
    nodeUncached: rates("nodeUncached"),
  };
  return {
    fields: { ...fields, samples: { perSecond, shown } },
    lines: [
      line("cached", "cached"),
      line("node", "node"),
      line("not cached", "uncached"),
      line("node, the same", "nodeUncached"),
      `  the node was asked for one path ${originMost} times within a second at most`,
      `  a block was on an open page ${median(shown).toFixed(0)} ms after its acceptance, ${Math.max(...shown).toFixed(0)} ms at most`,
    ],
  };
}

/** How many requests were refused, by the load. */
function refusals(rounds: readonly Round[]): Readonly<Record<keyof Round, number>> {
  const of = (part: keyof Round): number =>
    rounds.reduce((sum, round) => sum + round[part].refused, 0);
  return {
    ...{ node: of("node"), nodeUncached: of("nodeUncached") },
    ...{ cached: of("cached"), uncached: of("uncached") },
  };
}
