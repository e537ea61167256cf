/**
 * Incremental layout of the block DAG: a column and a row for each block, in a window of bounded size. Columns are the longest
 * path from the blocks that the window began with, so blocks of one column are parallel. Pure: no clock, no chance, no screen.
 */
import { DAG_LIMITS } from "../dagLimits.ts";
import type { DagBlock, PlacedBlock } from "./dagBlock.ts";
import { topologicalOrder } from "./topologicalOrder.ts";

/** What an `add` did. */
export type DagChange = {
  /** Blocks that were not known before. */
  readonly placed: number;
  /** Known blocks of which something else holds now: colour, chain or merging block. */
  readonly changed: number;
  /** Those among them that were of the chain and no longer are: the depth of a reorganisation. */
  readonly leftChain: number;
};

const NOBODY: readonly PlacedBlock[] = [];

/** The layout. It forgets the blocks that it placed longest ago when more than `mostBlocks` are in it. */
export class DagLayout {
  readonly #mostBlocks: number;
  /** In the order in which they were placed. */
  readonly #placed = new Map<string, PlacedBlock>();
  readonly #columns = new Map<number, PlacedBlock[]>();
  /** Children that were placed before this parent of theirs. */
  readonly #awaited = new Map<string, Set<string>>();
  #first = 0;
  #last = -1;
  #tip: PlacedBlock | null = null;
  #topScore = -1;

  constructor(mostBlocks: number = DAG_LIMITS.layoutBlocks) {
    this.#mostBlocks = mostBlocks;
  }

  /** Blocks in the window. */
  get size(): number {
    return this.#placed.size;
  }

  /** Leftmost column that has a block; 0 in an empty layout. */
  get firstColumn(): number {
    return this.#first;
  }

  /** Rightmost column that has one; left of the first in an empty layout. */
  get lastColumn(): number {
    return this.#last;
  }

  /** Newest block of the selected chain. */
  get tip(): PlacedBlock | null {
    return this.#tip;
  }

  /** Parents that blocks wait for, for the test of the bound. */
  get awaitedParents(): number {
    return this.#awaited.size;
  }

  /** A block by its hash. */
  get(hash: string): PlacedBlock | undefined {
    return this.#placed.get(hash);
  }

  /** Blocks in the order in which they were placed. */
  all(): IterableIterator<PlacedBlock> {
    return this.#placed.values();
  }

  /** Blocks of a column, folded ones among them, in the order in which they were placed. */
  column(column: number): readonly PlacedBlock[] {
    return this.#columns.get(column) ?? NOBODY;
  }

