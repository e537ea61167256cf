/** Ports between tabs of one browser: a broadcast channel, and locks that end with the tab that holds them. */
import type { TabMessage } from "./tabMessages.ts";

/** Dependencies of what tabs tell each other. */
export type TabPorts = {
  readonly post: (message: TabMessage) => void;
  /** Gives everything that other tabs post, whatever it is. */
  readonly listen: (listener: (data: unknown) => void) => void;
  /** Resolves when this tab has the lock, which it keeps until `signal` aborts. Rejects when that was before. */
  readonly hold: (name: string, signal: AbortSignal) => Promise<void>;
  /** Resolves when nobody has the lock. Rejects when `signal` aborts. */
  readonly whenFree: (name: string, signal: AbortSignal) => Promise<void>;
  /** Calls once, after so many milliseconds. */
  readonly later: (call: () => void, ms: number) => void;
};

/** The browser's. Tabs of another build have another channel: their states may have other forms. */
export function browserTabs(): TabPorts {
  // The worker's file has the hash of its build in its name.
  const channel = new BroadcastChannel(`svc-wallet-shown ${location.pathname}`);
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) =>
      channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => listener(data)),
    hold: (name, signal) =>
      new Promise((resolve, reject) => {
        const held = async () => {
          resolve();
          await new Promise<void>((release) => {
            signal.addEventListener("abort", () => release(), { once: true });
            if (signal.aborted) release();
          });
        };
        navigator.locks.request(name, { signal }, held).catch(reject);
      }),
    whenFree: async (name, signal) => {
      await navigator.locks.request(name, { signal }, () => undefined);
    },
    later: (call, ms) => void setTimeout(call, ms),
  };
}
