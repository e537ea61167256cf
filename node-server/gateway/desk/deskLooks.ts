/** Looks at invoices that time or the tip changes: those whose time has come, and those of which a payment is deep enough now. */
import type { BlueScore, InvoiceId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { WorkLadder } from "@svc/shared/light/workLadder.ts";
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { GatewayStore } from "../store/gatewayStore.ts";
import type { SettlingPlace } from "../store/invoiceTable.ts";
import type { InvoiceDesk } from "./invoiceDesk.ts";

/** Dependencies. */
export type DeskLooksParts = {
  readonly store: Pick<GatewayStore, "run" | "invoices">;
  readonly desk: Pick<InvoiceDesk, "apply" | "moveTip">;
  readonly clock: Pick<Clock, "nowMs" | "sleep">;
  readonly log: Pick<Log, "error">;
  /** An invoice was looked at, and may be another one now: whoever watches it hears of it. */
  readonly onLooked: (id: InvoiceId) => void;
};

/** The looks of a gateway. */
export class DeskLooks {
  readonly #parts: DeskLooksParts;
  readonly #life = new AbortController();
  #run: Promise<void> | null = null;
  #tip: BlueScore | null = null;
  #woken = false;
  #wake: () => void = () => undefined;

  constructor(parts: DeskLooksParts) {
    this.#parts = parts;
  }

  /** Begins to look, again and again. */
  start(): void {
    this.#run ??= this.#loop(this.#life.signal);
  }

  /** The sink stands at this blue score; null while no node says where. `ladder`: what was proved below it, null where depth decides. */
  moveTip(tip: BlueScore | null, ladder: WorkLadder | null = null): void {
    this.#tip = tip;
    this.#parts.desk.moveTip(tip, ladder);
    this.wake();
  }

  /** Something may be due earlier than it was. */
  wake(): void {
    this.#woken = true;
    this.#wake();
  }

  /** Ends; resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#life.abort();
    this.#wake();
    await this.#run;
  }

  /** Looks at everything that is due now. Rejects with `store/…`, `run/aborted`. */
  async look(signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#parts;
    const most = GATEWAY_LIMITS.lookInvoices;
    let last = "";
    // Behind those that are deep and not proved are others.
    let after: SettlingPlace | null = null;
    for (;;) {
      throwIfAborted(signal);
      const due = store.invoices.due(clock.nowMs(), most);
      const settling: readonly SettlingPlace[] =
        this.#tip === null ? [] : store.invoices.settling(this.#tip, most, after);
      after = settling.at(-1) ?? after;
      const ids = [...new Set([...due, ...settling.map(({ id }) => id)])];
      // What a look does not change would be due for ever.
      const isSame = ids.join() === last;
      last = ids.join();
      if (ids.length === 0 || isSame) return;
      await this.#apply(ids);
    }
  }

  async #apply(ids: readonly InvoiceId[]): Promise<void> {
    const { store, desk, onLooked } = this.#parts;
    await store.run((batch) => {
      for (const id of ids) {
        const invoice = store.invoices.get(id, batch);
        if (invoice !== undefined) desk.apply(batch, invoice, [{ kind: "look" }]);
      }
    });
    for (const id of ids) onLooked(id);
  }

  async #loop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#woken = false;
      let pauseMs: number = GATEWAY_LIMITS.lookEveryMs;
      try {
        await this.look(signal);
        pauseMs = this.#untilDueMs();
      } catch (thrown) {
        if (signal.aborted) return;
        this.#parts.log.error({ err: SvcError.from(thrown) }, "invoices were not looked at");
      }
      await this.#pause(pauseMs, signal);
    }
  }

  #untilDueMs(): number {
    const due = this.#parts.store.invoices.nextDueMs();
    if (due === null) return GATEWAY_LIMITS.lookEveryMs;
    const left = Number(due - this.#parts.clock.nowMs());
    return Math.min(GATEWAY_LIMITS.lookEveryMs, Math.max(1, left));
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#woken || signal.aborted) return;
    const over = new AbortController();
    this.#wake = () => over.abort();
    await this.#parts.clock.sleep(ms, over.signal).catch(() => undefined);
    this.#wake = () => undefined;
  }
}
