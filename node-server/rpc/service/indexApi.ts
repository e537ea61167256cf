/**
 * Interface of the node's index (`--index`) for the public REST interface: one method for each document that it makes, and two
 * questions of the engine's own documents. The indexer implements it; a node without an index has null in its place.
 *
 * Every call rejects with `run/aborted` when its signal fires, with `http/unavailable` while the index cannot answer, and as a
 * question to the engine does.
 */
import type { BlockHash, BlueScore, DaaScore, TimestampMs, TxId } from "@svc/shared/base/brand.ts";
import type { RestAnswer, RestRouteName } from "@svc/shared/protocol/rest/restRoutes.ts";
import type { PulseWindow, WorkWindow } from "@svc/shared/protocol/rest/routes/historyRoutes.ts";

/** Status reason of answers that depend on blocks above the index's tip. */
export const INDEX_IS_BEHIND = "the index is behind the chain";

/** The document of a row. */
type Document<R extends RestRouteName> = Promise<RestAnswer<R>>;

/** From where on the index has everything. */
export type IndexCoverage = {
  /** The oldest block of the chain that it has whole; null while it has none. */
  readonly coveredFrom: { readonly daaScore: DaaScore; readonly timestamp: TimestampMs } | null;
  /** It has everything from the first block on. */
  readonly isComplete: boolean;
  /** It is at the newest block of the node, or about to be. */
  readonly isCurrent: boolean;
  /** The newest block of the chain that it has. */
  readonly head: { readonly hash: BlockHash; readonly blueScore: BlueScore } | null;
};

/** What the chain did with a transaction. */
export type TransactionOutcome =
  /** Blocks carry it, and no block of the chain has judged it yet. */
  | { readonly status: "included" }
  /** Its effects hold since this block of the chain. */
  | { readonly status: "applied"; readonly by: BlockHash }
  /** Its last judgement was that it has no effect. `reason`: a code of the registry. */
  | { readonly status: "dropped"; readonly by: BlockHash; readonly reason: string };

/** Where a transaction stands, as far as the index knows. */
export type TransactionPlace = {
  readonly txid: TxId;
  /** Blocks of the graph that carry it, the one that was merged first in front: at least one, and a bounded number of them. */
  readonly blocks: readonly BlockHash[];
  readonly outcome: TransactionOutcome;
  /** What its bytes say: it outlasts the bodies that the node prunes. */
  readonly kind: "coinbase" | "payment";
  readonly actions: number;
  /** Sompi; null for a coinbase. */
  readonly fee: bigint | null;
  /** Bytes, as fees are counted. */
  readonly size: number;
  /** When this node first saw it, Unix ms; null where it did not watch then. */
  readonly firstSeenMs: TimestampMs | null;
};

/** Of which blocks `GET /blocks/recent` tells. */
export type RecentWish = {
  /** 1 to 200. */
  readonly limit: number;
  /** The `cursor` of an answer before: only blocks older than its last one. */
  readonly before?: string | undefined;
};

/** The index as the REST interface asks it. */
export interface IndexApi {
  /** Where a transaction stands; null for one that the index has not seen. */
  transactionPlace(txid: TxId, signal: AbortSignal): Promise<TransactionPlace | null>;
  /** From where on it has everything. Asks nobody. */
  coverage(): IndexCoverage;

  recentBlocks(wish: RecentWish, signal: AbortSignal): Document<"recentBlocks">;
  /** `minute`: Unix time in minutes. */
  blockWindow(minute: bigint, signal: AbortSignal): Document<"blockWindow">;
  /** At most 64 ids, each once. */
  /**
   * The blocks with a DAA score above that of `coveredFrom`, and the highest blue score of the blocks that merged them; null where one is not
   * merged, and for no block.
   */
  blocksAt(
    daaScore: bigint,
    signal: AbortSignal,
  ): Promise<{ readonly blocks: RestAnswer<"blocksAt">; readonly mergedAt: BlueScore | null }>;
  transactionSearch(txids: readonly TxId[], signal: AbortSignal): Document<"transactionSearch">;
  transactionCount(signal: AbortSignal): Document<"transactionCount">;
  /** `prefix`: hexadecimal digits of the first `bits` bits, the unused ones zero. Throws `api/bad-field` for a bucket too small or too large. */
  searchBucket(bits: number, prefix: string, signal: AbortSignal): Document<"searchBucket">;
  mergedMining(signal: AbortSignal): Document<"mergedMining">;
  miners(signal: AbortSignal): Document<"miners">;
  pulse(window: PulseWindow, signal: AbortSignal): Document<"pulse">;
  workHistory(window: WorkWindow, signal: AbortSignal): Document<"workHistory">;
  reorgs(limit: number, signal: AbortSignal): Document<"reorgs">;
  extremes(signal: AbortSignal): Document<"extremes">;
  index(signal: AbortSignal): Document<"index">;
}
