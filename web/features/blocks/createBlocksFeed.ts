/** Data source of the block explorer: follows the chain by the node's WebSocket, and by polling where there is none. */
import { onCleanup } from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import { readChainRows } from "@svc/shared/protocol/facts/chainFacts.ts";
import type { TipAnswer } from "@svc/shared/protocol/facts/tipFacts.ts";
import { LiveFeed, liveUrl } from "../../node/liveFeed.ts";
import { askText, askTip } from "../../node/nodeQuestions.ts";
import { appendRows, refreshRows, type ChainRows } from "./chainRows.ts";

/** How long a reorganisation is announced. */
const ANNOUNCE_MS = 6_000;

/** The state that the page shows. */
export type BlocksState = {
  readonly rows: ChainRows;
  readonly tip: TipAnswer | null;
  readonly live: boolean;
  readonly problem: ErrorJson | null;
  /** Blocks that a recent reorganisation replaced; 0 when there was none. */
  readonly replaced: number;
  /** There are blocks below the last row. */
  readonly hasOlder: boolean;
};

/** A store is changed through its setter; everybody else reads. */
type Writable<T> = { -readonly [K in keyof T]: T[K] };

const NOTHING_YET: BlocksState = {
  rows: [],
  tip: null,
  live: false,
  problem: null,
  replaced: 0,
  hasOlder: false,
};

/** The data source of one page. `loadOlder` fetches a page of older blocks and adds it at the end. */
export function createBlocksFeed(url: string): {
  readonly state: BlocksState;
  readonly loadOlder: () => Promise<void>;
} {
  const [state, setState] = createStore<Writable<BlocksState>>({ ...NOTHING_YET });
  const end = new AbortController();
  let announced: ReturnType<typeof setTimeout> | undefined;

  const setRows = (rows: ChainRows) => {
    setState("rows", reconcile([...rows], { key: "hash" }));
    setState("hasOlder", (rows.at(-1)?.index ?? 0n) > 0n);
  };
  const announce = (replaced: number) => {
    if (replaced === 0) return;
    setState("replaced", replaced);
    clearTimeout(announced);
    announced = setTimeout(() => setState("replaced", 0), ANNOUNCE_MS);
  };
  const look = async () => {
    try {
      const tip = await askTip(url, end.signal);
      if (tip.sink !== state.tip?.sink) {
        const { rows, replaced } = refreshRows(state.rows, await askRows(url, null, end.signal));
        setRows(rows);
        announce(replaced);
      }
      setState({ tip, problem: null });
    } catch (thrown) {
      const error = SvcError.from(thrown);
      if (error.code !== "run/aborted") setState("problem", error.toJSON());
    }
  };
  const loadOlder = async () => {
    const last = state.rows.at(-1);
    if (last === undefined) return;
    setRows(appendRows(state.rows, await askRows(url, last.index, end.signal)));
  };

  const { poke, stop } = createPacer(look);
  const feed = new LiveFeed(liveUrl(url), async () => (await askTip(url, end.signal)).sink, {
    onNews: poke,
    onState: (live) => setState("live", live),
    onPoolAdd: poke,
    onPoolDel: poke,
  });
  feed.start();
  poke();
  onCleanup(() => {
    end.abort();
    feed.stop();
    stop();
    clearTimeout(announced);
  });
  return { state, loadOlder };
}

async function askRows(url: string, before: bigint | null, signal: AbortSignal) {
  const from = before === null ? "" : `before=${before}&`;
  const path = `/v1/chain?${from}limit=${PAGE_LIMITS.blocksPageRows}`;
  return readChainRows(await askText("rows", { url, path }, signal)).rows;
}

/** Runs `work` soon after a poke and at the latest after the polling pause, never twice at once. */
function createPacer(work: () => Promise<void>): { poke: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let poked = false;
  let stopped = false;
  const run = async () => {
    running = true;
    poked = false;
    await work();
    running = false;
    if (!stopped)
      timer = setTimeout(
        () => void run(),
        poked ? PAGE_LIMITS.blocksRefreshMs : PAGE_LIMITS.walletPollMs,
      );
  };
  const poke = () => {
    if (poked || stopped) return;
    poked = true;
    if (running) return;
    clearTimeout(timer);
    timer = setTimeout(() => void run(), PAGE_LIMITS.blocksRefreshMs);
  };
  const stop = () => {
    stopped = true;
    clearTimeout(timer);
  };
  return { poke, stop };
}
