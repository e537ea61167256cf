/**
 * Service worker of the wallet: keeps the files of the build that it came with, so that the wallet opens without a network, and never from
 * two builds: to a page of the build before it answers with files of that build. It sees no key, no answer of a node and nothing that is typed; its policy lets it reach its own server alone.
 */
import {
  answerOf,
  earlierPath,
  keepFirst,
  keptPath,
  type KeeperParts,
  type KeptBuild,
} from "./keptFiles.ts";
import { earlierBuild, makeRoom, storeOf, takeTurn } from "./keptTurns.ts";
import { TAKE_OVER, TAKE_OVER_ALONE } from "./workerWords.ts";

/** The parts of a service worker's world that this one uses. */
type WorkerWorld = {
  readonly location: { readonly origin: string };
  readonly clients: { matchAll(options: object): Promise<readonly unknown[]> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: LastingEvent) => void): void;
  addEventListener(type: "message", listener: (event: ToldEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: AskedEvent) => void): void;
};
type LastingEvent = { waitUntil(work: Promise<unknown>): void };
type ToldEvent = LastingEvent & { readonly data: unknown };
type AskedEvent = {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
};

declare const self: WorkerWorld;

/** The build writes its list here. */
const BUILD: KeptBuild = JSON.parse("%SVC_KEPT_BUILD%");
const STORE = storeOf(BUILD.id);

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(takeTurn(BUILD.id, caches)));
self.addEventListener("message", (event) => {
  if (event.data === TAKE_OVER) event.waitUntil(self.skipWaiting());
  if (event.data === TAKE_OVER_ALONE) event.waitUntil(takeOverAlone());
});
self.addEventListener("fetch", (event) => {
  const path = keptPath(BUILD, event.request, self.location.origin);
  if (path !== null) {
    event.respondWith(parts().then((known) => answerOf(known, path)));
    return;
  }
  const earlier = earlierPath(BUILD, event.request, self.location.origin);
  if (earlier !== null) event.respondWith(earlierAnswer(earlier, event.request));
});

async function install(): Promise<void> {
  try {
    await makeRoom(BUILD.id, caches);
    await keepFirst(await parts());
  } catch (error) {
    await caches.delete(STORE);
    throw error;
  }
}

async function parts(): Promise<KeeperParts> {
  return {
    build: BUILD,
    store: await caches.open(STORE),
    earlier: { match: (path) => caches.match(path) },
    fetch: (path) => fetch(path, { credentials: "omit", redirect: "error" }),
  };
}

/** A cached file of the previous build, for its pages. Any other request goes to the server unchanged. */
async function earlierAnswer(path: string, request: Request): Promise<Response> {
  const id = earlierBuild(BUILD.id, await caches.keys());
  const kept = id === null ? undefined : await caches.match(path, { cacheName: storeOf(id) });
  return kept ?? fetch(request);
}

/** A page that has just begun loses nothing by another build; others beside it would. */
async function takeOverAlone(): Promise<void> {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (pages.length <= 1) await self.skipWaiting();
}
