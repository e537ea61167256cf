/**
 * Streams that watch an invoice, by asking again and again. A stream ends after a while, and the page opens another one: no instance
 * of the Worker is held for hours.
 */
import type { InvoiceWatchPort } from "@svc/shared/gateway/handlers/checkoutHandlers.ts";
import type { InvoiceId } from "@svc/shared/base/brand.ts";
import { EDGE_LIMITS } from "../../edgeLimits.ts";
import type { HeldTip } from "./heldTip.ts";

/** Watches by asking. */
export class EdgeWatch implements InvoiceWatchPort {
  readonly #tip: Pick<HeldTip, "refresh">;

  constructor(tip: Pick<HeldTip, "refresh">) {
    this.#tip = tip;
  }

  async *watch(_id: InvoiceId, signal: AbortSignal): AsyncGenerator<"changed" | "quiet", void> {
    for (let look = 1; look <= EDGE_LIMITS.watchLooks; look += 1) {
      await scheduler.wait(EDGE_LIMITS.watchPauseMs, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await this.#tip.refresh();
      yield "changed";
      if (look % EDGE_LIMITS.quietLooks === 0) yield "quiet";
    }
  }
}
