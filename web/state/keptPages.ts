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
  const ends = AbortSignal.any([touched, AbortSignal.timeout(PAGE_LIMITS.pageTakeOverAskMs)]);
  const changed = nextController(ends);
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

/** Loads the newest build that there is. Where the kept one is not what the server has, and nothing newer comes whole, it is left. */
export async function loadNewest(): Promise<void> {
  const registration = await registered();
  if (registration !== undefined) {
    await registration.update().catch(() => undefined);
    const next = await installed(registration.installing ?? registration.waiting);
    if (next === null) {
      await registration.unregister();
    } else {
      const changed = nextController(AbortSignal.timeout(PAGE_LIMITS.pageTakeOverMs));
      next.postMessage(TAKE_OVER);
      await changed;
    }
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

/** Whether another service worker answers for this page before the signal. */
function nextController(signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const change = () => resolve(true);
  navigator.serviceWorker.addEventListener("controllerchange", change, { once: true, signal });
  signal.addEventListener("abort", () => resolve(false), { once: true });
  return promise;
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
