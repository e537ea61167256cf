/**
 * Service worker of the wallet: keeps the files of the build that it came with, so that the wallet opens without a network, and never from
 * two builds. It sees no key, no answer of a node and nothing that is typed; its policy lets it reach its own server alone.
 */
import { answerOf, keepFirst, keptPath, type KeeperParts, type KeptBuild } from "./keptFiles.ts";
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
const STORES = "svc-pages-";
const STORE = STORES + BUILD.id;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(removeEarlier()));
self.addEventListener("message", (event) => {
  if (event.data === TAKE_OVER) event.waitUntil(self.skipWaiting());
  if (event.data === TAKE_OVER_ALONE) event.waitUntil(takeOverAlone());
});
self.addEventListener("fetch", (event) => {
  const path = keptPath(BUILD, event.request, self.location.origin);
  if (path !== null) event.respondWith(parts().then((known) => answerOf(known, path)));
});

async function install(): Promise<void> {
  try {
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

async function removeEarlier(): Promise<void> {
  const names = await caches.keys();
  const earlier = names.filter((name) => name.startsWith(STORES) && name !== STORE);
  await Promise.all(earlier.map((name) => caches.delete(name)));
}

/** A page that has just begun loses nothing by another build; others beside it would. */
async function takeOverAlone(): Promise<void> {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (pages.length <= 1) await self.skipWaiting();
}
