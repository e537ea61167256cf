/** Describes a block as the gRPC API shows it: its own bytes, and what the node knows about it. */
import type { BlockHash } from "@svc/shared/base/brand.ts";
import type { Block } from "@svc/shared/chain/block.ts";
import type { BlockFacts } from "@svc/shared/protocol/facts/blockFacts.ts";
import { readComputedHashes } from "@svc/shared/protocol/facts/computedHashes.ts";
import { decodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import type {
  RpcBlock,
  RpcBlockVerboseData,
  RpcTransaction,
} from "@svc/shared/protocol/rpc/generated/rpcValues.ts";
import { headerToRpc } from "@svc/shared/protocol/rpc/rpcBlock.ts";
import { transactionToRpc } from "@svc/shared/protocol/rpc/rpcTransaction.ts";
import { askBlockFacts } from "./knownBlocks.ts";
import type { NodeApi } from "./nodeApi.ts";
import type { HandlerContext } from "./rpcMethods.ts";

/** Describes the block of this hash. Rejects with `chain/unknown-block`; a header without its body has no `header` field. */
export async function describeBlock(
  hash: BlockHash,
  includeTransactions: boolean,
  { node, signal }: Pick<HandlerContext, "node" | "signal">,
): Promise<RpcBlock> {
  const facts = await askBlockFacts(node, hash, signal);
  const raw = await node.ask("blockBytes", [hash], signal);
  if (raw === undefined) return headerOnly(facts);
  const block = decodeRawBlock(raw);
  return {
    header: headerToRpc(block.header, hash),
    transactions: includeTransactions ? describeTransactions(node, raw, block) : [],
    verboseData: verboseData(facts, false),
  };
}

function headerOnly(facts: BlockFacts): RpcBlock {
  return { header: undefined, transactions: [], verboseData: verboseData(facts, true) };
}

function verboseData(facts: BlockFacts, isHeaderOnly: boolean): RpcBlockVerboseData {
  return {
    hash: facts.hash,
    difficulty: facts.difficulty,
    selectedParentHash: facts.selectedParent,
    transactionIds: facts.txids,
    isHeaderOnly,
    blueScore: facts.blueScore,
    childrenHashes: facts.children,
    mergeSetBluesHashes: facts.blues,
    mergeSetRedsHashes: facts.reds,
    isChainBlock: facts.isChainBlock,
  };
}

function describeTransactions(node: NodeApi, raw: Uint8Array, block: Block): RpcTransaction[] {
  const { hash, txids, txHashes, computeMasses } = readComputedHashes(node.core.computeHashes(raw));
  return block.transactions.map((transaction, index) =>
    transactionToRpc(transaction, {
      transactionId: txids[index] ?? "",
      hash: txHashes[index] ?? "",
      // Not asked of the payment's facts: a block may carry one that cannot be read.
      computeMass: computeMasses[index] ?? 0n,
      blockHash: hash,
      blockTime: block.header.timestamp,
    }),
  );
}
