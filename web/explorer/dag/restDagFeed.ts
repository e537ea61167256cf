/** Feed of the drawn DAG from the public REST interface: `/blocks/recent` again and again, `/blocks/window` for past minutes. */
import * as v from "valibot";
import type { DagBlock } from "@svc/shared/explorer/dag/dagBlock.ts";
import { readDagBlocks } from "@svc/shared/explorer/dag/readDagBlocks.ts";
import { GRAPH_ROWS } from "@svc/shared/explorer/explorerPaths.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import type { DagFeed, DagMinute } from "./dagFeed.ts";

/** What it uses of the browser. */
export type RestFeedParts = {
  /** Where the REST interface stands. */
  readonly apiBase: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly nowMs: () => number;
  /** Whether nobody looks at the page: it asks for nothing then. */
  readonly isHidden: () => boolean;
};

/** The document of a minute, below `/api`. */
export function minutePath(minute: number): string {
  return `/blocks/window?minute=${minute}`;
}

const minuteForm = v.object({ isComplete: v.boolean() });

/** Makes the feed. */
export function restDagFeed(parts: RestFeedParts): DagFeed {
  const ask = async (path: string, signal: AbortSignal): Promise<unknown> => {
    const patience = AbortSignal.timeout(PAGE_LIMITS.graphAnswerMs);
    const response = await parts.fetch(`${parts.apiBase}${path}`, {
      // The browser sends the ETag that it has, and hands out its copy for a 304.
      cache: "no-cache",
      credentials: "omit",
      signal: AbortSignal.any([signal, patience]),
    });
    if (!response.ok) throw new TypeError(`${path} answered ${response.status}`);
    return response.json();
  };
  return {
    nowMs: parts.nowMs,
    follow: (seen) => followRecent({ ...parts, seen, ask }),
    minute: async (minute, signal): Promise<DagMinute> => {
      const document = await ask(minutePath(minute), signal);
      const blocks = readDagBlocks(document);
      if (blocks === null) throw new TypeError("the document of a minute has another form");
      return { blocks, isComplete: v.is(minuteForm, document) && document.isComplete };
    },
  };
}

type Following = RestFeedParts & {
  readonly seen: (blocks: readonly DagBlock[] | null) => void;
  readonly ask: (path: string, signal: AbortSignal) => Promise<unknown>;
};

/** One question at a time; after a failure the pause doubles. */
function followRecent({ seen, ask, isHidden }: Following): () => void {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs: number = PAGE_LIMITS.graphRetryFirstMs;
  const look = async (): Promise<number> => {
    if (isHidden()) return PAGE_LIMITS.explorerPollMs;
    try {
      const blocks = readDagBlocks(
        await ask(`/blocks/recent?limit=${GRAPH_ROWS}`, controller.signal),
      );
      if (blocks === null) throw new TypeError("the list of recent blocks has another form");
      pauseMs = PAGE_LIMITS.graphRetryFirstMs;
      if (!controller.signal.aborted) seen(blocks);
      return PAGE_LIMITS.explorerPollMs;
    } catch {
      if (!controller.signal.aborted) seen(null);
      const pause = pauseMs;
      pauseMs = Math.min(PAGE_LIMITS.graphRetryLongestMs, pauseMs * 2);
      return pause;
    }
  };
  const again = (): void => {
    void look().then((pause) => {
      if (!controller.signal.aborted) timer = setTimeout(again, pause);
    });
  };
  again();
  return () => {
    controller.abort();
    clearTimeout(timer);
  };
}
