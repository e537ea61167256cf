/** Topological order of blocks: parents before children, whatever order a document has them in. */
import type { DagBlock } from "./dagBlock.ts";

/**
 * The blocks, each once, none before a parent of its own that is among them. Among those that are free the one with the lower
 * blue score is first, then the one with the smaller hash: two documents with the same blocks give the same order. Blocks that
 * name each other as parents in a circle, which no chain has, come last in that second order.
 */
export function topologicalOrder(blocks: readonly DagBlock[]): readonly DagBlock[] {
  const byHash = new Map(blocks.map((block) => [block.hash, block]));
  const order = new Map<string, DagBlock>();
  const entered = new Set<string>();
  for (const block of [...byHash.values()].toSorted(byScore))
    visit(block, { byHash, order, entered });
  return [...order.values()];
}

type Visit = {
  readonly byHash: ReadonlyMap<string, DagBlock>;
  readonly order: Map<string, DagBlock>;
  readonly entered: Set<string>;
};

/** Without recursion: a document may hold a chain of thousands. */
function visit(from: DagBlock, { byHash, order, entered }: Visit): void {
  const stack = [from];
  for (let block = stack.at(-1); block !== undefined; block = stack.at(-1)) {
    entered.add(block.hash);
    const [next] = block.parents
      .flatMap((hash) => byHash.get(hash) ?? [])
      .filter((parent) => !entered.has(parent.hash))
      .toSorted(byScore);
    if (next !== undefined) {
      stack.push(next);
      continue;
    }
    stack.pop();
    order.set(block.hash, block);
  }
}

function byScore(a: DagBlock, b: DagBlock): number {
  return a.blueScore - b.blueScore || (a.hash < b.hash ? -1 : Number(a.hash > b.hash));
}
