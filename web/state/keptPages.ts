/** The pages that this browser keeps for the wallet: their service worker, and the change to a newer build. */
import { createSignal } from "solid-js";
import { OFFLINE_WORKER, TAKE_OVER, TAKE_OVER_ALONE } from "../offline/workerWords.ts";
import { PAGE_LIMITS } from "../pageLimits.ts";

const [isNewer, setNewer] = createSignal(false);

/** Whether a newer build is kept, whole, and waits for this page to end. */
export { isNewer };

/**
 * When a page begins: a newer build that waits takes over, and the page loads once more, as long as nobody has pressed or typed in it.
 * Where other pages are open, or its worker is slow to start, it is asked again, for `pageTakeOverAskMs` at most.
 */
export async function beginNewest(): Promise<void> {
  const registration = await registered();
  const waiting = registration?.waiting;
  if (registration === undefined || waiting === null || waiting === undefined) return;
  setNewer(true);
  const touched = firstTouch();
  const changed = activated(waiting, PAGE_LIMITS.pageTakeOverAskMs, touched);
  const ask = () => waiting.postMessage(TAKE_OVER_ALONE);
  ask();
  // The page that was here before may count as another one for a moment.
  const asking = setInterval(ask, PAGE_LIMITS.pageTakeOverAgainMs);
  const isChanged = await changed;
  clearInterval(asking);
  if (isChanged && !touched.aborted) location.reload();
}

/** Has this browser keep the pages of this build, once they work. A browser that refuses goes on without. */
export async function keepPages(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  try {
    const options = { scope: "/", updateViaCache: "none" } as const;
    const registration = await navigator.serviceWorker.register(OFFLINE_WORKER, options);
    registration.addEventListener("updatefound", () => void follow(registration.installing));
    await follow(registration.installing);
  } catch {
    // Without it the wallet opens from its server alone.
  }
}

/**
 * Loads the newest build that there is. Where the kept one is not what the server has, and nothing newer comes whole or takes over
 * within `pageTakeOverMs`, it is left.
 */
export async function loadNewest(): Promise<void> {
  const registration = await registered();
  if (registration !== undefined) {
    await registration.update().catch(() => undefined);
    const next = await installed(registration.installing ?? registration.waiting);
    const changed = next === null ? false : activated(next, PAGE_LIMITS.pageTakeOverMs);
    next?.postMessage(TAKE_OVER);
    if (!(await changed)) await registration.unregister();
  }
  location.reload();
}

async function follow(worker: ServiceWorker | null): Promise<void> {
  const next = await installed(worker);
  if (next !== null && navigator.serviceWorker.controller !== null) setNewer(true);
}

/** The worker when it has kept its build; null for none, and for one that could not. */
async function installed(worker: ServiceWorker | null): Promise<ServiceWorker | null> {
  if (worker === null) return null;
  if (worker.state === "installing") {
    const { promise, resolve } = Promise.withResolvers<void>();
    worker.addEventListener("statechange", () => resolve(), { once: true });
    await promise;
  }
  return worker.state === "redundant" ? null : worker;
}

/**
 * Whether a worker has taken over in time and before the signal. It answers for the page before it is activated; a page that loads
 * between the two may begin with the one build and ask the other one for its scripts.
 */
function activated(worker: ServiceWorker, ms: number, signal?: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const heard = new AbortController();
  const look = () => {
    if (worker.state === "activated") resolve(true);
    if (worker.state === "redundant") resolve(false);
  };
  worker.addEventListener("statechange", look, { signal: heard.signal });
  signal?.addEventListener("abort", () => resolve(false), { signal: heard.signal });
  const late = setTimeout(() => resolve(false), ms);
  look();
  return promise.finally(() => {
    clearTimeout(late);
    heard.abort();
  });
}

/** Aborted by the first key or press in this page: from then on a load would lose what somebody has done. */
function firstTouch(): AbortSignal {
  const touch = new AbortController();
  const options = { capture: true, once: true, signal: touch.signal };
  for (const type of ["pointerdown", "click", "keydown", "beforeinput"]) {
    addEventListener(type, () => touch.abort(), options);
  }
  return touch.signal;
}

async function registered(): Promise<ServiceWorkerRegistration | undefined> {
  if (!("serviceWorker" in navigator)) return undefined;
  return navigator.serviceWorker.getRegistration().catch(() => undefined);
}
