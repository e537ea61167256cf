/**
 * Preload module that measures a node's memory, in each of its threads. SIGUSR2 has all of them tell what they hold, and
 * the main thread writes it to the file that `SVC_MEMORY_PROBE` names; with `SVC_MEMORY_COLLECT` they collect garbage
 * first.
 */
import { renameSync, writeFileSync } from "node:fs";
import { parse } from "node:path";
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { BroadcastChannel, isMainThread, threadId } from "node:worker_threads";
import type { ThreadMemory } from "./memoryMap.ts";

/** Milliseconds after which a thread that says nothing has ended, or is left out. */
const LATE_MS = 5_000;

type Word =
  | { readonly kind: "joined"; readonly id: number }
  | { readonly kind: "ask" }
  | { readonly kind: "told"; readonly memory: ThreadMemory };

const memories: WebAssembly.Memory[] = [];

/** No statistic of V8 names the memories of WebAssembly. */
function watchInstances(): void {
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct(target, [module, imports]: [WebAssembly.Module, WebAssembly.Imports?]) {
      const instance = new target(module, imports);
      for (const value of Object.values(instance.exports)) {
        if (value instanceof WebAssembly.Memory) memories.push(value);
      }
      return instance;
    },
  });
}

function collect(): void {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  if (typeof gc === "function") gc();
}

/** Node loads the program that strips types when it meets a module that is not in its cache. */
function hasStrippedTypes(): boolean {
  const loaded: unknown = Reflect.get(process, "moduleLoadList");
  if (!Array.isArray(loaded))
    throw new Error("this Node does not tell which of its modules it loaded");
  return loaded.some((name) => String(name).includes("amaro"));
}

function memoryOfThread(): ThreadMemory {
  if (process.env["SVC_MEMORY_COLLECT"] !== undefined) collect();
  const heap = getHeapStatistics();
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  return {
    id: threadId,
    thread: isMainThread ? "main" : parse(process.argv[1] ?? "").name,
    heap: heap.total_physical_size,
    used: heap.used_heap_size,
    stripsTypes: hasStrippedTypes(),
    young: young?.physical_space_size ?? 0,
    wasm: memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0),
  };
}

function listen(channel: BroadcastChannel, hear: (word: Word) => void): void {
  channel.addEventListener("message", (event) => {
    if (event instanceof MessageEvent) hear(event.data);
  });
}

function serveMain(channel: BroadcastChannel, file: string): void {
  const threads = new Set<number>();
  let told: ThreadMemory[] = [];
  let late: NodeJS.Timeout | undefined;
  const write = (): void => {
    clearTimeout(late);
    // Whoever finds the file finds all of it.
    writeFileSync(`${file}.part`, JSON.stringify(told));
    renameSync(`${file}.part`, file);
  };
  listen(channel, (word) => {
    if (word.kind === "joined") threads.add(word.id);
    if (word.kind !== "told") return;
    told.push(word.memory);
    if (told.length > threads.size) write();
  });
  process.on("SIGUSR2", () => {
    told = [memoryOfThread()];
    late = setTimeout(() => {
      const here = new Set(told.map(({ id }) => id));
      for (const id of threads) if (!here.has(id)) threads.delete(id);
      write();
    }, LATE_MS);
    channel.postMessage({ kind: "ask" } satisfies Word);
  });
}

const file = process.env["SVC_MEMORY_PROBE"];
if (file !== undefined) {
  watchInstances();
  const channel = new BroadcastChannel("svc-memory-probe");
  if (isMainThread) serveMain(channel, file);
  else {
    const say = (word: Word): void => channel.postMessage(word);
    listen(channel, ({ kind }) => {
      if (kind === "ask") say({ kind: "told", memory: memoryOfThread() });
    });
    say({ kind: "joined", id: threadId });
  }
  // A listener must not keep a thread alive that has nothing else to do.
  channel.unref();
}
