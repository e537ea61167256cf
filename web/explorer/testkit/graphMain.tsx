/** Entry point of a page for tests and measurements that holds the block graph and nothing else. */
import "../../ui/styles/tokens.css";
import "../../ui/styles/base.css";
import { readReplay } from "@svc/shared/explorer/dag/replayAddress.ts";
import { mountDag } from "../dag/mountDag.ts";
import { restDagFeed } from "../dag/restDagFeed.ts";

const place = document.getElementById("graph");
if (place === null) throw new TypeError("the page has a place for the graph");
mountDag(place, {
  feed: restDagFeed({
    apiBase: "/api",
    fetch: (url, init) => fetch(url, init),
    nowMs: () => Date.now(),
    isHidden: () => document.hidden,
  }),
  locale: "en",
  moment: readReplay(location.search.slice(1)),
  blockHref: (hash) => `/blocks/${hash}`,
  pageHref: (query) => (query === "" ? "/" : `/?${query}`),
});
