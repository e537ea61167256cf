/**
 * The newest blocks of the graph without an index: down the selected chain from the sink, each chain block with what it merged, and
 * what nobody has merged yet in front.
 */
import { asBlockHash, type BlockHash } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { BlockFacts } from "@svc/shared/protocol/facts/blockFacts.ts";
import type { TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import { askFacts, type QuestionSource } from "../../../engine/calls/askFacts.ts";
import type { BlockPlace } from "./blockPlace.ts";

/** A block, and the colour that the chain gave it. */
export type ColoredBlock = { readonly facts: BlockFacts; readonly color: BlockPlace["color"] };

type Walk = {
  readonly node: QuestionSource;
  readonly tip: Pick<TipFacts, "sink" | "tips" | "genesis">;
  readonly signal: AbortSignal;
};

const HASH_BYTES = 32;

/**
 * Finds up to `count` blocks, the highest DAA score first, and of one score the highest hash. It ends
 * where the store begins. Rejects as a question does.
 */
export async function newestBlocks(count: number, walk: Walk): Promise<readonly ColoredBlock[]> {
  const found = new Map<BlockHash, ColoredBlock>();
  for (const hash of await unmerged(count, walk)) await add(found, hash, "none", walk);
  let at: BlockHash | null = walk.tip.sink;
  while (at !== null) {
    const block = await add(found, at, "blue", walk);
    if (block === null) break;
    // All that is not found yet is in the past of this block, and has a smaller DAA score.
    if (atLeast(found, block.daaScore) >= count) break;
    for (const hash of block.blues) await add(found, hash, "blue", walk);
    for (const hash of block.reds) await add(found, hash, "red", walk);
    at = at === walk.tip.genesis ? null : block.selectedParent;
  }
  return [...found.values()].toSorted(newestFirst).slice(0, count);
}

/** What the sink has not in its past. */
async function unmerged(count: number, { node, tip, signal }: Walk): Promise<Set<BlockHash>> {
  const hashes = new Set<BlockHash>();
  for (const other of tip.tips) {
    if (other === tip.sink) continue;
    const bytes = await node.ask("hashesBetween", [tip.sink, other, count], signal);
    for (let from = 0; from + HASH_BYTES <= bytes.length; from += HASH_BYTES) {
      hashes.add(asBlockHash(encodeHex(bytes.subarray(from, from + HASH_BYTES))));
    }
  }
  return hashes;
}

async function add(
  found: Map<BlockHash, ColoredBlock>,
  hash: BlockHash,
  color: BlockPlace["color"],
  { node, signal }: Walk,
): Promise<BlockFacts | null> {
  const before = found.get(hash);
  if (before !== undefined) return before.facts;
  const facts = await unlessPruned(askFacts(node, "blockFacts", [hash], signal));
  if (facts === undefined) return null;
  found.set(hash, { facts, color });
  return facts;
}

async function unlessPruned<T>(question: Promise<T>): Promise<T | undefined> {
  try {
    return await question;
  } catch (error) {
    if (SvcError.is(error, "chain/pruned")) return undefined;
    throw error;
  }
}

function atLeast(found: ReadonlyMap<BlockHash, ColoredBlock>, daaScore: bigint): number {
  let sum = 0;
  for (const { facts } of found.values()) if (facts.daaScore >= daaScore) sum += 1;
  return sum;
}

function newestFirst({ facts: a }: ColoredBlock, { facts: b }: ColoredBlock): number {
  if (a.daaScore !== b.daaScore) return a.daaScore > b.daaScore ? -1 : 1;
  return a.hash > b.hash ? -1 : 1;
}
