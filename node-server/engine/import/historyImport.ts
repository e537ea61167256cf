/**
 * Imports the note history below the lowest chain block, page by page (decision 17).
 *
 * All that was done is in the store, so an import that was left goes on where it was, also after a restart. Steps are
 * taken when no block waits.
 */
import { ENGINE_LIMITS } from "../engineLimits.ts";
import type { EngineHost } from "../host/engineHost.ts";
import { readHistoryProgress, type HistoryProgress } from "../calls/importCalls.ts";

/** The history import of one engine. At most one caller at a time. */
export class HistoryImport {
  readonly #engine: Pick<EngineHost, "importStep">;

  constructor(engine: Pick<EngineHost, "importStep">) {
    this.#engine = engine;
  }

  /**
   * What is wanted next, or that all is there, once everything that is due has been done. Errors: `engine/not-imported`,
   * the engine's, `run/aborted`.
   */
  async progress(signal: AbortSignal): Promise<Settled> {
    const answer = await this.#engine.importStep("historyProgress", [], { signal });
    return this.#workOff(readHistoryProgress(answer), signal);
  }

  /**
   * Takes scan records (`u32 length, record` one after the other), downwards from the one that is wanted, and does what is
   * due then. Records before the first refused one stay. When all are there and do not make the note tree of the chain they
   * are thrown away, and wanted anew from the top. Errors: `history/wrong-record`, `history/out-of-order`, `codec/…`, the
   * engine's, `run/aborted`.
   */
  async take(records: Uint8Array, signal: AbortSignal): Promise<Settled> {
    const answer = await this.#engine.importStep("importHistory", [records], { signal });
    return this.#workOff(readHistoryProgress(answer), signal);
  }

  /** Throws away what has come so far, of a peer whose records lead nowhere. Errors: `history/out-of-order`, the engine's. */
  async drop(signal: AbortSignal): Promise<Settled> {
    await this.#engine.importStep("dropHistory", [], { signal });
    return this.progress(signal);
  }

  async #workOff(from: HistoryProgress, signal: AbortSignal): Promise<Settled> {
    let progress = from;
    while (progress.kind === "working") {
      const budget = ENGINE_LIMITS.historyStepRecords;
      progress = readHistoryProgress(
        await this.#engine.importStep("historyStep", [budget], { signal }),
      );
    }
    return progress;
  }
}

/** Progress of the import when no step is due before the next records. */
export type Settled = Exclude<HistoryProgress, { readonly kind: "working" }>;
