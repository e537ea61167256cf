/** Applied payment: what a node says of a payment and the chain block that is said to have applied it. */
import {
  asBlockHash,
  asBlueScore,
  asDaaScore,
  type BlockHash,
  type BlueScore,
  type DaaScore,
  type TxId,
} from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { encodeRawTransaction } from "@svc/shared/protocol/raw/rawTransaction.ts";
import type { RpcBlock } from "@svc/shared/protocol/rpc/generated/rpcValues.ts";
import { RpcFault } from "@svc/shared/protocol/rpc/rpcFault.ts";
import { transactionFromRpc } from "@svc/shared/protocol/rpc/rpcTransaction.ts";
import type { GrpcClient } from "../../client/grpcClient.ts";

/** What the node says. */
export type AppliedPayment = {
  /** Whether that block is in its chain and applied the payment. */
  readonly isApplied: boolean;
  readonly block: BlockHash;
  readonly blueScore: BlueScore;
  /** The payment and the score of the block that carries it; null where none of the blocks that it merges does. */
  readonly carried: { readonly raw: Uint8Array; readonly daaScore: DaaScore } | null;
};

/** Whom is asked, and about what. */
export type AppliedQuestion = {
  readonly client: Pick<GrpcClient, "call">;
  /** The core's function for the identity of a raw transaction. */
  readonly transactionId: (raw: Uint8Array) => string;
  readonly txid: TxId;
  readonly block: BlockHash;
  /** Blocks that one block merges at most. */
  readonly mergesetSizeLimit: number;
};

/** Asks the node. Rejects with `chain/unknown-block`, `rpc/bad-argument`, `http/unavailable`, `run/timeout`, `run/aborted`. */
export async function askApplied(
  question: AppliedQuestion,
  signal: AbortSignal,
): Promise<AppliedPayment> {
  const { block: hash, mergesetSizeLimit } = question;
  const block = await blockOf(question, hash, signal);
  const { verboseData } = block;
  if (verboseData === undefined) throw new SvcError("chain/unknown-block", { hash });
  const { isChainBlock, mergeSetBluesHashes: blues, mergeSetRedsHashes: reds } = verboseData;
  const parent = verboseData.selectedParentHash;
  const isApplied = isChainBlock && (await isAcceptedBy(question, parent, signal));
  const merged = [parent, ...blues, ...reds].slice(0, mergesetSizeLimit + 1);
  let carried = null;
  for (const one of new Set(merged)) {
    carried = found(question, await blockOf(question, asBlockHash(one), signal));
    if (carried !== null) break;
  }
  return { isApplied, block: hash, blueScore: asBlueScore(verboseData.blueScore), carried };
}

async function blockOf(
  { client }: AppliedQuestion,
  hash: BlockHash,
  signal: AbortSignal,
): Promise<RpcBlock> {
  const value = { hash, includeTransactions: true };
  const { block } = await known(hash, client.call({ $case: "getBlock", value }, signal));
  if (block === undefined) throw new SvcError("chain/unknown-block", { hash });
  return block;
}

/** The chain from the block's parent on begins with the block, and with what it applied. */
async function isAcceptedBy(
  { client, txid, block }: AppliedQuestion,
  parent: string,
  signal: AbortSignal,
): Promise<boolean> {
  const value = { startHash: parent, includeAcceptedTransactionIds: true };
  const call = client.call({ $case: "getVirtualChainFromBlock", value }, signal);
  const { acceptedTransactionIds } = await known(block, call);
  const own = acceptedTransactionIds.find(({ acceptingBlockHash }) => acceptingBlockHash === block);
  return own?.acceptedTransactionIds.includes(txid) === true;
}

function found(
  { txid, transactionId }: AppliedQuestion,
  { header, transactions }: RpcBlock,
): AppliedPayment["carried"] {
  if (header === undefined) return null;
  for (const message of transactions) {
    const raw = encodeRawTransaction(transactionFromRpc(message));
    if (transactionId(raw) === txid) return { raw, daaScore: asDaaScore(header.daaScore) };
  }
  return null;
}

/** What a node refuses about a block is that it does not know it. */
async function known<T>(hash: BlockHash, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof RpcFault) throw new SvcError("chain/unknown-block", { hash }, error);
    throw error;
  }
}
