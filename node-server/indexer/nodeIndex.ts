/**
 * The index of a node (`--index`): its databases, what follows the chain, what is observed, and the documents that are made from
 * them. The public REST interface asks it and nothing else.
 */
import { createHmac, randomBytes } from "node:crypto";
import {
  asTimestampMs,
  type BlockHash,
  type BlueScore,
  type DaaScore,
  type TimestampMs,
  type TxId,
} from "@svc/shared/base/brand.ts";
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { RestAnswer } from "@svc/shared/protocol/rest/restRoutes.ts";
import type { PulseWindow, WorkWindow } from "@svc/shared/protocol/rest/routes/historyRoutes.ts";
import type { AnswerView } from "./documents/answerView.ts";
import { AnswerCache } from "./documents/answerCache.ts";
import {
  recentDocument,
  scoreDocument,
  windowDocument,
  type ScoredBlocks,
} from "./documents/blockDocuments.ts";
import { indexDocument } from "./documents/indexDocument.ts";
import { mergedMiningDocument } from "./documents/mergedMiningDocument.ts";
import { minersDocument, type MinerNames } from "./documents/minersDocument.ts";
import { pulseDocument } from "./documents/pulseDocument.ts";
import { extremesDocument, ReorgTally, reorgsDocument } from "./documents/reorgDocuments.ts";
import { searchBucketDocument } from "./documents/searchBucketDocument.ts";
import {
  countDocument,
  placedTransaction,
  searchDocument,
  type PlacedTransaction,
} from "./documents/transactionDocuments.ts";
import { workHistoryDocument } from "./documents/workHistoryDocument.ts";
import { IndexWriter, type IndexWriterParts } from "./follow/indexWriter.ts";
import { chainEnd } from "./tables/derivedTables.ts";

/** Dependencies of the index. */
export type NodeIndexParts = IndexWriterParts & MinerNames;

/** What of the node starts later than the index. */
export type NodeSurroundings = {
  /** Number of peers now. */
  readonly peers: () => number;
  /** Ids of the transactions that wait in the open. */
  readonly waiting: () => Iterable<TxId>;
  /** Hears of every transaction that begins to wait in the open; the returned call ends it. */
  readonly onWaiting: (listener: (txid: TxId) => void) => () => void;
};

/** From where on the index has everything, and its newest chain block. */
export type NodeIndexCoverage = {
  readonly coveredFrom: { readonly daaScore: DaaScore; readonly timestamp: TimestampMs } | null;
  readonly isComplete: boolean;
  /** It is at the newest block of the node, or about to be. */
  readonly isCurrent: boolean;
  readonly head: { readonly hash: BlockHash; readonly blueScore: BlueScore } | null;
};

const SECRET_BYTES = 32;
const ID_DIGITS = 8;
/** Milliseconds for which an answer whose window ends now is kept. */
const QUICK_MS = 1_000n;
const SLOW_MS = 10_000n;

/** The index as its askers see it. Every call rejects with `http/unavailable` while the tables are made anew. */
export class NodeIndex {
  readonly #parts: NodeIndexParts;
  readonly #writer: IndexWriter;
  readonly #stopping = new AbortController();
  readonly #secret = randomBytes(SECRET_BYTES);
  readonly #tally = new ReorgTally();
  readonly #pulses = new AnswerCache<RestAnswer<"pulse">>();
  readonly #histories = new AnswerCache<RestAnswer<"workHistory">>();
  readonly #miners = new AnswerCache<RestAnswer<"miners">>();
  readonly #merged = new AnswerCache<RestAnswer<"mergedMining">>();

  #surroundings: Pick<NodeSurroundings, "peers" | "waiting"> = ALONE;
  #endWaiting: () => void = () => {};

  constructor(parts: NodeIndexParts) {
    this.#parts = parts;
    this.#writer = new IndexWriter(parts);
  }

  /** Opens the databases and begins to follow. Rejects with `store/read-failed` and its kin. */
  start(): Promise<void> {
    return this.#writer.start();
  }

  /** Tells it of peers and waiting transactions. */
  attach(surroundings: NodeSurroundings): void {
    this.#surroundings = surroundings;
    this.#endWaiting = surroundings.onWaiting((txid) => this.#writer.noteWaiting(txid));
  }

  /** Ends following and closes the databases. Calling it again does nothing. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#endWaiting();
    await this.#writer.stop();
  }

  /** What writes the tables: how far it is, and what peers deliver goes there. */
  get writer(): IndexWriter {
    return this.#writer;
  }

  /** From where on it has everything. Asks nobody. */
  coverage(): NodeIndexCoverage {
    try {
      const { kv } = this.#writer.derived;
      const first = chainEnd(kv, "first");
      const head = chainEnd(kv, "last");
      if (first === undefined || head === undefined) return NOTHING;
      const { daaScore, timestamp } = first;
      const { hash, blueScore } = head;
      const { isCurrent } = this.#writer;
      return {
        coveredFrom: { daaScore, timestamp },
        isComplete: first.index === 0n && isCurrent,
        isCurrent,
        head: { hash, blueScore },
      };
    } catch {
      return NOTHING;
    }
  }

