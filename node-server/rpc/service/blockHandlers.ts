/** RPC handlers about blocks and the selected chain (specification network 2.3). */
import { asBlockHash, type BlockHash } from "@svc/shared/base/brand.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import { type VirtualChain } from "@svc/shared/protocol/facts/chainFacts.ts";
import type { RpcBlock } from "@svc/shared/protocol/rpc/generated/rpcValues.ts";
import { badField, blockHashField } from "@svc/shared/protocol/rpc/rpcFields.ts";
import { askBlockFacts } from "./knownBlocks.ts";
import { describeBlock } from "./describeBlock.ts";
import type { HandlerContext, Handlers } from "./rpcMethods.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";

/** Chain blocks of one page, in mergesets. */
const CHAIN_PAGE_MERGESETS = 10;

/** Handlers of the block methods. */
export const blockHandlers: Handlers<"getBlock" | "getBlocks" | "getVirtualChainFromBlock"> = {
  getBlock: async (request, context) => {
    const hash = blockHashField("hash", request.hash);
    const block = await describeBlock(hash, request.includeTransactions ?? false, context);
    return { block, error: undefined };
  },

  getBlocks: async (request, context) => {
    const { includeBlocks = false, includeTransactions = false } = request;
    if (includeTransactions && !includeBlocks) {
      throw badField("includeTransactions", "it needs includeBlocks");
    }
    const { node, signal } = context;
    const low = await lowHash(request.lowHash, context);
    const limit = node.profile.mergesetSizeLimit + 1;
    const hashes = await askFacts(node, "blocksFrom", [low, limit], signal);
    if (!includeBlocks) return { blocks: [], blockHashes: hashes, error: undefined };
    const blocks = await describePage(hashes, includeTransactions, context);
    return { blocks, blockHashes: hashes.slice(0, blocks.length), error: undefined };
  },

  getVirtualChainFromBlock: async (request, context) => {
    const { node, signal } = context;
    const start = blockHashField("startHash", request.startHash);
    const limit = node.profile.mergesetSizeLimit * CHAIN_PAGE_MERGESETS;
    const chain = await askFacts(node, "virtualChainFrom", [start, limit], signal);
    const depth = request.minConfirmationCount ?? 0n;
    const added = depth === 0n ? chain.added : await settled(chain.added, depth, context);
    return {
      removedChainBlockHashes: chain.removed,
      addedChainBlockHashes: added.map(({ hash }) => hash),
      acceptedTransactionIds: request.includeAcceptedTransactionIds
        ? added.map(({ hash, acceptedTxids }) => ({
            acceptingBlockHash: hash,
            acceptedTransactionIds: acceptedTxids,
          }))
        : [],
      error: undefined,
    };
  },
};

/** An empty hash means genesis. */
async function lowHash(text: string, { node, signal }: HandlerContext): Promise<BlockHash> {
  return text === ""
    ? asBlockHash((await askFacts(node, "tip", [], signal)).genesis)
    : blockHashField("lowHash", text);
}

/** As many blocks, in order, as one answer may hold; at least one. */
async function describePage(
  hashes: readonly BlockHash[],
  includeTransactions: boolean,
  context: HandlerContext,
): Promise<RpcBlock[]> {
  const blocks: RpcBlock[] = [];
  let characters = 0;
  for (const hash of hashes) {
    const block = await describeBlock(hash, includeTransactions, context);
    characters += block.transactions.reduce((sum, { payload }) => sum + payload.length, 0);
    if (blocks.length > 0 && characters > RPC_LIMITS.rpcResponseBytes) break;
    blocks.push(block);
  }
  return blocks;
}

/** The added blocks whose blue score is more than `depth` below the sink's; scores grow along the chain. */
async function settled(
  added: VirtualChain["added"],
  depth: bigint,
  { node, signal }: HandlerContext,
): Promise<VirtualChain["added"]> {
  const { sinkBlueScore } = await askFacts(node, "tip", [], signal);
  let low = 0;
  let high = added.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const probe = added[middle];
    if (probe === undefined) break;
    const { blueScore } = await askBlockFacts(node, probe.hash, signal);
    if (sinkBlueScore - blueScore > depth) low = middle + 1;
    else high = middle;
  }
  return added.slice(0, low);
}
