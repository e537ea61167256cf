/** What the index says of transactions. "Applied" is what a chain block applied, and nothing else (corrections A21). */
import type { BlockHash, TimestampMs, TxId } from "@svc/shared/base/brand.ts";
import type { RestAnswer } from "@svc/shared/protocol/rest/restRoutes.ts";
import type { WholeBlock } from "../derive/chainContent.ts";
import { INDEXER_LIMITS } from "../indexerLimits.ts";
import { isoTime } from "../../platform/time/clock.ts";
import { firstSeen } from "../tables/observedTables.ts";
import { appliedPlace, blockRowOf, lastPlace, transactionRowOf } from "../tables/derivedTables.ts";
import type { TransactionContent, TransactionPlace } from "../tables/transactionRow.ts";
import { ALWAYS, coverageOf, whole, type AnswerView } from "./answerView.ts";
import { coveredTotals } from "./coveredTotals.ts";

/** What the chain did with a transaction. */
export type TransactionOutcome =
  | { readonly status: "included" }
  | { readonly status: "applied"; readonly by: BlockHash }
  | { readonly status: "dropped"; readonly by: BlockHash; readonly reason: string };

/** Where a transaction stands. */
export type PlacedTransaction = TransactionContent & {
  /**
   * Blocks that carry it: `indexPlaces` of those that were merged, the first ones in front, then the one whose payment was applied
   * and the one judged last, then as many that are not merged yet. At least one.
   */
  readonly blocks: readonly BlockHash[];
  readonly outcome: TransactionOutcome;
  /** When this node first saw it or a block with it; null where it did not watch then. */
  readonly firstSeenMs: TimestampMs | null;
};

/** Where a transaction stands; null for one that the index does not have. `observed`: what the node saw. */
export function placedTransaction(
  { reader, open }: AnswerView,
  observed: AnswerView["reader"],
  txid: TxId,
): PlacedTransaction | null {
  const row = transactionRowOf(reader, txid);
  const carriers = open.carriersOf(txid);
  const content = row ?? carriers[0]?.contents.find((one) => one.txid === txid);
  if (content === undefined) return null;
  const applied = row && appliedPlace(reader, row);
  const last = row && lastPlace(reader, row);
  const places = [...(row?.places ?? []), ...(applied ? [applied] : []), ...(last ? [last] : [])];
  const carrying = carriers.slice(0, INDEXER_LIMITS.indexPlaces);
  const blocks = [...new Set([...places, ...carrying].map(carrierOf))];
  const { kind, actions, fee, size } = content;
  return {
    ...{ txid, kind, actions, fee, size, blocks },
    outcome: outcomeOf(applied, last, carriers.length > 0),
    firstSeenMs: earliest(observed, [txid, ...blocks]),
  };
}

function carrierOf(one: TransactionPlace | WholeBlock): BlockHash {
  return "block" in one ? one.block : one.hash;
}

/** What was dropped may be applied yet where another block carries it. */
function outcomeOf(
  applied: TransactionPlace | undefined,
  last: TransactionPlace | undefined,
  isCarried: boolean,
): TransactionOutcome {
  if (applied !== undefined) return { status: "applied", by: applied.by };
  if (last === undefined || isCarried) return { status: "included" };
  return { status: "dropped", by: last.by, reason: last.reason };
}

function earliest(
  reader: AnswerView["reader"],
  hashes: readonly (TxId | BlockHash)[],
): TimestampMs | null {
  let first: TimestampMs | null = null;
  for (const hash of hashes) {
    const t = firstSeen(reader, hash);
    if (t !== undefined && (first === null || t < first)) first = t;
  }
  return first;
}

/** Those of some transactions that a chain block has applied, each once. */
export function searchDocument(
  { reader }: AnswerView,
  txids: readonly TxId[],
): RestAnswer<"transactionSearch"> {
  return [...new Set(txids)].flatMap((txid) => {
    const row = transactionRowOf(reader, txid);
    const place = row && appliedPlace(reader, row);
    const by = place && blockRowOf(reader, place.by);
    if (place === undefined || by === undefined) return [];
    return [
      {
        transaction_id: txid,
        is_accepted: true as const,
        accepting_block_hash: place.by,
        accepting_block_blue_score: whole(by.blueScore),
        block_time: whole(place.blockTime),
      },
    ];
  });
}

/** Counts transactions of the selected chain, as far as the index reaches. */
export function countDocument(view: AnswerView): RestAnswer<"transactionCount"> {
  const { head } = view;
  const t = head?.timestamp ?? 0n;
  const { chainBlocks, applied, dropped } = coveredTotals(view);
  return {
    timestamp: whole(t),
    dateTime: head === null ? "" : isoTime(t),
    coinbase: whole(chainBlocks),
    regular: whole(applied),
    dropped: whole(dropped),
    ...coverageOf(view, ALWAYS),
  };
}
