/** The memory of a node that is mined on: within its bound, and nothing kept of each block. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PLATFORM_LIMITS } from "@svc/node-server/platform/platformLimits.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { readThresholds } from "../../bench/run/thresholds.ts";
import { MemoryWatch, type MemoryMap, type ThreadMemory } from "./memoryMap.ts";
import { mineAt, payAddressOf } from "../testkit/nodeMiner.ts";
import { PATIENCE_MS, pruneNetwork } from "../testkit/networkSizes.ts";
import type { NodeProcess } from "../testkit/nodeProcess.ts";
import { Scene } from "../testkit/scene.ts";

/** Blocks before the first look: by then everything has been called, and what is compiled late is compiled. */
const WARM_BLOCKS = IS_FULL ? 20_000 : 300;
/** Blocks between the looks. */
const BLOCKS = IS_FULL ? 20_000 : 500;
/** KiB of JavaScript that a thread may hold more for each block between: the main thread's caches fill by 0.4 at first. */
const KEPT_KIB = IS_FULL ? 0.1 : 0.6;
/** MiB that a WebAssembly memory may grow between, in which the engine's caches fill; at the full size they are full. */
const WASM_MIB = IS_FULL ? 1 : 8;
const THREADS = ["engineWorker", "main", "readerWorker", "serveWorker", "verifyWorker"];

test("a node that is mined on stays within its memory and keeps nothing of each block in any thread", async () => {
  const scene = new Scene(pruneNetwork());
  const watch = new MemoryWatch(join(scene.appdir("."), "memory.json"), { collects: true });
  const started = async (): Promise<NodeProcess> => {
    const node = await scene.node({ name: "mined", more: ["--loglevel=warn"], ...watch.spec });
    await node.keysReady(PATIENCE_MS);
    return node;
  };
  // Set-up has not met what asks the threads: the second start finds it compiled.
  await (await started()).stop();
  const node = await started();
  await mineAt(node, WARM_BLOCKS, payAddressOf(1));
  const before = await watch.look(node);
  await mineAt(node, BLOCKS, payAddressOf(1));
  const after = await watch.look(node);
  await node.stop();

  expect(after.threads.map(({ thread }) => thread).toSorted()).toEqual(THREADS);
  for (const thread of after.threads) {
    expect(thread.stripsTypes, thread.thread).toBe(false);
    const earlier = threadOf(before, thread.thread);
    // Two halves of new objects, and what is new and large.
    expect(thread.young, thread.thread).toBeLessThanOrEqual(2 * PLATFORM_LIMITS.youngHeapMib + 1);
    const kept = (1_024 * (thread.used - earlier.used)) / BLOCKS;
    expect(kept, `KiB a block in ${thread.thread}`).toBeLessThan(KEPT_KIB);
    expect(thread.wasm - earlier.wasm, thread.thread).toBeLessThan(WASM_MIB);
  }
  expect(after.anonymous).toBeLessThan(boundMib());
});

function threadOf({ threads }: MemoryMap, name: string): ThreadMemory {
  const found = threads.find(({ thread }) => thread === name);
  if (found === undefined) throw new Error(`there is no thread ${name}`);
  return found;
}

/** What the benchmark is judged by. */
function boundMib(): number {
  const bound = readThresholds().find(({ field }) => field === "anon_mib");
  if (bound === undefined) throw new Error("there is no bound");
  return bound.must;
}

test("programs begin with the bounds that have names", () => {
  const starter = readFileSync(new URL("../../../scripts/run.sh", import.meta.url), "utf8");
  expect(starter).toContain(`--max-semi-space-size=${PLATFORM_LIMITS.youngHeapMib}\n`);
  expect(starter).toContain(`MALLOC_ARENA_MAX:-${PLATFORM_LIMITS.mallocArenas}}`);
});
