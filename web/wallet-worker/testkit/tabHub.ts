/** Test kit: tabs of one browser without a browser. Nothing is delivered, and no pause ends, before the test says so. */
import type { TabPorts } from "../tabs/tabPorts.ts";

type Tab = { listener: (data: unknown) => void; readonly pauses: (() => void)[] };
type Turn = { readonly tab: Tab; readonly take: () => void };

/** The tabs, their channel, their locks. */
export class TabHub {
  /** Everything that was posted, in order. */
  readonly posted: unknown[] = [];
  readonly #tabs = new Set<Tab>();
  readonly #locks = new Map<string, Turn[]>();
  #queue: { readonly from: Tab | null; readonly data: unknown }[] = [];

  /** A new tab. `kill` ends it as a crash does: it hears nothing more, and its locks are free. */
  tab(): { readonly ports: TabPorts; readonly kill: () => void } {
    const tab: Tab = { listener: () => undefined, pauses: [] };
    this.#tabs.add(tab);
    const ports: TabPorts = {
      post: (data) => this.#post(tab, data),
      listen: (listener) => {
        tab.listener = listener;
      },
      hold: (name, signal) => this.#hold(tab, name, signal),
      whenFree: async (name, signal) => {
        const end = new AbortController();
        await this.#hold(tab, name, AbortSignal.any([signal, end.signal]));
        end.abort();
      },
      later: (call) => void tab.pauses.push(call),
    };
    const kill = () => {
      this.#tabs.delete(tab);
      for (const [name, turns] of this.#locks) {
        const first = turns[0];
        this.#locks.set(
          name,
          turns.filter((turn) => turn.tab !== tab),
        );
        if (first?.tab === tab) this.#locks.get(name)?.[0]?.take();
      }
    };
    return { ports, kill };
  }

  /** Somebody of the same origin posts this. */
  shout(data: unknown): void {
    this.#post(null, data);
  }

  /** Delivers all that was posted, and what that leads to. */
  async settle(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const due = this.#queue;
      this.#queue = [];
      if (due.length === 0) return;
      for (const { from, data } of due) {
        for (const tab of this.#tabs) if (tab !== from) tab.listener(data);
      }
    }
  }

  /** Ends all pauses that were begun. */
  endPauses(): void {
    for (const { pauses } of this.#tabs) for (const call of pauses.splice(0)) call();
  }

  #post(from: Tab | null, data: unknown): void {
    const copy: unknown = structuredClone(data);
    this.posted.push(copy);
    this.#queue.push({ from, data: copy });
  }

  #hold(tab: Tab, name: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const turns = this.#locks.get(name) ?? [];
      this.#locks.set(name, turns);
      const turn: Turn = { tab, take: resolve };
      turns.push(turn);
      if (turns[0] === turn) resolve();
      signal.addEventListener("abort", () => {
        const now = this.#locks.get(name) ?? [];
        const wasFirst = now[0] === turn;
        const rest = now.filter((other) => other !== turn);
        this.#locks.set(name, rest);
        reject(new Error("aborted"));
        if (wasFirst) rest[0]?.take();
      });
    });
  }
}
