/** Tests of the automatic lock over several tabs. */
import { createRoot } from "solid-js";
import { createStore } from "solid-js/store";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PAGE_LIMITS } from "../pageLimits.ts";
import { createIdleLock } from "./idleLock.ts";
import { startSnapshot } from "../wallet-api/startSnapshot.ts";

let input: () => void = () => undefined;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("addEventListener", (_: string, listener: () => void) => {
    input = listener;
  });
  vi.stubGlobal("removeEventListener", () => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function idleLockOf(following: boolean) {
  const start = startSnapshot("http://node.test");
  const [snapshot, set] = createStore({ ...start, tabs: { ...start.tabs, following } });
  const lock = vi.fn<() => Promise<void>>(async () => undefined);
  const noteActivity = vi.fn<() => Promise<void>>(async () => undefined);
  const dispose = createRoot((end) => {
    createIdleLock({ snapshot, lock, wallet: { noteActivity } });
    return end;
  });
  const active = (count: number) => set("tabs", "activity", count);
  return { lock, noteActivity, active, dispose };
}

test("input in another tab counts: the wallet waits anew", () => {
  const { lock, active, dispose } = idleLockOf(false);
  vi.advanceTimersByTime(PAGE_LIMITS.walletIdleLockMs - 10_000);
  active(1);
  vi.advanceTimersByTime(20_000);
  expect(lock).not.toHaveBeenCalled();
  vi.advanceTimersByTime(PAGE_LIMITS.walletIdleLockMs);
  expect(lock).toHaveBeenCalled();
  dispose();
});

test("a tab that follows tells of its input, at most once a look, and locks nothing", () => {
  const { lock, noteActivity, dispose } = idleLockOf(true);
  vi.advanceTimersByTime(10_000);
  expect(noteActivity).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  for (let turn = 0; turn < 100; turn += 1) input();
  vi.advanceTimersByTime(10_000);
  expect(noteActivity).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(PAGE_LIMITS.walletIdleLockMs * 2);
  expect(lock).not.toHaveBeenCalled();
  expect(noteActivity).toHaveBeenCalledOnce();
  dispose();
});
