/**
 * Messages between the main thread and the serving thread: requests of peers, and pages of encoded answers. Plain data, cloned
 * on the way.
 */
import type { RpcReport, RpcRequest } from "../../platform/thread/threadRpc.ts";

/** The message in which a block is sent: a new block, one of initial block download, or a body alone. */
export type BlockForm = "block" | "ibdBlock" | "blockBody";

/** Requests about the block graph. Hashes are hexadecimal text, lists of hashes 32 bytes each. */
export type ChainQuestion =
  /** Blocks in the order named; `next` is how many were answered when that is not all. */
  | { readonly kind: "blocks"; readonly form: BlockForm; readonly hashes: Uint8Array }
  /** A page of the headers that one block has in its past and another has not; `next` is the low of the next page. */
  | { readonly kind: "headers"; readonly low: string; readonly high: string }
  /** The same as one bounded page and its end. */
  | { readonly kind: "antipast"; readonly block: string; readonly context: string }
  /** Empty text for a bound that the peer did not name. */
  | { readonly kind: "chainLocator"; readonly low: string; readonly high: string }
  | { readonly kind: "blockLocator"; readonly high: string; readonly limit: number }
  /** Scan records from a chain block downwards. */
  | { readonly kind: "history"; readonly anchor: string; readonly maxBlocks: number }
  /** A page of the anchor log that has `count` entries after `base`. */
  | {
      readonly kind: "log";
      readonly base: string;
      readonly count: bigint;
      readonly first: bigint;
    };

/** Requests about the pruning point. `cursor` is the `next` of the page before, null for the first one. */
export type PointQuestion =
  | { readonly kind: "proof" }
  /** Pruning points and the window of headers; `next` is the pruning point. */
  | { readonly kind: "points" }
  /** Blocks and headers at and below the point, and the end of the stream. */
  | { readonly kind: "entries"; readonly point: string; readonly cursor: string | null }
  /** What binds the lanes, and then pages of lanes. */
  | { readonly kind: "lanes"; readonly point: string; readonly cursor: string | null }
  /** The state, and then pages of nullifiers. */
  | {
      readonly kind: "state";
      readonly point: string;
      readonly cursor: string | null;
      /** Whether the peer takes more than the reference's data. */
      readonly isExtended: boolean;
    }
  /** Pages of what binds anchors from before the security fork. */
  | { readonly kind: "bindings"; readonly point: string; readonly cursor: string | null };

/** A request of a peer. */
export type ServeQuestion = ChainQuestion | PointQuestion;

/** Whether a request is about the pruning point, so that it may have to wait until an export is made. */
export function isPointQuestion(question: ServeQuestion): question is PointQuestion {
  return ["proof", "points", "entries", "lanes", "state", "bindings"].includes(question.kind);
}

/** A page of encoded messages, and where the next page begins; null after the last. */
export type ServedPage = {
  /** Envelopes without the ids of routes. */
  readonly messages: readonly Uint8Array[];
  readonly next: string | null;
};

/** Messages to the serving thread. */
export type ServeRequest = RpcRequest<{ readonly question: ServeQuestion }>;

/** Messages from the serving thread. */
export type ServeReport = RpcReport<{ readonly page: ServedPage }>;

/** The start parameters of a serving thread: the folder that holds `consensus/`, and the canonical profile. */
export type ServeWorkerData = { readonly root: string; readonly profile: string };
