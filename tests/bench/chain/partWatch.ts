/** Profiler of the engine's time: milliseconds by part, and the time outside of the engine. */
import { performance } from "node:perf_hooks";
import type { HostStopwatch } from "@svc/shared/core/wasmHost.ts";
import type { RawEngine } from "@svc/shared/core/generated/coreGlue.ts";

/** Part numbers: 0 to 3 are the engine's own. */
const RULES = 0;
const HOST = 4;
/** Judging of proofs, which happens outside of the engine. */
export const PROOFS = 5;

/** Names in the order of the numbers. */
export const PARTS = ["rules", "proof_of_work", "tree", "store", "host", "proofs"] as const;

/** Milliseconds of each part. */
export type PartTimes = Readonly<Record<(typeof PARTS)[number], number>>;

/** Adds up laps. */
export class PartWatch implements HostStopwatch {
  readonly #ms = new Float64Array(PARTS.length);
  #last = performance.now();

  lap(part: number): void {
    const now = performance.now();
    this.#ms[part] = (this.#ms[part] ?? 0) + now - this.#last;
    this.#last = now;
  }

  /** Forgets what was measured. */
  start(): void {
    this.#ms.fill(0);
    this.#last = performance.now();
  }

  /** What was measured since the start. */
  times(): PartTimes {
    const [rules = 0, work = 0, tree = 0, store = 0, host = 0, proofs = 0] = this.#ms;
    return { rules, proof_of_work: work, tree, store, host, proofs };
  }

  /** Does something as one part; what came before was the host's. */
  timed<T>(part: number, call: () => T): T {
    this.lap(HOST);
    try {
      return call();
    } finally {
      this.lap(part);
    }
  }

  /** Makes calls of the engine and the time between them known to this watch. */
  follow(engine: RawEngine): void {
    engine.setStopwatch(this);
    const { insertBlock, resolve, flush, setGroupCommit, noteVerdict } = engine;
    const timed = <T>(call: () => T): T => this.timed(RULES, call);
    engine.insertBlock = (raw, nowMs) => timed(() => insertBlock.call(engine, raw, nowMs));
    engine.resolve = (blocks) => timed(() => resolve.call(engine, blocks));
    engine.flush = () => timed(() => flush.call(engine));
    engine.setGroupCommit = (on) => timed(() => setGroupCommit.call(engine, on));
    engine.noteVerdict = (txid, format, valid) =>
      timed(() => noteVerdict.call(engine, txid, format, valid));
  }
}