  /** Where a transaction stands; null for one that the index does not have. */
  transactionPlace(txid: TxId, signal: AbortSignal): Promise<PlacedTransaction | null> {
    const { observed } = this.#writer;
    return this.#answer(signal, (view) => placedTransaction(view, observed, txid));
  }

  recentBlocks(
    { limit, before }: { readonly limit: number; readonly before?: string | undefined },
    signal: AbortSignal,
  ): Promise<RestAnswer<"recentBlocks">> {
    return this.#answer(signal, (view) => recentDocument(view, { limit, before: before ?? null }));
  }

  blockWindow(minute: bigint, signal: AbortSignal): Promise<RestAnswer<"blockWindow">> {
    return this.#answer(signal, (view) => windowDocument(view, minute));
  }

  blocksAt(daaScore: bigint, signal: AbortSignal): Promise<ScoredBlocks> {
    return this.#answer(signal, (view) => scoreDocument(view, daaScore));
  }

  transactionSearch(
    txids: readonly TxId[],
    signal: AbortSignal,
  ): Promise<RestAnswer<"transactionSearch">> {
    return this.#answer(signal, (view) => searchDocument(view, txids));
  }

  transactionCount(signal: AbortSignal): Promise<RestAnswer<"transactionCount">> {
    return this.#answer(signal, countDocument);
  }

  searchBucket(
    bits: number,
    prefix: string,
    signal: AbortSignal,
  ): Promise<RestAnswer<"searchBucket">> {
    const waiting = this.#surroundings.waiting();
    return this.#answer(signal, (view) => searchBucketDocument(view, { bits, prefix }, waiting));
  }

  mergedMining(signal: AbortSignal): Promise<RestAnswer<"mergedMining">> {
    const { observed } = this.#writer;
    const peers = this.#surroundings.peers();
    const idOf = (net: string): string =>
      createHmac("sha256", this.#secret).update(net).digest("hex").slice(0, ID_DIGITS);
    return this.#merged.get(this.#keyOf(`${peers}`, SLOW_MS), signal, () =>
      this.#shared((view) => mergedMiningDocument(view, { observed, peers, idOf })),
    );
  }

  miners(signal: AbortSignal): Promise<RestAnswer<"miners">> {
    const make = (view: AnswerView) => minersDocument(view, this.#parts);
    return this.#miners.get(this.#keyOf("", SLOW_MS), signal, () => this.#shared(make));
  }

  pulse(window: PulseWindow, signal: AbortSignal): Promise<RestAnswer<"pulse">> {
    return this.#pulses.get(this.#keyOf(window, QUICK_MS), signal, () =>
      this.#shared((view) => pulseDocument(view, window)),
    );
  }

  workHistory(window: WorkWindow, signal: AbortSignal): Promise<RestAnswer<"workHistory">> {
    return this.#histories.get(this.#keyOf(window, SLOW_MS), signal, () =>
      this.#shared((view) => workHistoryDocument(view, window)),
    );
  }

  reorgs(limit: number, signal: AbortSignal): Promise<RestAnswer<"reorgs">> {
    const { observed } = this.#writer;
    const tally = this.#tally;
    return this.#answer(signal, (view) => reorgsDocument(view, observed, { tally, limit }));
  }

  extremes(signal: AbortSignal): Promise<RestAnswer<"extremes">> {
    const { observed } = this.#writer;
    return this.#answer(signal, (view) => extremesDocument(view, observed));
  }

  index(signal: AbortSignal): Promise<RestAnswer<"index">> {
    return this.#answer(signal, (view) => indexDocument(view, this.#writer.state()));
  }

  /** What an answer depends on: its arguments, the newest chain block, and the time in steps. */
  #keyOf(args: string, stepMs: bigint): string {
    const { head } = this.coverage();
    const { drops } = this.#writer.derived;
    return [args, head?.hash ?? "", drops, this.#parts.clock.nowMs() / stepMs].join(":");
  }

  /** For several askers: none of them ends it. */
  #shared<T>(make: (view: AnswerView) => T | Promise<T>): Promise<T> {
    return this.#answer(this.#stopping.signal, make);
  }

  async #answer<T>(signal: AbortSignal, make: (view: AnswerView) => T | Promise<T>): Promise<T> {
    throwIfAborted(signal);
    const { derived, open, isCurrent } = this.#writer;
    const nowMs = asTimestampMs(this.#parts.clock.nowMs());
    try {
      return await derived.read(async (reader) => {
        const first = chainEnd(reader, "first") ?? null;
        const head = chainEnd(reader, "last") ?? null;
        return make({ reader, first, head, isCurrent, open, nowMs, signal });
      });
    } catch (thrown) {
      const error = SvcError.from(thrown);
      if (!derived.isLost(error)) throw thrown;
      this.#writer.distrust(error);
      throw new SvcError("http/unavailable", { reason: "the index is made anew" }, error);
    }
  }
}

const ALONE = { peers: () => 0, waiting: () => [] };
const NOTHING: NodeIndexCoverage = {
  coveredFrom: null,
  isComplete: false,
  isCurrent: false,
  head: null,
};
