/** Event loop delay of a node between two moments, as the preload module `tests/bench/chain/loopDelay.ts` measures it in the node. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { untilSo, type NodeProcess, type NodeSpec } from "../../network/testkit/nodeProcess.ts";

const preload = fileURLToPath(new URL("./loopDelay.ts", import.meta.url));
/** Milliseconds in which a busy main thread writes its figures. */
const PATIENCE_MS = 10_000;

const form = v.object({ p99: v.number(), max: v.number(), looks: v.number() });

/** Delays in milliseconds (99th percentile and longest), and the number of samples. */
export type LoopDelay = v.InferOutput<typeof form>;

/** Watches one node. */
export class LoopWatch {
  readonly #file: string;

  /** `file`: where the node may write its figures. */
  constructor(file: string) {
    this.#file = file;
  }

  /** What a node is started with to be watched. */
  get spec(): Pick<NodeSpec, "imports" | "environment"> {
    return { imports: [preload], environment: { SVC_BENCH_LOOP_DELAY: this.#file } };
  }

  /** Begins. */
  begin({ pid }: NodeProcess): void {
    process.kill(pid, "SIGUSR2");
  }

  /** Ends; what was measured. */
  async end({ pid }: NodeProcess): Promise<LoopDelay> {
    process.kill(pid, "SIGUSR2");
    await untilSo(async () => existsSync(this.#file), PATIENCE_MS);
    return v.parse(form, JSON.parse(readFileSync(this.#file, "utf8")));
  }
}
