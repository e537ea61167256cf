import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TAKE_OVER, TAKE_OVER_ALONE } from "../offline/workerWords.ts";
import { PAGE_LIMITS } from "../pageLimits.ts";
import { beginNewest, loadNewest } from "./keptPages.ts";

/** A service worker whose states a test sets. */
class ModelWorker extends EventTarget {
  state = "installed";
  readonly told: unknown[] = [];

  postMessage(word: unknown): void {
    this.told.push(word);
  }

  become(state: string): void {
    this.state = state;
    this.dispatchEvent(new Event("statechange"));
  }
}

let next: ModelWorker;
let container: EventTarget;
let page: EventTarget;
const reload = vi.fn<() => void>();
const unregister = vi.fn<() => Promise<boolean>>();

beforeEach(() => {
  vi.useFakeTimers();
  next = new ModelWorker();
  const registration = {
    waiting: next,
    installing: null,
    update: async () => undefined,
    unregister,
  };
  container = Object.assign(new EventTarget(), { getRegistration: async () => registration });
  page = new EventTarget();
  unregister.mockResolvedValue(true);
  vi.stubGlobal("navigator", { serviceWorker: container });
  vi.stubGlobal("location", { reload });
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

/** The newer build takes over: it answers for this page before it has removed what the earlier one kept. */
async function takeOver(): Promise<void> {
  next.become("activating");
  container.dispatchEvent(new Event("controllerchange"));
  await vi.advanceTimersByTimeAsync(0);
}

describe("a newer build that somebody asks for", () => {
  it("is loaded once it is activated, not while it takes over", async () => {
    const loaded = loadNewest();
    await vi.advanceTimersByTimeAsync(0);
    expect(next.told).toEqual([TAKE_OVER]);
    await takeOver();
    expect(reload).not.toHaveBeenCalled();
    next.become("activated");
    await loaded;
    expect(reload).toHaveBeenCalledOnce();
    expect(unregister).not.toHaveBeenCalled();
  });

  it("is waited for on a slow machine, and left to the server where it never takes over", async () => {
    const loaded = loadNewest();
    await takeOver();
    await vi.advanceTimersByTimeAsync(PAGE_LIMITS.pageTakeOverMs - 1);
    expect([reload.mock.calls.length, unregister.mock.calls.length]).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(1);
    await loaded;
    expect(unregister).toHaveBeenCalledOnce();
    expect(reload).toHaveBeenCalledOnce();
  });

  it("is left to the server where it could not be kept", async () => {
    next.become("redundant");
    await loadNewest();
    expect(unregister).toHaveBeenCalledOnce();
    expect(reload).toHaveBeenCalledOnce();
  });
});

describe("a page that begins beside a newer build", () => {
  it("asks it again and again to take over, and loads once more when it is activated", async () => {
    const begun = beginNewest();
    await vi.advanceTimersByTimeAsync(PAGE_LIMITS.pageTakeOverAgainMs * 2);
    expect(next.told).toEqual([TAKE_OVER_ALONE, TAKE_OVER_ALONE, TAKE_OVER_ALONE]);
    await takeOver();
    expect(reload).not.toHaveBeenCalled();
    next.become("activated");
    await begun;
    expect(reload).toHaveBeenCalledOnce();
  });

  it("is left alone once somebody has pressed a key in it", async () => {
    const begun = beginNewest();
    await vi.advanceTimersByTimeAsync(0);
    page.dispatchEvent(new Event("keydown"));
    next.become("activated");
    await begun;
    expect(reload).not.toHaveBeenCalled();
  });

  it("stays as it is where the newer build does not come in time", async () => {
    const begun = beginNewest();
    await vi.advanceTimersByTimeAsync(PAGE_LIMITS.pageTakeOverAskMs);
    await begun;
    const asked = next.told.length;
    await vi.advanceTimersByTimeAsync(PAGE_LIMITS.pageTakeOverAskMs);
    expect([next.told.length, reload.mock.calls.length]).toEqual([asked, 0]);
  });
});
