/**
 * Imports the anchor log below the block that the store began at, page by page, so that older blocks have paths to show
 * (docs/light-client.md). Each page is checked by itself against the log of the imported state, and stored before the next one.
 */
import { readLogProgress, type LogProgress } from "../calls/importCalls.ts";
import type { EngineHost } from "../host/engineHost.ts";

/** The log import of one engine. At most one caller at a time. */
export class LogImport {
  readonly #engine: Pick<EngineHost, "importStep">;

  constructor(engine: Pick<EngineHost, "importStep">) {
    this.#engine = engine;
  }

  /** What is lacking. Errors: `engine/not-imported`, the engine's, `run/aborted`. */
  async progress(signal: AbortSignal): Promise<LogProgress> {
    return readLogProgress(await this.#engine.importStep("logProgress", [], { signal }));
  }

  /**
   * Takes in the page that is lacking next, whole or not at all. Errors: `history/wrong-record`, `history/out-of-order` where nothing
   * is lacking, `codec/…`, the engine's, `run/aborted`.
   */
  async take(page: Uint8Array, signal: AbortSignal): Promise<LogProgress> {
    return readLogProgress(await this.#engine.importStep("importLog", [page], { signal }));
  }
}
