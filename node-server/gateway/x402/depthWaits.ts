/**
 * Waits for payments to become as deep as their challenges ask: one for each challenge, whoever asks. It ends with the last who asks, and
 * holds no place of those that broadcast: a payment that never becomes deep keeps nobody else from being settled.
 */
import type { InvoiceId, MerchantId } from "@svc/shared/base/brand.ts";
import type { InvoiceWatchPort } from "@svc/shared/gateway/handlers/checkoutHandlers.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";

/** Dependencies. */
export type DepthWaitsParts = {
  readonly watch: InvoiceWatchPort;
  readonly clock: Pick<Clock, "sleep">;
  /** Whether there is nothing to wait for any more. */
  readonly isOver: (id: InvoiceId) => boolean;
};

type Wait = {
  readonly merchant: MerchantId;
  readonly over: AbortController;
  readonly done: Promise<void>;
  callers: number;
};

/** The waits of a gateway. */
export class DepthWaits {
  readonly #parts: DepthWaitsParts;
  readonly #waits = new Map<InvoiceId, Wait>();

  constructor(parts: DepthWaitsParts) {
    this.#parts = parts;
  }

  /**
   * Resolves when there is nothing to wait for, when the time for it is over, when the caller goes away, and at once where
   * `settleWaits` challenges are waited for, or `settleWaitsPerMerchant` of this merchant. Rejects with `http/unavailable` where too many watch invoices, and with `store/…`.
   */
  async wait(id: InvoiceId, merchant: MerchantId, signal: AbortSignal): Promise<void> {
    const known = this.#waits.get(id);
    if (signal.aborted || this.#parts.isOver(id)) return;
    if (known === undefined && !this.#hasRoom(merchant)) return;
    const wait = known ?? this.#begin(id, merchant);
    const left = Promise.withResolvers<undefined>();
    const leave = (): void => left.resolve(undefined);
    signal.addEventListener("abort", leave, { once: true });
    wait.callers += 1;
    try {
      await Promise.race([wait.done, left.promise]);
    } finally {
      signal.removeEventListener("abort", leave);
      wait.callers -= 1;
      if (wait.callers === 0) wait.over.abort();
    }
  }

  #hasRoom(merchant: MerchantId): boolean {
    const { settleWaits, settleWaitsPerMerchant } = GATEWAY_LIMITS;
    if (this.#waits.size >= settleWaits) return false;
    let own = 0;
    for (const wait of this.#waits.values()) if (wait.merchant === merchant) own += 1;
    return own < settleWaitsPerMerchant;
  }

  #begin(id: InvoiceId, merchant: MerchantId): Wait {
    const over = new AbortController();
    const changes = this.#parts.watch.watch(id, over.signal);
    // Whoever comes after the end of a wait begins another one.
    over.signal.addEventListener("abort", () => this.#waits.delete(id), { once: true });
    const wait: Wait = { merchant, over, done: this.#run(id, changes, over), callers: 0 };
    if (!over.signal.aborted) this.#waits.set(id, wait);
    return wait;
  }

  async #run(
    id: InvoiceId,
    changes: ReturnType<InvoiceWatchPort["watch"]>,
    over: AbortController,
  ): Promise<void> {
    const { clock, isOver } = this.#parts;
    const end = (): void => over.abort();
    clock.sleep(GATEWAY_LIMITS.settleWaitMs, over.signal).then(end, end);
    try {
      if (isOver(id)) return;
      for await (const _change of changes) if (isOver(id)) return;
    } finally {
      end();
    }
  }
}
