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
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";
import type { ThreadMemory } from "./memoryMap.ts";

/**
 * ms. After it a thread that says nothing is left out: one that ended together with the thread that knew of its end. Whoever asks
 * waits for longer.
 */
const LATE_MS = STEP_HANG_MS / 2;

type Word =
  | { readonly kind: "joined"; readonly id: number }
  | { readonly kind: "left"; readonly id: number }
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

/** Tells of the end of each thread that this one starts. */
function watchThreads(hasLeft: (id: number) => void): void {
  process.on("worker", (worker) => {
    const { threadId: id } = worker;
    worker.once("exit", () => hasLeft(id));
  });
}

/** Threads of the process, and what they say when they are asked. */
class Threads {
  readonly #file: string;
  readonly #here = new Set<number>();
  /** Those that have ended: a word of theirs may be heard later. */
  readonly #gone = new Set<number>();
  /** What was said to the question that is open; null while there is none. */
  #told: Map<number, ThreadMemory> | null = null;
  #late: NodeJS.Timeout | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Begins a question with what this thread holds. */
  ask(own: ThreadMemory): void {
    clearTimeout(this.#late);
    const told = new Map([[own.id, own]]);
    this.#told = told;
    this.#late = setTimeout(() => {
      for (const id of [...this.#here].filter((one) => !told.has(one))) this.leave(id);
    }, LATE_MS);
    this.#late.unref();
    this.#writeIfWhole();
  }

  /** Takes what a thread says. */
  hear(word: Word): void {
    if (word.kind === "joined" && !this.#gone.has(word.id)) this.#here.add(word.id);
    if (word.kind === "left") this.leave(word.id);
    if (word.kind === "told") this.#told?.set(word.memory.id, word.memory);
    this.#writeIfWhole();
  }

  /** A thread has ended. */
  leave(id: number): void {
    this.#gone.add(id);
    this.#here.delete(id);
    this.#writeIfWhole();
  }

  #writeIfWhole(): void {
    const told = this.#told;
    if (told === null || [...this.#here].some((id) => !told.has(id))) return;
    this.#told = null;
    clearTimeout(this.#late);
    // Whoever finds the file finds all of it.
    writeFileSync(`${this.#file}.part`, JSON.stringify([...told.values()]));
    renameSync(`${this.#file}.part`, this.#file);
  }
}

function serveMain(channel: BroadcastChannel, file: string): void {
  const threads = new Threads(file);
  watchThreads((id) => threads.leave(id));
  listen(channel, (word) => threads.hear(word));
  process.on("SIGUSR2", () => {
    threads.ask(memoryOfThread());
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
    watchThreads((id) => say({ kind: "left", id }));
    listen(channel, ({ kind }) => {
      if (kind === "ask") say({ kind: "told", memory: memoryOfThread() });
    });
    say({ kind: "joined", id: threadId });
  }
  // A listener must not keep a thread alive that has nothing else to do.
  channel.unref();
}
