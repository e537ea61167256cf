/**
 * Feed of a drawn DAG that asks for the newest blocks in place of its page, and hands on what it was told of them and of minutes: the
 * list beside the graph shows the same, and nothing is asked twice.
 */
import { GRAPH_ROWS } from "@svc/shared/explorer/explorerPaths.ts";
import type { PageDocument } from "@svc/shared/explorer/pageRenderer.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { readPageAnswer } from "../live/readPageAnswer.ts";
import type { DagFeed } from "./dagFeed.ts";
import { restDagFeed, type RestFeedParts } from "./restDagFeed.ts";

/** The path that is asked for in place of the page, below `/api`. */
export const LENT_PATH = `/blocks/recent?limit=${GRAPH_ROWS}`;

/** What it uses of the browser and of the page. */
export type LentFeedParts = RestFeedParts & {
  /** Takes the question over from the page. Returns how to give it back. */
  readonly lend: () => () => void;
  /** Hands an answer on to the page; status 0 where there was none. */
  readonly take: (path: string, document: PageDocument) => void;
  /** Tells the page that a minute was played long ago. */
  readonly forget: (path: string) => void;
};

/** Makes the feed. It has the question only while it follows the chain. */
export function lentDagFeed(parts: LentFeedParts): DagFeed {
  const { apiBase, fetch, nowMs, take, lend } = parts;
  const keepMinute = minuteKeeper(parts);
  const ask = async (url: string, init: RequestInit): Promise<Response> => {
    const path = url.slice(apiBase.length);
    try {
      const response = await fetch(url, init);
      const answer = await readPageAnswer(response.clone(), nowMs());
      if (path === LENT_PATH) take(path, answer);
      else if (response.ok) keepMinute(path, answer);
      return response;
    } catch (error) {
      if (path === LENT_PATH && !isEnded(init.signal)) {
        take(path, { status: 0, body: "", asOfMs: nowMs(), isStale: true });
      }
      throw error;
    }
  };
  const feed = restDagFeed({ ...parts, fetch: ask });
  return {
    ...feed,
    follow: (seen) => {
      const giveBack = lend();
      const end = feed.follow(seen);
      return () => {
        end();
        giveBack();
      };
    },
  };
}

/** Hands minutes on, and has those forgotten that are not among the newest of them. */
function minuteKeeper({ take, forget }: Pick<LentFeedParts, "take" | "forget">) {
  let kept: readonly string[] = [];
  return (path: string, answer: PageDocument): void => {
    const all = [...kept.filter((other) => other !== path), path];
    kept = all.slice(-PAGE_LIMITS.graphListedMinutes);
    for (const gone of all.slice(0, all.length - kept.length)) forget(gone);
    take(path, answer);
  };
}

/** Whether nobody wants the answer any more; one that took too long is still wanted. */
function isEnded(signal: AbortSignal | null | undefined): boolean {
  const reason: unknown = signal?.reason;
  if (signal?.aborted !== true) return false;
  return !(reason instanceof DOMException && reason.name === "TimeoutError");
}
