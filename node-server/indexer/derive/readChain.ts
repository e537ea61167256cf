/** Reads chain blocks for the index: what they merged, applied and dropped, and where an index can begin. */
import {
  asBlockHash,
  asChainIndex,
  type BlockHash,
  type ChainIndex,
} from "@svc/shared/base/brand.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";
import { INDEXER_LIMITS } from "../indexerLimits.ts";
import type { ChainContent, FirstContent, WholeBlock } from "./chainContent.ts";
import { readBlock, type BlockSource } from "./readBlock.ts";

/** Reads chain blocks one after the other; what a block says is kept for its child. */
export class ChainBlockReader {
  readonly #source: BlockSource;
  /** A chain block is read again as the parent of the next one. */
  readonly #recent = new LruMap<BlockHash, Promise<WholeBlock>>(INDEXER_LIMITS.indexRecentBlocks);

  constructor(source: BlockSource) {
    this.#source = source;
  }

  /** Reads a chain block. Rejects with `chain/unknown-block`, `chain/pruned`, and as a question does. */
  async read(hash: BlockHash, signal: AbortSignal): Promise<ChainContent> {
    const { engine } = this.#source;
    const facts = await askFacts(engine, "chainFacts", [hash], signal);
    if (facts === undefined) throw new SvcError("chain/unknown-block", { hash });
    const { selectedParent, coinbase, applied, dropped } = facts;
    const others = facts.merged.filter((one) => one.hash !== selectedParent);
    const [block, parent, ...merged] = await Promise.all([
      this.#block(hash, signal),
      this.#block(selectedParent, signal),
      ...others.map((one) => readBlock(this.#source, one.hash, signal)),
    ]);
    return {
      block,
      parent,
      minted: coinbase.map(({ value }) => value),
      merged: merged.flatMap((one, at) => {
        const color = others[at]?.color;
        return color === undefined ? [] : [{ block: one, color }];
      }),
      applied,
      dropped,
    };
  }

  /**
   * Reads the lowest chain block from which on all bodies are here; with `keptMs` the newest one that covers the last so many
   * milliseconds of the chain. Rejects as a question does.
   */
  async readFirst(signal: AbortSignal, keptMs: bigint | null = null): Promise<FirstContent> {
    const { engine } = this.#source;
    const tip = await askFacts(engine, "tip", [], signal);
    const { chainIndex, finalIndex, sinkTimestamp } = tip;
    const whole = await lowestFrom(0n, chainIndex, (index) => this.#isWhole(index, signal));
    // A chain block that may still be left has to stay above the first one.
    const highest = finalIndex > whole ? finalIndex : whole;
    const lowest =
      keptMs === null
        ? whole
        : await lowestFrom(whole, highest, (index) =>
            this.#isNextSince(index, sinkTimestamp - keptMs, signal),
          );
    const index = await this.#firstWhole(lowest, signal);
    const hash = await this.#hashAt(index, signal);
    if (hash === null) throw new SvcError("chain/unknown-block", { hash: `at index ${index}` });
    const block = await this.#block(hash, signal);
    const pool = await askFacts(engine, "shieldedFacts", [hash], signal);
    const { cumulativeCoinbase: coinbase, cumulativeFees: fees, noteCount, nullifierCount } = pool;
    const totals = { coinbase, fees, notes: noteCount, nullifiers: nullifierCount };
    return { index, block, totals };
  }

  #block(hash: BlockHash, signal: AbortSignal): Promise<WholeBlock> {
    const known = this.#recent.get(hash);
    if (known !== undefined) return known;
    const reading = readBlock(this.#source, hash, signal);
    this.#recent.set(hash, reading);
    reading.catch(() => this.#recent.delete(hash));
    return reading;
  }

  /** Whether the body of a chain block is here, and that of the next one. Genesis alone may be kept. */
  async #isWhole(index: bigint, signal: AbortSignal): Promise<boolean> {
    const hash = await this.#hashAt(asChainIndex(index), signal);
    if (hash === null || !(await this.#hasBody(hash, signal))) return false;
    const next = await this.#hashAt(asChainIndex(index + 1n), signal);
    return next === null || this.#hasBody(next, signal);
  }

  /** Whether the chain block above an index is younger than a time. */
  async #isNextSince(index: bigint, sinceMs: bigint, signal: AbortSignal): Promise<boolean> {
    const next = await this.#hashAt(asChainIndex(index + 1n), signal);
    if (next === null) return true;
    const facts = await askFacts(this.#source.engine, "blockFacts", [next], signal);
    return facts === undefined || facts.timestamp > sinceMs;
  }

  /** From a chain block upwards the first whose child merges nothing that has gone: of its parallel blocks some may. */
  async #firstWhole(lowest: ChainIndex, signal: AbortSignal): Promise<ChainIndex> {
    const { engine } = this.#source;
    for (let index = lowest; ; index = asChainIndex(index + 1n)) {
      const next = await this.#hashAt(asChainIndex(index + 1n), signal);
      if (next === null) return index;
      const facts = await askFacts(engine, "chainFacts", [next], signal);
      const bodies = (facts?.merged ?? []).map(({ hash }) => this.#hasBody(hash, signal));
      const isWhole = (await Promise.all(bodies)).every(Boolean);
      if (isWhole) return index;
    }
  }

  async #hasBody(hash: BlockHash, signal: AbortSignal): Promise<boolean> {
    const { engine } = this.#source;
    const stage = await askFacts(engine, "blockStage", [hash], signal);
    if (stage === "pruned" || stage === undefined) return false;
    return (await engine.ask("blockBytes", [hash], signal)) !== undefined;
  }

  async #hashAt(index: ChainIndex, signal: AbortSignal): Promise<BlockHash | null> {
    const hash = await this.#source.engine.ask("chainHashAt", [index], signal);
    return hash === undefined ? null : asBlockHash(hash);
  }
}

/** The lowest index from which on something holds, by halving: `high` where it holds for none below. */
async function lowestFrom(
  from: bigint,
  high: bigint,
  holds: (index: bigint) => Promise<boolean>,
): Promise<ChainIndex> {
  let [low, top] = [from, high];
  while (low < top) {
    const middle = (low + top) / 2n;
    if (await holds(middle)) top = middle;
    else low = middle + 1n;
  }
  return asChainIndex(low);
}
