/**
 * The chain block at which a wallet can begin to scan, for every server that is asked for one (docs/formats.md 4, `/v1/start`).
 *
 * It is asked for by its index, a multiple that many wallets share, and never by a hash: the question tells little about
 * the wallet, and no answer of another node is in it.
 */
import { asChainIndex, asTimestampMs, type BlockHash } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readContainer } from "@svc/shared/protocol/http/recordContainer.ts";
import { recordHeads } from "@svc/shared/protocol/http/recordHeads.ts";
import type { TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import { genesisStart } from "@svc/shared/wallet/state/genesisStart.ts";
import type { StartBlock } from "@svc/shared/wallet/state/ports.ts";
import { askFacts, type QuestionSource } from "../../engine/calls/askFacts.ts";

/**
 * The chain block at an index. Where its tree is no longer kept, and for index 0, genesis if the whole history is here, else
 * the pruning point. Rejects with `chain/unknown-block` above the tip, `chain/pruned` where no block has a tree.
 */
export async function startAt(
  node: QuestionSource,
  index: bigint,
  tip: TipFacts,
  signal: AbortSignal,
): Promise<StartBlock> {
  if (index > tip.chainIndex) throw new SvcError("chain/unknown-block", { hash: String(index) });
  if (index > 0n) {
    const hash = await askFacts(node, "chainHashAt", [index], signal);
    const found = hash === undefined ? null : await blockWithTree(node, hash, index, signal);
    if (found !== null) return found;
  }
  // Where the tree is gone, the whole history can still be scanned from its beginning.
  if (tip.historyComplete) return genesisStart(tip.genesis);
  const { pruningPoint } = tip;
  const kept = await node.ask("chainIndexOf", [pruningPoint], signal);
  const first = kept === undefined ? null : await blockWithTree(node, pruningPoint, kept, signal);
  if (first === null) throw new SvcError("chain/pruned", { hash: pruningPoint });
  return first;
}

/** The block with its tree; null when the tree is no longer kept. */
async function blockWithTree(
  node: QuestionSource,
  hash: BlockHash,
  index: bigint,
  signal: AbortSignal,
): Promise<StartBlock | null> {
  const tree = await unlessPruned(node.ask("treeState", [hash], signal));
  if (tree === null) return null;
  const place = { hash, chainIndex: asChainIndex(index), tree };
  const page = await unlessPruned(node.ask("recordOf", [hash], signal));
  if (page === null) {
    // The block that an imported store began with has no record yet.
    const { blueScore, daaScore } = await askFacts(node, "shieldedFacts", [hash], signal);
    return { ...place, blueScore, daaScore, timestamp: asTimestampMs(0n) };
  }
  const { body, count } = readContainer(page, 1);
  const [head] = recordHeads(body, count);
  if (head === undefined) throw new SvcError("chain/unknown-block", { hash });
  const { blueScore, daaScore, timestamp } = head;
  return { ...place, blueScore, daaScore, timestamp };
}

async function unlessPruned<T>(question: Promise<T>): Promise<T | null> {
  try {
    return await question;
  } catch (error) {
    if (!SvcError.is(error, "chain/pruned")) throw error;
    return null;
  }
}
