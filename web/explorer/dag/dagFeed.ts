/** The source of a drawn DAG: the newest blocks as they come, and past minutes. */
import type { DagBlock } from "@svc/shared/explorer/dag/dagBlock.ts";

/** Blocks of a past minute. */
export type DagMinute = {
  readonly blocks: readonly DagBlock[];
  /** Whether the source has all blocks of it. */
  readonly isComplete: boolean;
};

/** Where blocks come from. Blocks may come twice and in any order. */
export type DagFeed = {
  /** Hands over the newest blocks again and again, and null while there is no answer, until the returned function is called. */
  readonly follow: (seen: (blocks: readonly DagBlock[] | null) => void) => () => void;
  /** Rejects when there is no answer. */
  readonly minute: (minute: number, signal: AbortSignal) => Promise<DagMinute>;
  /** Unix ms. */
  readonly nowMs: () => number;
};
