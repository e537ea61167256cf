import { describe, expect, it } from "vitest";
import { asInvoiceId } from "@svc/shared/base/brand.ts";
import { InvoiceWatch } from "./invoiceWatch.ts";

const ID = asInvoiceId(`inv_${"1".repeat(32)}`);
const OTHER = asInvoiceId(`inv_${"2".repeat(32)}`);

/** A clock on which no time passes. */
const clock = {
  sleep: (_ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((_resolve, reject) =>
      signal.addEventListener("abort", () => reject(new Error("aborted"))),
    ),
};

describe("a watch of an invoice", () => {
  it("tells what changes between its beginning and the first question for a tick", async () => {
    const watch = new InvoiceWatch(clock);
    const life = new AbortController();
    const ticks = watch.watch(ID, life.signal)[Symbol.asyncIterator]();
    watch.changed(OTHER);
    watch.changed(ID);
    expect(await ticks.next()).toEqual({ done: false, value: "changed" });
    const next = ticks.next();
    watch.moved();
    expect(await next).toEqual({ done: false, value: "changed" });
    await ticks.return?.();
    expect(watch.count).toBe(0);
  });

  it("is over with its signal, also when nobody ever asked it", () => {
    const watch = new InvoiceWatch(clock);
    const life = new AbortController();
    watch.watch(ID, life.signal);
    watch.watch(ID, new AbortController().signal);
    expect(watch.count).toBe(2);
    life.abort();
    expect(watch.count).toBe(1);
    watch.watch(ID, life.signal);
    expect(watch.count).toBe(1);
  });
});
