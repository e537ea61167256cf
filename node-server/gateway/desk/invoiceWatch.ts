/** Whoever watches invoices: the streams of checkout pages. A watcher that is slow misses no last state, only what lay between. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { InvoiceId } from "@svc/shared/base/brand.ts";
import type { InvoiceWatchPort } from "@svc/shared/gateway/handlers/checkoutHandlers.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";

type Watcher = { isChanged: boolean; wake: () => void };

/** The watchers of a gateway. */
export class InvoiceWatch implements InvoiceWatchPort {
  readonly #clock: Pick<Clock, "sleep">;
  readonly #watchers = new Map<InvoiceId, Set<Watcher>>();
  #count = 0;

  constructor(clock: Pick<Clock, "sleep">) {
    this.#clock = clock;
  }

  /** How many watch. */
  get count(): number {
    return this.#count;
  }

  /** Tells the watchers of an invoice that it may be another one. */
  changed(id: InvoiceId): void {
    for (const watcher of this.#watchers.get(id) ?? []) tell(watcher);
  }

  /** Tells all watchers: the tip has moved. */
  moved(): void {
    for (const watchers of this.#watchers.values()) {
      for (const watcher of watchers) tell(watcher);
    }
  }

  watch(id: InvoiceId, signal: AbortSignal): AsyncIterable<"changed" | "quiet"> {
    if (this.#count >= GATEWAY_LIMITS.watchers) {
      throw new SvcError("http/unavailable", { reason: "too many watch" });
    }
    // From now on, not from the first tick that is asked for: what changes meanwhile is told.
    const watcher: Watcher = { isChanged: false, wake: () => undefined };
    const watchers = this.#watchers.get(id) ?? new Set();
    this.#watchers.set(id, watchers.add(watcher));
    this.#count += 1;
    const leave = (): void => {
      if (!watchers.delete(watcher)) return;
      this.#count -= 1;
      if (watchers.size === 0 && this.#watchers.get(id) === watchers) this.#watchers.delete(id);
    };
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    return this.#ticks(watcher, signal, leave);
  }

  async *#ticks(
    watcher: Watcher,
    signal: AbortSignal,
    leave: () => void,
  ): AsyncGenerator<"changed" | "quiet", void> {
    try {
      while (!signal.aborted) {
        await this.#pause(watcher, signal);
        if (signal.aborted) return;
        const { isChanged } = watcher;
        watcher.isChanged = false;
        yield isChanged ? "changed" : "quiet";
      }
    } finally {
      signal.removeEventListener("abort", leave);
      leave();
    }
  }

  async #pause(watcher: Watcher, signal: AbortSignal): Promise<void> {
    if (watcher.isChanged) return;
    const over = new AbortController();
    watcher.wake = () => over.abort();
    const either = AbortSignal.any([signal, over.signal]);
    await this.#clock.sleep(GATEWAY_LIMITS.quietMs, either).catch(() => undefined);
    watcher.wake = () => undefined;
  }
}

function tell(watcher: Watcher): void {
  watcher.isChanged = true;
  watcher.wake();
}
