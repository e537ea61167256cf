/**
 * The built-in block producer for networks without proof of work: one block per interval, paid to an address that may change
 * while it runs.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { BlockIngest } from "../engine/ingest/blockIngest.ts";
import type { Clock } from "../platform/time/clock.ts";
import type { Log } from "../platform/log/log.ts";
import type { TemplateService } from "./templateService.ts";

/** Dependencies of the miner. */
export type MinerParts = {
  readonly templates: Pick<TemplateService, "build">;
  readonly ingest: Pick<BlockIngest, "submit">;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds between two blocks. */
  readonly intervalMs: number;
  /** Text → 43 raw bytes. Errors: `address/…`. */
  readonly decodeAddress: (text: string) => Uint8Array;
  /** Called with every new address, so that it outlives the process. */
  readonly onAddress: (text: string) => void;
};

/** State of the miner, for people. */
export type MinerState = {
  readonly address: string;
  /** Target rate, for display only. */
  readonly blocksPerSecond: number;
  /** Decimal text. */
  readonly minedBlocks: string;
};

type Payee = { readonly address: string; readonly script: Uint8Array };

/** The built-in miner. */
export class Miner {
  readonly #parts: MinerParts;
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;
  #payee: Payee;
  #minedBlocks = 0n;

  /** Pays `address` at first. Errors: `address/…`. */
  constructor(parts: MinerParts, address: string) {
    this.#parts = parts;
    this.#payee = { address, script: parts.decodeAddress(address) };
  }

  /** Pays this address from the next block on. Errors: `address/…`. */
  payTo(address: string): void {
    this.#payee = { address, script: this.#parts.decodeAddress(address) };
    this.#parts.onAddress(address);
  }

  /** Its address, target rate and number of blocks so far. */
  state(): MinerState {
    return {
      address: this.#payee.address,
      blocksPerSecond: 1000 / this.#parts.intervalMs,
      minedBlocks: String(this.#minedBlocks),
    };
  }

  /** Starts mining. Calling it again does nothing. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Stops after the block at hand. Calling it again does nothing. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, intervalMs, log } = this.#parts;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await clock.sleep(intervalMs, signal);
        await this.#mine(signal);
      } catch (thrown) {
        const error = SvcError.from(thrown);
        if (signal.aborted || error.code === "node/stopping") return;
        log.warn({ err: error }, "no block was mined");
      }
    }
  }

  async #mine(signal: AbortSignal): Promise<void> {
    const { templates, ingest } = this.#parts;
    const payScript = this.#payee.script;
    const block = await templates.build({ payScript, extraData: new Uint8Array() }, signal);
    const outcome = await ingest.submit(block);
    if (outcome.kind === "accepted") this.#minedBlocks += 1n;
    else if (outcome.kind === "rejected") {
      throw new SvcError("template/not-ready", { reason: `own block refused: ${outcome.code}` });
    }
  }
}
