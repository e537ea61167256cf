/** Snapshot that an answer of the index is made from: one state of the tables, the unmerged blocks, and the time. */
import type { TimestampMs } from "@svc/shared/base/brand.ts";
import { NumberText } from "@svc/shared/protocol/contract/numberText.ts";
import type { KvReader } from "../../storage/kv.ts";
import type { OpenBlocks } from "../follow/openBlocks.ts";
import type { IndexedChainRow } from "../tables/derivedTables.ts";

/** One state of the index. */
export type AnswerView = {
  readonly reader: Pick<KvReader, "get" | "range">;
  /** The oldest and the newest indexed chain block; null in an empty index. */
  readonly first: IndexedChainRow | null;
  readonly head: IndexedChainRow | null;
  /** The tables are at the sink of the node, or about to be. */
  readonly isCurrent: boolean;
  readonly open: OpenBlocks;
  readonly nowMs: TimestampMs;
  readonly signal: AbortSignal;
};

/** What an answer says of its reach. */
export type Coverage = {
  readonly coveredFrom: { readonly daaScore: string; readonly timestamp: string } | null;
  readonly isComplete: boolean;
};

/** A span of time that an answer is about; null: from the beginning, to the end. */
export type Span = { readonly sinceMs: bigint | null; readonly untilMs: bigint | null };

/** Everything. */
export const ALWAYS: Span = { sinceMs: null, untilMs: null };

/** The reach of an answer about a span of time. */
export function coverageOf(
  { first, head, isCurrent }: AnswerView,
  { sinceMs, untilMs }: Span,
): Coverage {
  if (first === null || head === null) return { coveredFrom: null, isComplete: false };
  const { daaScore, timestamp, index } = first;
  const reaches = index === 0n || (sinceMs !== null && sinceMs >= timestamp);
  return {
    coveredFrom: { daaScore: String(daaScore), timestamp: String(timestamp) },
    isComplete: reaches && (isCurrent || (untilMs !== null && head.timestamp > untilMs)),
  };
}

/** An integer of an answer, digit for digit. */
export function whole(value: bigint): NumberText {
  return new NumberText(String(value));
}

/** Lets whatever waits for the thread go first. Rejects with the signal's reason. */
export async function aTurn(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
}
