/** RPC handlers for shielded wallets (specification network 2.3, shielded 16). */
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import {
  ACTION_LENGTH,
  COMPACT_ACTION_LENGTH,
  readContainer,
  readRecords,
  type ScanRecord,
} from "@svc/shared/protocol/http/recordContainer.ts";
import { decodeTreeState } from "@svc/shared/protocol/raw/treeState.ts";
import type {
  GetShieldedBlocksResponse,
  GetShieldedTreeStateResponse,
} from "@svc/shared/protocol/rpc/generated/rpcMessages.ts";
import type {
  RpcShieldedChainBlock,
  RpcShieldedCoinbaseReward,
} from "@svc/shared/protocol/rpc/generated/rpcValues.ts";
import { badField, blockHashField } from "@svc/shared/protocol/rpc/rpcFields.ts";
import type { TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import { askChainHash } from "./knownBlocks.ts";
import type { HandlerContext, Handlers } from "./rpcMethods.ts";
import { startAt } from "./startBlock.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";

const RECIPIENT_DIGITS = 86;
/** What an answer has of each action, and the bytes of records that it is made of: whole actions are twice as long in hexadecimal. */
const COMPACT = { actionBytes: COMPACT_ACTION_LENGTH, pageBytes: RPC_LIMITS.rpcResponseBytes };
const WHOLE = { actionBytes: ACTION_LENGTH, pageBytes: RPC_LIMITS.rpcResponseBytes / 2 };

type ShieldedMethod =
  | "getShieldedTreeState"
  | "getShieldedBlocks"
  | "getShieldedSupply"
  | "getShieldedCoinbaseRewards";

/** Handlers of the shielded methods. */
export const shieldedHandlers: Handlers<ShieldedMethod> = {
  // Unasked, the finality point answers: its state is never reorganised.
  getShieldedTreeState: async (request, context) => {
    const { node, signal } = context;
    const tip = await askFacts(node, "tip", [], signal);
    if (request.chainIndex !== undefined) return startTree(request.chainIndex, tip, context);
    const hash = request.blockHash
      ? blockHashField("blockHash", request.blockHash)
      : await askChainHash(node, tip.finalIndex, signal);
    const facts = await askFacts(node, "shieldedFacts", [hash], signal);
    return {
      blockHash: facts.hash,
      daaScore: facts.daaScore,
      size: facts.size,
      leaf: facts.leaf,
      ommers: facts.ommers,
      historyFromDaaScore: tip.historyFromDaaScore,
      historyComplete: tip.historyComplete,
      error: undefined,
    };
  },

  getShieldedSupply: async (request, { node, signal }) => {
    const hash = request.blockHash
      ? blockHashField("blockHash", request.blockHash)
      : (await askFacts(node, "tip", [], signal)).sink;
    const facts = await askFacts(node, "shieldedFacts", [hash], signal);
    return {
      blockHash: facts.hash,
      daaScore: facts.daaScore,
      blueScore: facts.blueScore,
      cumulativeCoinbase: facts.cumulativeCoinbase,
      cumulativeFees: facts.cumulativeFees,
      cumulativeBurns: facts.cumulativeBurns,
      poolValue: facts.poolValue,
      noteCount: facts.noteCount,
      error: undefined,
    };
  },

  getShieldedBlocks: async (request, context) => {
    const start = blockHashField("startHash", request.startHash);
    if (request.records === true) return recordsAfter(start, pageLimit(request.limit), context);
    const isWhole = request.wholeActions === true && request.metadataOnly !== true;
    const { actionBytes, pageBytes } = isWhole ? WHOLE : COMPACT;
    const page = { limit: pageLimit(request.limit), bytes: pageBytes };
    const records = await pageAfter(start, page, context);
    const { sinkBlueScore } = await askFacts(context.node, "tip", [], context.signal);
    const show = (record: ScanRecord) =>
      request.metadataOnly ? metadataOf(record) : describe(record, actionBytes);
    return {
      blocks: records?.map(show) ?? [],
      reorged: records === null,
      sinkBlueScore,
      wholeActions: isWhole ? true : undefined,
      error: undefined,
    };
  },

  getShieldedCoinbaseRewards: async (request, context) => {
    const recipients = new Set(request.recipients.map(recipientField));
    if (recipients.size === 0) throw badField("recipients", "none is named");
    const start = blockHashField("startHash", request.startHash);
    const page = { limit: pageLimit(request.limit), bytes: COMPACT.pageBytes };
    const records = await pageAfter(start, page, context);
    const { sinkBlueScore } = await askFacts(context.node, "tip", [], context.signal);
    return {
      rewards: records?.flatMap((record) => rewardsOf(record, recipients)) ?? [],
      nextCursor: records?.at(-1)?.hash ?? start,
      scannedBlocks: BigInt(records?.length ?? 0),
      reorged: records === null,
      sinkBlueScore,
      error: undefined,
    };
  },
};

/** The tree where a scan can begin, asked for by chain index. */
async function startTree(
  index: bigint,
  tip: TipFacts,
  { node, signal }: HandlerContext,
): Promise<GetShieldedTreeStateResponse> {
  const { hash, tree, ...place } = await startAt(node, index, tip, signal);
  const { size, leaf, ommers } = decodeTreeState(tree);
  return {
    ...place,
    blockHash: hash,
    size,
    leaf,
    ommers: [...ommers],
    historyFromDaaScore: tip.historyFromDaaScore,
    historyComplete: tip.historyComplete,
    error: undefined,
  };
}

/** The engine's page as it is. A start that left the selected chain is an error here, which names the common block. */
async function recordsAfter(
  start: BlockHash,
  limit: number,
  { node, signal }: HandlerContext,
): Promise<GetShieldedBlocksResponse> {
  const records = await node.ask("records", [start, limit], signal);
  return { blocks: [], reorged: false, sinkBlueScore: 0n, records, error: undefined };
}

/** 0 or nothing means the default; more than the most is the most. */
function pageLimit(asked: bigint | undefined): number {
  if (asked === undefined || asked === 0n) return RPC_LIMITS.recordPageDefault;
  return asked > BigInt(PROTOCOL_LIMITS.recordPageMax)
    ? PROTOCOL_LIMITS.recordPageMax
    : Number(asked);
}

/**
 * Records of up to `limit` chain blocks after `start`, fewer when they come to so many `bytes`; `null` when `start` left the
 * selected chain. One page of the engine is bounded in bytes too, so several may be needed.
 */
async function pageAfter(
  start: BlockHash,
  { limit, bytes: most }: { readonly limit: number; readonly bytes: number },
  { node, signal }: HandlerContext,
): Promise<ScanRecord[] | null> {
  const records: ScanRecord[] = [];
  let cursor = start;
  let bytes = 0;
  try {
    while (records.length < limit && bytes < most) {
      const page = await node.ask("records", [cursor, limit - records.length], signal);
      const next = readRecords(readContainer(page, PROTOCOL_LIMITS.recordPageMax));
      records.push(...next);
      const last = next.at(-1);
      if (last === undefined) break;
      cursor = asBlockHash(last.hash);
      bytes += page.length;
    }
    return records;
  } catch (error) {
    if (SvcError.is(error, "chain/not-on-chain")) return null;
    throw error;
  }
}

function metadataOf(record: ScanRecord): RpcShieldedChainBlock {
  const { hash, blueScore, daaScore, timestamp } = record;
  const none = { coinbaseTxid: "", coinbaseOutputs: [], acceptedActions: [], acceptedTxids: [] };
  return { hash, blueScore, daaScore, timestamp, ...none };
}

/** With so many bytes of each action. */
function describe(record: ScanRecord, actionBytes: number): RpcShieldedChainBlock {
  return {
    ...metadataOf(record),
    coinbaseTxid: record.coinbaseTxid,
    coinbaseOutputs: record.outputs.map(({ recipient, value, cmx }) => ({
      scriptPublicKey: recipient,
      value,
      commitment: decodeHex(cmx),
    })),
    acceptedActions: record.transactions.map(({ actions }) =>
      encodeHex(concatBytes(...actions.map(({ bytes }) => bytes.subarray(0, actionBytes)))),
    ),
    acceptedTxids: record.transactions.map(({ txid }) => txid),
  };
}

function recipientField(text: string): string {
  if (text.length !== RECIPIENT_DIGITS) throw badField("recipients", "one has not 43 bytes");
  decodeHex(text);
  return text;
}

function rewardsOf(
  record: ScanRecord,
  recipients: ReadonlySet<string>,
): RpcShieldedCoinbaseReward[] {
  const { hash, blueScore, daaScore, timestamp, coinbaseTxid } = record;
  return record.outputs.flatMap(({ recipient, value }, outputIndex) => {
    if (!recipients.has(recipient)) return [];
    const place = { blockHash: hash, blueScore, daaScore, timestamp, coinbaseTxid };
    return [{ ...place, outputIndex, recipient, value }];
  });
}
