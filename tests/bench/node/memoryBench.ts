/** Benchmark of a node's memory by owner while blocks are mined on it over gRPC: the memory does not grow with the chain. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { RpcFault } from "@svc/shared/protocol/rpc/rpcFault.ts";
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { ENGINE_LIMITS } from "@svc/node-server/engine/engineLimits.ts";
import { PLATFORM_LIMITS } from "@svc/node-server/platform/platformLimits.ts";
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { MemoryWatch, type MemoryMap } from "../../network/program/memoryMap.ts";
import { mineAt, payAddressOf } from "../../network/testkit/nodeMiner.ts";
import { NodeProcess } from "../../network/testkit/nodeProcess.ts";
import type { Bench, Report } from "../run/bench.ts";

const PROFILE = fileURLToPath(new URL("../../profiles/prune.json", import.meta.url));
/** Looks at the memory on the way. */
const LOOKS = 50;
/** Blocks after which the engine's caches are full: twice the generations of the largest. */
const FULL_BLOCKS = 16_384;
/** Blocks a second at most: a node refuses a source that hands in more than its share for long. */
const PACE = 0.9 * ENGINE_LIMITS.headersPerSecond;
/** Milliseconds for a start. */
const PATIENCE_MS = 120_000;

/** One look. */
type Look = MemoryMap & { readonly blocks: number };

/** The benchmark. */
export const memoryBench: Bench = {
  kind: "report",
  name: "memory",
  about: "memory of a node's own while --blocks are mined on it, by thread and part",
  figures: [{ field: "anon_mib", better: "lower" }],
  async run({ blocks, signal }) {
    return inTemporaryFolder(async (folder) => {
      const watch = new MemoryWatch(join(folder, "memory.json"));
      // What asks the threads was not compiled with the node's modules: the second start finds it.
      await (await started(folder, watch)).stop();
      const node = await started(folder, watch);
      try {
        const begun = performance.now();
        const run = await mined(node, watch, { blocks, signal });
        const seconds = (performance.now() - begun) / 1_000;
        await node.stop();
        return reportOf(run, blocks / seconds);
      } catch (error) {
        console.error(node.log);
        throw error;
      } finally {
        await node.kill();
      }
    });
  },
};

async function started(folder: string, watch: MemoryWatch): Promise<NodeProcess> {
  const node = await NodeProcess.start({
    name: "mined",
    profile: PROFILE,
    appdir: join(folder, "mined"),
    more: ["--loglevel=warn"],
    ...watch.spec,
  });
  await node.keysReady(PATIENCE_MS);
  return node;
}

type Run = { readonly looks: readonly Look[]; readonly restarts: number };
type Wish = { readonly blocks: number; readonly signal: AbortSignal };

/** Mines and looks; says on standard error how far it is. */
async function mined(
  node: NodeProcess,
  watch: MemoryWatch,
  { blocks, signal }: Wish,
): Promise<Run> {
  const payAddress = payAddressOf(1);
  let restarts = 0;
  const looks: Look[] = [{ blocks: 0, ...(await watch.look(node)) }];
  for (let number = 1; number <= LOOKS; number += 1) {
    const [from, to] = [number - 1, number].map((part) => Math.round((part * blocks) / LOOKS));
    const count = (to ?? 0) - (from ?? 0);
    for (let one = 0; one < count; one += 1) {
      throwIfAborted(signal);
      const begun = performance.now();
      restarts += await mineThrough(node, payAddress);
      await sleep(Math.max(0, begun + 1_000 / PACE - performance.now()), undefined, { signal });
    }
    const look = { blocks: to ?? 0, ...(await watch.look(node)) };
    looks.push(look);
    console.error(`  ${look.blocks} of ${blocks} blocks: ${partsText(look)}`);
  }
  return { looks, restarts };
}

/** Mines a block; how often the engine was started anew meanwhile. A miner asks again then, and memory is what is asked about. */
async function mineThrough(node: NodeProcess, payAddress: string): Promise<number> {
  for (let restarts = 0; ; restarts += 1) {
    try {
      await mineAt(node, 1, payAddress);
      return restarts;
    } catch (error) {
      const isRestart = error instanceof RpcFault && error.message.startsWith("engine/restarted");
      if (!isRestart || restarts >= PLATFORM_LIMITS.workerRestarts) throw error;
    }
  }
}

function reportOf({ looks, restarts }: Run, rate: number): Report {
  const most = looks.reduce((one, other) => (other.anonymous > one.anonymous ? other : one));
  const first = looks[0] ?? most;
  const last = looks.at(-1) ?? most;
  const { grown, note } = growth(looks);
  return {
    fields: {
      anon_mib: most.anonymous,
      anon_start_mib: first.anonymous,
      anon_end_mib: last.anonymous,
      grown_mib: grown,
      rss_mib: Math.max(...looks.map(({ resident }) => resident)),
      blocks: last.blocks,
      blocks_per_s: rate,
      engine_restarts: restarts,
      samples: looks,
      notes: note,
    },
    lines: [
      `  ${most.anonymous.toFixed(0)} MiB of its own at most, ${first.anonymous.toFixed(0)} at the start, ${last.anonymous.toFixed(0)} at the end`,
      `  ${grown.toFixed(1)} MiB grown; ${rate.toFixed(0)} blocks a second, ${restarts} restarts of the engine`,
      `  at most: ${partsText(most)}`,
      ...most.threads.map(
        ({ thread, heap, young, wasm }) =>
          `    ${thread.padEnd(14)} heap ${heap.toFixed(1)} (new objects ${young.toFixed(1)}), wasm ${wasm.toFixed(1)}`,
      ),
      ...note.map((text) => `  (${text})`),
    ],
  };
}

/** The mean of the last third of the time with full caches, less that of the first: single looks go up and down with garbage. */
function growth(looks: readonly Look[]): { readonly grown: number; readonly note: string[] } {
  const full = looks.filter(({ blocks }) => blocks >= FULL_BLOCKS);
  const isLong = full.length >= LOOKS / 2;
  const counted = isLong ? full : looks.slice(Math.ceil(looks.length / 2));
  const third = Math.ceil(counted.length / 3);
  const mean = (some: readonly Look[]): number =>
    some.reduce((sum, { anonymous }) => sum + anonymous, 0) / Math.max(1, some.length);
  const note = isLong ? [] : [`the engine's caches are full from block ${FULL_BLOCKS} on`];
  return { grown: mean(counted.slice(-third)) - mean(counted.slice(0, third)), note };
}

function partsText({ anonymous, heaps, wasm, other }: Look): string {
  const [sum, ...parts] = [anonymous, heaps, wasm, other].map((mib) => mib.toFixed(0));
  return `${sum} MiB (heaps ${parts[0]}, wasm ${parts[1]}, other ${parts[2]})`;
}
