/** Mounts the block graph into its place on the page of the graph. */
import { readReplay } from "@svc/shared/explorer/dag/replayAddress.ts";
import { LENT_PATH, lentDagFeed } from "../dag/lentDagFeed.ts";
import { mountDag } from "../dag/mountDag.ts";
import { hrefOf, type PageFrame } from "../frame/pageFrame.ts";
import type { PartOptions } from "./mountedParts.ts";

/** Draws the graph. While it follows the chain it asks for the newest blocks in place of the page. */
export function mountGraph(
  place: HTMLElement,
  { query, moved }: PartOptions<"dag">,
  frame: PageFrame,
): () => void {
  return mountDag(place, {
    feed: lentDagFeed({
      apiBase: frame.apiBase,
      fetch: (url, init) => fetch(url, init),
      nowMs: () => Date.now(),
      isHidden: () => document.hidden,
      lend: () => frame.lend(LENT_PATH),
      take: (path, answer) => frame.store.take(path, answer),
      forget: (path) => frame.store.forget(path),
    }),
    locale: frame.texts.locale,
    moment: readReplay(query),
    moved,
    blockHref: (hash) => hrefOf(frame, { kind: "block", id: hash }),
    pageHref: (next) => {
      const address = hrefOf(frame, { kind: "dag", minute: null });
      if (next === "") return address;
      return `${address}${address.includes("?") ? "&" : "?"}${next}`;
    },
  });
}
