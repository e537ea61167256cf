/** Memory breakdown of a node: by thread, JavaScript heaps and WebAssembly memories apart. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { untilSo, type NodeProcess, type NodeSpec } from "../testkit/nodeProcess.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

const probe = fileURLToPath(new URL("./memoryProbe.ts", import.meta.url));
const MIB = 1_048_576;

const threadForm = v.object({
  id: v.number(),
  /** `main`, or the name of the thread's entry file. */
  thread: v.string(),
  /** Whether it holds the program that strips types, some 25 MB. */
  stripsTypes: v.boolean(),
  /** Bytes that the heap has of the system. */
  heap: v.number(),
  /** Bytes of objects on it, those that are garbage too unless it was collected. */
  used: v.number(),
  /** Bytes that its part for new objects has of the system. */
  young: v.number(),
  /** Bytes of the memories of its WebAssembly instances, which never shrink. */
  wasm: v.number(),
});

/** What one thread holds, in bytes. */
export type ThreadMemory = v.InferOutput<typeof threadForm>;

/** What a node holds, in MiB. */
export type MemoryMap = {
  /** Of its own, all together. */
  readonly anonymous: number;
  readonly resident: number;
  readonly heaps: number;
  readonly wasm: number;
  /** The rest: the C library's allocator with what it keeps of freed memory, compiled code, stacks. */
  readonly other: number;
  /** In MiB as well. */
  readonly threads: readonly ThreadMemory[];
};

/** Reads the memory of one node. */
export class MemoryWatch {
  readonly #file: string;
  readonly #collects: boolean;

  /** `file`: where the node may write. `collects`: garbage is collected first, so that `used` is what is held. */
  constructor(file: string, { collects = false }: { readonly collects?: boolean } = {}) {
    this.#file = file;
    this.#collects = collects;
  }

  /** What a node is started with to be asked. */
  get spec(): Pick<NodeSpec, "imports" | "environment"> {
    const environment = {
      SVC_MEMORY_PROBE: this.#file,
      ...(this.#collects && { SVC_MEMORY_COLLECT: "1" }),
    };
    return { imports: [probe], environment };
  }

  /** What it holds now. */
  async look(node: NodeProcess): Promise<MemoryMap> {
    rmSync(this.#file, { force: true });
    process.kill(node.pid, "SIGUSR2");
    await untilSo(async () => existsSync(this.#file), STEP_HANG_MS);
    const [anonymous, resident] = [node.anonymousMiB(), node.residentMiB()];
    const told = v.parse(v.array(threadForm), JSON.parse(readFileSync(this.#file, "utf8")));
    const threads = told.map(inMib).toSorted((one, other) => one.id - other.id);
    const sum = (part: "heap" | "wasm"): number =>
      threads.reduce((total, thread) => total + thread[part], 0);
    const [heaps, wasm] = [sum("heap"), sum("wasm")];
    return { anonymous, resident, heaps, wasm, other: anonymous - heaps - wasm, threads };
  }
}

function inMib(told: ThreadMemory): ThreadMemory {
  const { heap, used, young, wasm } = told;
  const bytes = { heap: heap / MIB, used: used / MIB, young: young / MIB, wasm: wasm / MIB };
  return { ...told, ...bytes };
}