  /** The known parents of a block. */
  parentsOf({ block }: PlacedBlock): readonly PlacedBlock[] {
    return block.parents.flatMap((hash) => this.#placed.get(hash) ?? []);
  }

  /** The known parent that the selected chain goes on to; null for a block beside the chain. */
  chainParentOf(placed: PlacedBlock): PlacedBlock | null {
    if (!placed.block.isChainBlock) return null;
    return this.parentsOf(placed).find(({ block }) => block.isChainBlock) ?? null;
  }

  /**
   * Takes blocks in, whatever their order. A block that is known keeps its place and takes over what the document says of it
   * now: its colour, and whether it is of the chain.
   */
  add(blocks: readonly DagBlock[]): DagChange {
    let [placed, changed, leftChain] = [0, 0, 0];
    for (const block of topologicalOrder(blocks)) {
      const known = this.#placed.get(block.hash);
      if (known === undefined) {
        this.#place(block);
        placed += 1;
      } else if (
        known.block.color !== block.color ||
        known.block.isChainBlock !== block.isChainBlock ||
        (block.mergedBy !== null && known.block.mergedBy !== block.mergedBy)
      ) {
        changed += 1;
        if (known.block.isChainBlock && !block.isChainBlock) leftChain += 1;
        this.#replace(known, block);
      }
    }
    return { placed, changed, leftChain };
  }

  /** Forgets everything. */
  clear(): void {
    this.#placed.clear();
    this.#columns.clear();
    this.#awaited.clear();
    [this.#first, this.#last, this.#tip, this.#topScore] = [0, -1, null, -1];
  }

  #place(given: DagBlock): void {
    const parents = given.parents.slice(0, DAG_LIMITS.blockParents);
    const block = parents.length === given.parents.length ? given : { ...given, parents };
    const column = this.#columnFor(block);
    const row = freeRow(block, this.column(column));
    const placed = { block, column, row, isFolded: Math.abs(row) > DAG_LIMITS.rowsPerSide };
    this.#placed.set(block.hash, placed);
    const beside = this.#columns.get(column);
    if (beside === undefined) this.#columns.set(column, [placed]);
    else beside.push(placed);
    if (this.#last < this.#first) [this.#first, this.#last] = [column, column];
    this.#first = Math.min(this.#first, column);
    this.#last = Math.max(this.#last, column);
    this.#topScore = Math.max(this.#topScore, block.blueScore);
    this.#awaited.delete(block.hash);
    for (const parent of block.parents) if (!this.#placed.has(parent)) this.#await(parent, block);
    this.#offerTip(placed);
    while (this.#placed.size > this.#mostBlocks) this.#forgetOldest();
  }

  #columnFor(block: DagBlock): number {
    const columns = block.parents.flatMap((hash) => this.#placed.get(hash)?.column ?? []);
    const natural = columns.length > 0 ? Math.max(...columns) + 1 : this.#columnByScore(block);
    const children = [...(this.#awaited.get(block.hash) ?? [])].flatMap(
      (hash) => this.#placed.get(hash)?.column ?? [],
    );
    return children.length > 0 ? Math.min(natural, Math.min(...children) - 1) : natural;
  }

  /** For a block without a known parent: right of the blocks that come before it by score, with a gap where some are missing. */
  #columnByScore({ blueScore }: DagBlock): number {
    if (this.#placed.size === 0) return 0;
    for (let column = this.#last; column >= this.#first; column -= 1) {
      if (this.column(column).some(({ block }) => block.blueScore < blueScore)) {
        return column + (blueScore > this.#topScore + 1 ? 2 : 1);
      }
    }
    return this.#first;
  }

  #await(parent: string, { hash }: DagBlock): void {
    const children = this.#awaited.get(parent);
    if (children === undefined) this.#awaited.set(parent, new Set([hash]));
    else children.add(hash);
  }

  #replace(known: PlacedBlock, { color, isChainBlock, mergedBy }: DagBlock): void {
    const placed = { ...known, block: { ...known.block, color, isChainBlock, mergedBy } };
    this.#placed.set(known.block.hash, placed);
    const beside = this.#columns.get(known.column);
    beside?.splice(beside.indexOf(known), 1, placed);
    if (this.#tip === known) this.#findTip();
    else this.#offerTip(placed);
  }

  #offerTip(placed: PlacedBlock): void {
    if (!placed.block.isChainBlock) return;
    if (placed.block.blueScore > (this.#tip?.block.blueScore ?? -1)) this.#tip = placed;
  }

  #findTip(): void {
    this.#tip = null;
    for (const placed of this.#placed.values()) this.#offerTip(placed);
  }

  #forgetOldest(): void {
    const [oldest] = this.#placed.values();
    if (oldest === undefined) return;
    const { block, column } = oldest;
    this.#placed.delete(block.hash);
    for (const parent of block.parents) {
      const children = this.#awaited.get(parent);
      if (children?.delete(block.hash) === true && children.size === 0)
        this.#awaited.delete(parent);
    }
    const beside = this.#columns.get(column) ?? [];
    beside.splice(beside.indexOf(oldest), 1);
    if (beside.length === 0) this.#columns.delete(column);
    while (this.#first < this.#last && !this.#columns.has(this.#first)) this.#first += 1;
    while (this.#last > this.#first && !this.#columns.has(this.#last)) this.#last -= 1;
    if (this.#tip === oldest) this.#findTip();
  }
}

/**
 * The free row nearest to the middle. The middle is for the chain and for what may still join it; what was merged stands
 * beside, blue rather above and red rather below.
 */
function freeRow({ color, isChainBlock }: DagBlock, beside: readonly PlacedBlock[]): number {
  const taken = new Set(beside.map(({ row }) => row));
  const side = color === "red" ? 1 : -1;
  if (isChainBlock || color === "none") {
    if (!taken.has(0)) return 0;
  }
  let away = 1;
  while (taken.has(side * away) && taken.has(-side * away)) away += 1;
  return taken.has(side * away) ? -side * away : side * away;
}
