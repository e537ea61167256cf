/** Handlers of the public REST interface about one transaction: from the pool, else from the chain through the node's index. */
import { asTxId, type BlockHash } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { BlockFacts } from "@svc/shared/protocol/facts/blockFacts.ts";
import { readComputedHashes } from "@svc/shared/protocol/facts/computedHashes.ts";
import { readPaymentFacts } from "@svc/shared/protocol/facts/paymentFacts.ts";
import { decodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { decodeRawTransaction } from "@svc/shared/protocol/raw/rawTransaction.ts";
import { askFacts } from "../../../engine/calls/askFacts.ts";
import type { PoolEntry } from "../../../mempool/poolEntry.ts";
import { INDEX_IS_BEHIND, type TransactionPlace } from "../../service/indexApi.ts";
import type { NodeApi } from "../../service/nodeApi.ts";
import { askKnownBlock } from "./askKnownBlock.ts";
import { DeepAnswer, MissingAnswer, type RestHandlersOf } from "../call/restCall.ts";
import {
  chainTransactionDocument,
  waitingDocument,
  type ReadTransaction,
} from "./transactionDocument.ts";

/** The handlers. */
export const REST_TRANSACTION_HANDLERS: RestHandlersOf<"transaction"> = {
  transaction: async ({ node, params, signal }) => {
    const txid = asTxId(params.id);
    const waiting = node.waitingTransaction(txid);
    if (waiting !== undefined) return waitingDocument(describeWaiting(node, waiting));
    const { index } = node;
    if (index === null) {
      throw new SvcError("http/unavailable", { reason: "this node keeps no index" });
    }
    const place = await index.transactionPlace(txid, signal);
    if (place === null) {
      const error = new SvcError("chain/unknown-transaction", { txid });
      return new MissingAnswer(error, index.coverage().isComplete ? "never-seen" : "not-covered");
    }
    return describePlaced(node, place, signal);
  },
};

function describeWaiting(
  node: NodeApi,
  { txid, raw, addedAtDaa, computeMass, nullifiers, fee, size }: PoolEntry,
): Parameters<typeof waitingDocument>[0] {
  const summary = node.core.transactionSummary(node.profile.canonicalJson, raw, addedAtDaa);
  const { hash } = readPaymentFacts(summary);
  const read = { transaction: decodeRawTransaction(raw), hash, mass: computeMass };
  return { txid, read, actions: nullifiers.length, fee, size };
}

/**
 * Where the index has it, as far as the chain agrees now. An index that follows no more, or not yet, may name a block that has left the
 * chain: what that one judged is merely included.
 */
async function describePlaced(
  node: NodeApi,
  placed: TransactionPlace,
  signal: AbortSignal,
): Promise<DeepAnswer<ReturnType<typeof chainTransactionDocument>>> {
  const { outcome, blocks } = placed;
  const { sinkBlueScore } = await askFacts(node, "tip", [], signal);
  const [first] = blocks;
  const carrying = first === undefined ? null : await factsOf(node, first, signal);
  const judging = outcome.status === "included" ? null : await factsOf(node, outcome.by, signal);
  if (outcome.status !== "included" && judging === null) requireCurrent(node);
  const hasLeft = judging !== null && !judging.isChainBlock;
  const place: TransactionPlace = hasLeft ? { ...placed, outcome: { status: "included" } } : placed;
  const accepting = place.outcome.status === "applied" ? judging : null;
  const document = chainTransactionDocument(node, {
    place,
    read: await readIn(node, place, signal),
    carrying,
    accepting,
    sinkBlueScore,
    // A block that the index has not followed may have applied it since.
    isBehind: place.outcome.status !== "applied" && !isCurrent(node),
  });
  // What was dropped may be applied yet in another block: no depth makes that older.
  const depth = accepting === null ? null : asDepth(sinkBlueScore - accepting.blueScore);
  return new DeepAnswer(document, depth);
}

/** What is pruned cannot be checked: then the index has to be at the tip, which is where it would have seen it leave. */
function requireCurrent(node: NodeApi): void {
  if (isCurrent(node)) return;
  throw new SvcError("http/unavailable", { reason: INDEX_IS_BEHIND });
}

function isCurrent({ index }: NodeApi): boolean {
  return index?.coverage().isCurrent === true;
}

/** A block that joined the chain since the tip was asked for lies at no depth. */
function asDepth(above: bigint): bigint {
  return above > 0n ? above : 0n;
}

async function factsOf(
  node: NodeApi,
  hash: BlockHash,
  signal: AbortSignal,
): Promise<BlockFacts | null> {
  try {
    return (await askFacts(node, "blockFacts", [hash], signal)) ?? null;
  } catch (error) {
    if (SvcError.is(error, "chain/pruned")) return null;
    throw error;
  }
}

/** Its bytes, from the first block that carries it whose body is kept. */
async function readIn(
  node: NodeApi,
  { txid, blocks }: TransactionPlace,
  signal: AbortSignal,
): Promise<ReadTransaction | null> {
  for (const block of blocks) {
    const known = await askKnownBlock(node, block, signal);
    if (known instanceof MissingAnswer) continue;
    const { txids, txHashes, computeMasses } = readComputedHashes(
      node.core.computeHashes(known.raw),
    );
    const at = txids.indexOf(txid);
    const transaction = decodeRawBlock(known.raw).transactions[at];
    if (transaction === undefined) continue;
    return { transaction, hash: txHashes[at] ?? "", mass: computeMasses[at] ?? 0n };
  }
  return null;
}
