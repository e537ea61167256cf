/**
 * Service worker of the point of sale. It keeps one page, which says that there is no connection, and nothing else: no sum, no state and no
 * answer is ever shown from a store. Whatever is no page goes past it.
 */

/** The parts of a service worker's world that this one uses. */
type WorkerWorld = {
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
  addEventListener(type: "install" | "activate", listener: (event: LastingEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: AskedEvent) => void): void;
};
type LastingEvent = { waitUntil(work: Promise<unknown>): void };
type AskedEvent = {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
};

declare const self: WorkerWorld;

/** Another version has another name, and takes the page of the one before away. */
const STORE = "svc-pos-2";
const OFFLINE = "/pos/offline";

self.addEventListener("install", (event) => event.waitUntil(keepOfflinePage()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate" && event.request.method === "GET") {
    event.respondWith(pageOf(event.request));
  }
});

async function keepOfflinePage(): Promise<void> {
  const store = await caches.open(STORE);
  await store.add(new Request(OFFLINE, { cache: "reload", credentials: "omit" }));
  await self.skipWaiting();
}

async function takeOver(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("svc-pos-") && name !== STORE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function pageOf(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(OFFLINE);
    if (kept === undefined) throw error;
    return kept;
  }
}
