/** Handlers of the public REST interface about blocks, from what the engine says. */
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { RestAnswer } from "@svc/shared/protocol/rest/restRoutes.ts";
import { askFacts } from "../../../engine/calls/askFacts.ts";
import type { IndexApi } from "../../service/indexApi.ts";
import type { NodeApi } from "../../service/nodeApi.ts";
import { askKnownBlock, prunedBlock } from "./askKnownBlock.ts";
import { blockDocument, workOf } from "./blockDocument.ts";
import { blockPlace } from "./blockPlace.ts";
import { blocksAtScore, type PlacedBlock, type Score } from "./blocksAtScore.ts";
import { listedTransactions } from "./listedTransactions.ts";
import { newestBlocks, type ColoredBlock } from "./newestBlocks.ts";
import { DeepAnswer, MissingAnswer, type RestCall, type RestHandlersOf } from "../call/restCall.ts";

type RecentBlock = RestAnswer<"recentBlocks">[number];
type GraphBlock = RestAnswer<"blocksAt">[number];

/** The handlers. */
export const REST_BLOCK_HANDLERS: RestHandlersOf<
  "recentBlocks" | "blocksAt" | "block" | "blockBytes"
> = {
  recentBlocks: async (call) => {
    const { node, query, signal } = call;
    const { index } = node;
    // One that is being made holds old blocks alone, which are not the newest.
    const isAsked = query.before !== undefined || index?.coverage().isCurrent === true;
    if (index !== null && isAsked) return index.recentBlocks(query, signal);
    if (query.before !== undefined) {
      throw new SvcError("http/unavailable", { reason: "this node keeps no index" });
    }
    const tip = await askFacts(node, "tip", [], signal);
    const blocks = await newestBlocks(query.limit, { node, tip, signal });
    const rows: RecentBlock[] = [];
    for (const block of blocks) rows.push(await recentBlock(block, call));
    return rows;
  },

  blocksAt: async (call) => {
    const { node, query, signal } = call;
    const tip = await askFacts(node, "tip", [], signal);
    const score = scoreOf(query);
    const index = indexWith(score, node);
    if (index !== null) {
      const { blocks, mergedAt } = await index.blocksAt(score.value, signal);
      return new DeepAnswer(blocks, mergedAt === null ? null : below(tip, mergedAt));
    }
    const placed = await blocksAtScore(score, { node, tip, signal });
    if (placed === null) return prunedBlock(`with ${score.kind} ${score.value}`);
    const rows: GraphBlock[] = [];
    for (const block of placed) rows.push(await graphBlock(block, call));
    return new DeepAnswer(rows, depthOf(placed, tip));
  },

  block: async ({ node, params, signal }) => {
    const known = await askKnownBlock(node, asBlockHash(params.id), signal);
    if (known instanceof MissingAnswer) return known;
    const tip = await askFacts(node, "tip", [], signal);
    const place = await blockPlace(known.facts, { node, tip, signal });
    const depth = place.mergedAt === null ? null : below(tip, place.mergedAt);
    const { hash, isChainBlock } = known.facts;
    const judged = isChainBlock ? await askFacts(node, "chainFacts", [hash], signal) : undefined;
    return new DeepAnswer(blockDocument(node, known, { place, judged }), depth);
  },

  blockBytes: async ({ node, params, signal }) => {
    const known = await askKnownBlock(node, asBlockHash(params.id), signal);
    return known instanceof MissingAnswer ? known : known.raw;
  },
};

/** The depth of the block that was merged last: the others cannot change before it. Null while one has no place. */
function depthOf(placed: readonly PlacedBlock[], tip: Parameters<typeof below>[0]): bigint | null {
  let least: bigint | null = null;
  for (const { place } of placed) {
    if (place.mergedAt === null) return null;
    const depth = below(tip, place.mergedAt);
    if (least === null || depth < least) least = depth;
  }
  return least;
}

/** By how much the sink is above a blue score. */
function below({ sinkBlueScore }: { readonly sinkBlueScore: bigint }, blueScore: bigint): bigint {
  return sinkBlueScore > blueScore ? sinkBlueScore - blueScore : 0n;
}

/** The index where it has every block with this score: it keeps an order by DAA score alone. */
function indexWith({ kind, value }: Score, { index }: Pick<NodeApi, "index">): IndexApi | null {
  if (index === null || kind !== "daaScore") return null;
  const { isCurrent, isComplete, coveredFrom } = index.coverage();
  const from = coveredFrom?.daaScore;
  return isCurrent && from !== undefined && (isComplete || value > from) ? index : null;
}

/** The schema of the query lets exactly one of them through. */
function scoreOf({ daaScore, blueScore }: RestCall<"blocksAt">["query"]): Score {
  return daaScore === undefined
    ? { kind: "blueScore", value: blueScore ?? 0n }
    : { kind: "daaScore", value: daaScore };
}

async function recentBlock(
  { facts, color }: ColoredBlock,
  { node, session, signal }: Pick<RestCall, "node" | "session" | "signal">,
): Promise<RecentBlock> {
  const { hash, txids } = facts;
  let txs = session.listed.get(hash);
  if (txs === undefined) {
    const raw = await node.ask("blockBytes", [hash], signal);
    txs = raw === undefined ? [] : listedTransactions(raw, txids);
    if (raw !== undefined) session.listed.set(hash, txs);
  }
  return {
    block_hash: hash,
    difficulty: facts.difficulty,
    daaScore: String(facts.daaScore),
    blueScore: String(facts.blueScore),
    timestamp: String(facts.timestamp),
    txCount: txids.length,
    isChainBlock: facts.isChainBlock,
    color,
    parents: facts.parents,
    txs,
  };
}

async function graphBlock(
  { facts, place }: PlacedBlock,
  { node, signal }: Pick<RestCall, "node" | "signal">,
): Promise<GraphBlock> {
  const raw = await node.ask("blockBytes", [facts.hash], signal);
  return {
    block_hash: facts.hash,
    parents: facts.parents,
    selectedParent: facts.selectedParent,
    color: place.color,
    isChainBlock: facts.isChainBlock,
    mergedBy: place.mergedBy,
    blueScore: String(facts.blueScore),
    daaScore: String(facts.daaScore),
    timestamp: String(facts.timestamp),
    txCount: facts.txids.length,
    work: workOf(node, raw ?? new Uint8Array()),
  };
}
