/**
 * Invoices over random histories of payments, reorganisations, clocks and merchants, against a model that computes their state from
 * its chain: nothing is handed over unpaid, no event's id has two contents, and every change reaches a receiver behind a line
 * that loses and repeats.
 */
import { expect, it } from "vitest";
import { mulberry32 } from "@svc/node-server/platform/testkit/mulberry32.ts";
import { IS_FULL, testSeed } from "@svc/node-server/platform/testkit/testRun.ts";
import type { Invoice } from "@svc/shared/invoice/invoice.ts";
import { decodeInvoice, encodeInvoice } from "@svc/shared/invoice/invoiceCodec.ts";
import type { InvoiceEvent } from "@svc/shared/invoice/invoiceEvent.ts";
import { reduceInvoice } from "@svc/shared/invoice/reduceInvoice.ts";
import { InvoiceWorld, type Draw } from "./invoiceWorld.ts";
import { LONG_HANG_MS } from "../testkit/hangMs.ts";

const HISTORIES = IS_FULL ? 100_000 : 300;
const STEPS = 40;

function contentOf({ type, invoice, previousStatus }: InvoiceEvent): string {
  return `${type} ${previousStatus} ${encodeInvoice(invoice)}`;
}

/** A receiver: keeps the newest version of the invoice, and what it was told by id. */
class Receiver {
  readonly told = new Map<string, string>();
  newest: Invoice | null = null;

  take(event: InvoiceEvent): void {
    const known = this.told.get(event.id);
    const content = contentOf(event);
    if (known !== undefined) {
      if (known !== content) throw new Error(`${event.id} has two contents`);
      return;
    }
    this.told.set(event.id, content);
    if ((this.newest?.version ?? 0) < event.invoice.version) this.newest = event.invoice;
  }
}

/** Sends what waits in any order. A try may be lost, and what arrived may be sent again. */
function deliver(outbox: InvoiceEvent[], receiver: Receiver, draw: Draw): void {
  for (let left = draw(4); left > 0 && outbox.length > 0; left -= 1) {
    const place = draw(outbox.length);
    const event = outbox[place];
    if (event === undefined || draw(3) === 0) continue;
    receiver.take(event);
    if (draw(3) !== 0) outbox.splice(place, 1);
  }
}

type Tally = { finals: number; backs: number; events: number };

function playHistory(draw: Draw, tally: Tally): void {
  const world = new InvoiceWorld(draw);
  const receiver = new Receiver();
  const outbox: InvoiceEvent[] = [];
  let invoice = world.invoice;
  for (let step = 0; step < STEPS; step += 1) {
    const wasFinal = isFinal(invoice);
    const inputs = world.step(wasFinal);
    const before = draw(4) === 0 ? decodeInvoice(encodeInvoice(invoice)) : invoice;
    const { invoice: after, events } = reduceInvoice(before, inputs, world.moment);
    if (draw(8) === 0) expectSame(reduceInvoice(before, inputs, world.moment).events, events);
    expectVersions(before, after, events);
    const expected = world.expected();
    const { status, paid } = after.told;
    if (status !== expected.status || paid !== expected.paid) {
      throw new Error(`${status} ${paid}, expected ${expected.status} ${expected.paid}`);
    }
    const least = after.terms.amount - after.terms.policy.toleranceUnder;
    if (isFinal(after) && !world.isMarkedSettled && world.settledOnChain() < least) {
      throw new Error("handed over unpaid");
    }
    if (isFinal(after) && !wasFinal) tally.finals += 1;
    if (wasFinal && !isFinal(after)) {
      tally.backs += 1;
      if (!events.some(({ type }) => type === "invoice.invalid")) throw new Error("not taken back");
    }
    tally.events += events.length;
    outbox.push(...events);
    deliver(outbox, receiver, draw);
    invoice = after;
  }
  for (const event of outbox) receiver.take(event);
  if (receiver.newest !== null && encodeInvoice(receiver.newest) !== encodeInvoice(invoice)) {
    throw new Error("the receiver knows another invoice");
  }
  if (receiver.told.size !== invoice.version - 1) throw new Error("a version was not told");
}

function isFinal({ told }: Invoice): boolean {
  return told.status === "confirmed" || told.status === "overpaid";
}

/** Versions follow each other, and without an event the invoice is as it was. */
function expectVersions(before: Invoice, after: Invoice, events: readonly InvoiceEvent[]): void {
  const versions = events.map((event) => event.invoice.version - before.version);
  if (versions.some((version, place) => version !== place + 1)) throw new Error("a version twice");
  if (events.length === 0 && encodeInvoice(before) !== encodeInvoice(after)) {
    throw new Error("a change was not told");
  }
}

function expectSame(again: readonly InvoiceEvent[], events: readonly InvoiceEvent[]): void {
  if (again.map(contentOf).join() !== events.map(contentOf).join()) throw new Error("not pure");
}

it(`is true to the chain over ${HISTORIES} random histories`, { timeout: LONG_HANG_MS }, () => {
  const seed = testSeed(20);
  console.log(`seed ${seed}`);
  const tally: Tally = { finals: 0, backs: 0, events: 0 };
  for (let history = 0; history < HISTORIES; history += 1) {
    const next = mulberry32(seed * 1_000_003 + history);
    const draw: Draw = (below) => Math.floor((next() / 2 ** 32) * below);
    try {
      playHistory(draw, tally);
    } catch (error) {
      throw new Error(`history ${history} of seed ${seed}`, { cause: error });
    }
  }
  // Histories that confirm nothing, or take nothing back, would show nothing.
  expect(tally.finals).toBeGreaterThan(HISTORIES / 4);
  expect(tally.backs).toBeGreaterThan(HISTORIES / 50);
  expect(tally.events).toBeGreaterThan(HISTORIES * 4);
});
