import { describe, expect, it } from "vitest";
import { asMerchantId, asTimestampMs, type TimestampMs } from "../../base/brand.ts";
import type { Invoice } from "../../invoice/invoice.ts";
import type { InvoiceInput } from "../../invoice/invoiceInput.ts";
import { reduceInvoice } from "../../invoice/reduceInvoice.ts";
import {
  blockAt,
  EXPIRES_MS,
  MADE_MS,
  momentAt,
  outputOf,
  testInvoice,
} from "../../invoice/testkit/invoices.ts";
import { eventBodyOf } from "../eventBodyOf.ts";
import { greenfieldEventsOf } from "./greenfieldEvents.ts";
import { greenfieldState } from "./greenfieldInvoice.ts";

const SHOP = asMerchantId("shop");

/** An invoice to which things happen; what a shop is told of each. */
class Told {
  invoice: Invoice = testInvoice();
  nowMs: TimestampMs = MADE_MS;

  happens(inputs: readonly InvoiceInput[], tip: bigint, nowMs: bigint = this.nowMs): string[] {
    this.nowMs = asTimestampMs(nowMs);
    const moment = momentAt(this.nowMs - MADE_MS, tip);
    const { invoice, events } = reduceInvoice(this.invoice, inputs, moment);
    this.invoice = invoice;
    const place = {
      publicUrl: "https://pay.example",
      network: "simnet",
      livemode: false,
      tip: null,
    };
    return events
      .flatMap((event) =>
        greenfieldEventsOf(eventBodyOf(event, { ...place, nowMs: this.nowMs }), SHOP),
      )
      .map(({ type }) => type);
  }

  get state(): string {
    const { status, additionalStatus } = greenfieldState(this.invoice, this.nowMs);
    return `${status} ${additionalStatus}`;
  }
}

const mined = (number: number, amount: bigint, at: bigint): InvoiceInput => {
  return { kind: "mined", output: outputOf(number, amount), block: blockAt(at, MADE_MS) };
};
const marked = (as: "settled" | "invalid"): InvoiceInput => {
  return { kind: "mark", mark: { as, reason: "", atMs: MADE_MS } };
};

describe("events in the words of the BTCPay interface", () => {
  it("name each payment that came and each that was settled, in this order", () => {
    const told = new Told();
    expect(told.happens([mined(1, 40n, 1_001n), mined(2, 60n, 1_001n)], 1_001n)).toEqual([
      ...["InvoiceReceivedPayment", "InvoiceReceivedPayment", "InvoiceProcessing"],
    ]);
    expect(told.happens([], 1_011n)).toEqual([
      ...["InvoicePaymentSettled", "InvoicePaymentSettled", "InvoiceSettled"],
    ]);
    expect(told.happens([], 1_012n)).toEqual([]);
  });

  it("settle nothing that is only covered in part, in a pool or late", () => {
    const told = new Told();
    told.happens([mined(1, 99n, 1_001n)], 1_011n);
    expect(told.state).toBe("New PaidPartial");
    expect(told.happens([{ kind: "look" }], 1_011n, EXPIRES_MS)).toEqual(["InvoiceExpired"]);
    const late = { ...blockAt(1_012n, EXPIRES_MS + 1n) };
    const input: InvoiceInput = { kind: "mined", output: outputOf(2, 1n), block: late };
    expect(told.happens([input], 1_030n, EXPIRES_MS + 1n)).not.toContain("InvoiceSettled");
    expect(told.state).toBe("Expired PaidLate");
  });

  it("say once that the merchant marked an invoice, also one that had expired or was settled", () => {
    const expired = new Told();
    expired.happens([{ kind: "look" }], 1_001n, EXPIRES_MS);
    expect(expired.happens([marked("invalid")], 1_001n)).toEqual(["InvoiceInvalid"]);
    expect(expired.happens([marked("settled")], 1_001n)).toEqual(["InvoiceSettled"]);
    const settled = new Told();
    settled.happens([mined(1, 100n, 1_001n)], 1_011n);
    expect(settled.happens([marked("invalid")], 1_011n)).toEqual(["InvoiceInvalid"]);
    expect(settled.state).toBe("Invalid Marked");
  });
});
