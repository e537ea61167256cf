/** Live connection to the followed node: its news wake whoever looks at the node, and its pool goes to the open wallet. */
import type { HttpNode } from "@svc/shared/wallet/node/httpNode.ts";
import { LiveFeed, liveUrl } from "../node/liveFeed.ts";
import type { NodeWatch } from "./nodeWatch.ts";
import type { WalletSession } from "./walletSession.ts";

/** What the news are for. */
export type FeedReaders = {
  readonly node: HttpNode;
  readonly watch: NodeWatch;
  /** The open wallet; null while it is locked. */
  readonly session: () => WalletSession | null;
};

/** Begins to follow the node at an origin. `signal` ends the questions that it asks itself. */
export function startNodeFeed(url: string, readers: FeedReaders, signal: AbortSignal): LiveFeed {
  const { node, watch, session } = readers;
  const feed = new LiveFeed(liveUrl(url), async () => (await node.tip(signal)).sink, {
    onNews: () => {
      session()?.wake();
      watch.wake();
    },
    onState: (live) => {
      watch.setLive(live);
      if (!live) watch.wake();
    },
    onPoolAdd: (frame) =>
      void session()
        ?.poolAdd(frame)
        .catch(() => undefined),
    onPoolDel: (txid) => session()?.poolDel(txid),
  });
  feed.start();
  return feed;
}
