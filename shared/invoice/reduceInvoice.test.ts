import { describe, expect, it } from "vitest";
import { asSompi, asTimestampMs } from "../base/brand.ts";
import { assessInvoice } from "./assessInvoice.ts";
import { confirmationsOf } from "./confirmationsOf.ts";
import type { Invoice } from "./invoice.ts";
import { decodeInvoice, encodeInvoice } from "./invoiceCodec.ts";
import type { InvoiceInput } from "./invoiceInput.ts";
import { INVOICE_LIMITS } from "./invoiceLimits.ts";
import { nextLookMs, reduceInvoice, settlesAt, watchesTip } from "./reduceInvoice.ts";
import {
  blockAt,
  EXPIRES_MS,
  MADE_MS,
  momentAt,
  outputOf,
  testInvoice,
} from "./testkit/invoices.ts";

const LIFE = EXPIRES_MS - MADE_MS;
const DAY = 86_400_000n;
const LOOK: InvoiceInput = { kind: "look" };

function mined(number: number, amount: bigint, blueScore: bigint, afterMs: bigint): InvoiceInput {
  const block = blockAt(blueScore, MADE_MS + afterMs);
  return { kind: "mined", output: outputOf(number, amount), block };
}

function orphaned(number: number, amount: bigint, blueScore: bigint): InvoiceInput {
  return { kind: "orphaned", output: outputOf(number, amount), block: blockAt(blueScore, 0n).hash };
}

function waiting(number: number, amount: bigint): InvoiceInput {
  return { kind: "waiting", output: outputOf(number, amount) };
}

/** That a receipt of a payment is kept, or kept no more. */
function receipted(number: number, blueScore: bigint, isKept = true): InvoiceInput {
  const { cmx } = outputOf(number, 1n);
  return { kind: "receipt", cmx, block: blockAt(blueScore, 0n).hash, isKept };
}

function markOf(as: "settled" | "invalid") {
  return { as, reason: "by hand", atMs: MADE_MS };
}

/** Runs steps and tells after each of them what was told: the events without `invoice.`, and the status. */
function run(start: Invoice, steps: readonly (readonly [InvoiceInput, bigint, bigint | null])[]) {
  let invoice = start;
  const told = steps.map(([input, afterMs, tip]) => {
    const { invoice: after, events } = reduceInvoice(invoice, [input], momentAt(afterMs, tip));
    invoice = after;
    const types = events.map(({ type }) => type.replace("invoice.", ""));
    return [...types, `= ${invoice.told.status}`].join(" ");
  });
  return { invoice, told };
}

describe("an invoice", () => {
  it("is paid, and confirmed when its payment is deep enough, each told once", () => {
    const { told, invoice } = run(testInvoice(), [
      [mined(1, 100n, 1_001n, 5_000n), 6_000n, 1_001n],
      [LOOK, 7_000n, 1_010n],
      [LOOK, 8_000n, 1_011n],
      [LOOK, 9_000n, 1_012n],
      [mined(1, 100n, 1_001n, 5_000n), 9_000n, 1_012n],
    ]);
    expect(told).toEqual([
      "payment_received paid = paid",
      "= paid",
      "confirmed = confirmed",
      "= confirmed",
      "= confirmed",
    ]);
    expect(invoice.version).toBe(4);
  });

  it("is partial until further payments cover it", () => {
    const { told } = run(testInvoice(), [
      [mined(1, 60n, 1_001n, 1_000n), 1_000n, 1_001n],
      [mined(2, 39n, 1_002n, 2_000n), 2_000n, 1_002n],
      [mined(3, 1n, 1_003n, 3_000n), 3_000n, 1_003n],
      [LOOK, 4_000n, 1_012n],
      [LOOK, 4_000n, 1_013n],
    ]);
    expect(told).toEqual([
      "payment_received partial = partial",
      "payment_received = partial",
      "payment_received paid = paid",
      "updated = paid",
      "confirmed = confirmed",
    ]);
  });

  it("is overpaid only when what is beyond the amount is settled, too", () => {
    const { told, invoice } = run(testInvoice(), [
      [mined(1, 101n, 1_001n, 1_000n), 1_000n, 1_001n],
      [LOOK, 2_000n, 1_011n],
    ]);
    expect(told).toEqual(["payment_received paid = paid", "overpaid = overpaid"]);
    expect(assessInvoice(invoice, MADE_MS).overpaid).toBe(1n);
  });

  it("becomes overpaid by a payment that comes after its confirmation", () => {
    const { told } = run(testInvoice(), [
      [mined(1, 100n, 1_001n, 1_000n), 1_000n, 1_011n],
      [mined(2, 5n, 1_020n, 2_000n), 2_000n, 1_020n],
      [LOOK, 2_000n, 1_030n],
    ]);
    expect(told).toEqual([
      "payment_received confirmed = confirmed",
      "payment_received = confirmed",
      "overpaid = overpaid",
    ]);
  });

  it("takes what is within its tolerances for the amount", () => {
    const policy = { toleranceUnder: asSompi(2n), toleranceOver: asSompi(3n) };
    const end = (amount: bigint): string | undefined =>
      run(testInvoice(policy), [[mined(1, amount, 1_001n, 1n), 1n, 1_011n]]).told.at(-1);
    expect(end(97n)).toBe("payment_received partial = partial");
    expect(end(98n)).toBe("payment_received confirmed = confirmed");
    expect(end(103n)).toBe("payment_received confirmed = confirmed");
    expect(end(104n)).toBe("payment_received overpaid = overpaid");
  });

  it("expires at its expiry and not before, unless it is covered", () => {
    const { told } = run(testInvoice(), [
      [LOOK, LIFE - 1n, 1_001n],
      [LOOK, LIFE, 1_001n],
      [LOOK, LIFE + 1n, 1_001n],
    ]);
    expect(told).toEqual(["= new", "expired = expired", "= expired"]);
    const covered = run(testInvoice(), [
      [mined(1, 100n, 1_001n, 1_000n), 1_000n, 1_001n],
      [LOOK, LIFE + 1n, 1_002n],
      [LOOK, LIFE + 2n, 1_011n],
    ]);
    expect(covered.told.slice(1)).toEqual(["= paid", "confirmed = confirmed"]);
  });

  it("stays partial after its expiry, which is told, and can be topped up", () => {
    const { told, invoice } = run(testInvoice(), [
      [mined(1, 40n, 1_001n, 1_000n), 1_000n, 1_001n],
      [LOOK, LIFE, 1_020n],
      [
        {
          kind: "extend",
          expiresMs: asTimestampMs(EXPIRES_MS + LIFE),
          amount: asSompi(100n),
          quote: null,
        },
        LIFE + 1n,
        1_020n,
      ],
      [mined(2, 60n, 1_030n, LIFE + 5n), LIFE + 5n, 1_040n],
    ]);
    expect(told.slice(1)).toEqual([
      "expired = partial",
      "updated = partial",
      "payment_received confirmed = confirmed",
    ]);
    expect(invoice.told.expired).toBe(false);
  });

  it("is paid late where the payment came after the expiry, and still follows it to its depth", () => {
    const { told, invoice } = run(testInvoice(), [
      [LOOK, LIFE, 1_001n],
      [mined(1, 100n, 1_002n, LIFE + 1n), LIFE + 2n, 1_002n],
      [LOOK, LIFE + 3n, 1_012n],
    ]);
    expect(told.slice(1)).toEqual(["payment_received paid_late = paidLate", "updated = paidLate"]);
    expect(invoice.told.settled).toBe(100n);
  });

  it("is not late where the block is older than the expiry, or the payment was seen before it", () => {
    const blockInTime = run(testInvoice(), [
      [LOOK, LIFE, 1_001n],
      [mined(1, 100n, 1_002n, LIFE), LIFE + DAY / 2n, 1_050n],
    ]);
    expect(blockInTime.told.at(-1)).toBe("payment_received confirmed = confirmed");
    const seenInTime = run(testInvoice(), [
      [waiting(1, 100n), LIFE, 1_001n],
      [mined(1, 100n, 1_002n, LIFE + 9_000n), LIFE + 9_000n, 1_002n],
    ]);
    expect(seenInTime.told.at(-1)).toBe("payment_received paid = paid");
  });

  it("is not late where its scanner saw the payment before the expiry, and told of it later", () => {
    const late = mined(1, 100n, 1_002n, LIFE + 1n);
    const moment = momentAt(LIFE + DAY, 1_002n);
    const { invoice } = reduceInvoice(testInvoice(), [late], { ...moment, seenMs: EXPIRES_MS });
    expect([invoice.told.status, invoice.updatedMs]).toEqual(["paid", moment.nowMs]);
    expect(reduceInvoice(testInvoice(), [late], moment).invoice.told.status).toBe("paidLate");
  });

  it("is never late within its grace, or where its merchant accepts late payments", () => {
    const grace = run(testInvoice({ graceMs: 10n }), [
      [mined(1, 100n, 1_002n, LIFE + 10n), LIFE + 10n, 1_012n],
    ]);
    expect(grace.told.at(-1)).toBe("payment_received confirmed = confirmed");
    const accepts = run(testInvoice({ late: "accept" }), [
      [LOOK, LIFE + DAY, 1_001n],
      [mined(1, 100n, 1_002n, LIFE + DAY), LIFE + DAY, 1_012n],
    ]);
    expect(accepts.told.at(-1)).toBe("payment_received confirmed = confirmed");
  });

  it("falls back when a reorganisation takes its payment, and is confirmed again with a depth of its own", () => {
    const { told, invoice } = run(testInvoice(), [
      [mined(1, 100n, 1_001n, 1_000n), 1_000n, 1_011n],
      [orphaned(1, 100n, 1_001n), 2_000n, 1_012n],
      [mined(1, 100n, 1_013n, 3_000n), 3_000n, 1_013n],
      [LOOK, 4_000n, 1_022n],
      [LOOK, 4_000n, 1_023n],
    ]);
    expect(told).toEqual([
      "payment_received confirmed = confirmed",
      "invalid updated = new",
      "paid = paid",
      "= paid",
      "confirmed = confirmed",
    ]);
    expect(invoice.told.reorged).toBe(false);
  });

  it("believes no reorganisation of another block than the payment's", () => {
    const { told } = run(testInvoice(), [
      [mined(1, 100n, 1_001n, 1_000n), 1_000n, 1_011n],
      [orphaned(1, 100n, 1_000n), 2_000n, 1_012n],
    ]);
    expect(told.at(-1)).toBe("= confirmed");
  });

  it("asks a payment that moved to another block for its whole depth again", () => {
    const { told } = run(testInvoice(), [
      [mined(1, 100n, 1_001n, 1_000n), 1_000n, 1_011n],
      [mined(1, 100n, 1_009n, 1_000n), 1_000n, 1_012n],
      [LOOK, 1_000n, 1_019n],
    ]);
    expect(told.slice(1)).toEqual(["invalid paid = paid", "confirmed = confirmed"]);
  });

  it("counts a payment in a pool up to the merchant's limit alone, and settles none", () => {
    const small = run(testInvoice({ poolLimit: asSompi(100n) }), [
      [waiting(1, 100n), 1_000n, 1_001n],
      [LOOK, 2_000n, 9_000n],
      [{ kind: "gone", output: outputOf(1, 100n) }, 3_000n, 9_000n],
    ]);
    expect(small.told).toEqual(["payment_received paid = paid", "= paid", "updated = new"]);
    const large = run(testInvoice({ poolLimit: asSompi(99n) }), [
      [waiting(1, 100n), 1_000n, 1_001n],
      [mined(1, 100n, 1_002n, 2_000n), 2_000n, 1_002n],
    ]);
    expect(large.told).toEqual(["updated = new", "payment_received paid = paid"]);
  });

  it("settles nothing without a tip", () => {
    const { told } = run(testInvoice(), [[mined(1, 100n, 1_001n, 1_000n), 1_000n, null]]);
    expect(told).toEqual(["payment_received paid = paid"]);
  });

  it("takes no payment from before its making, and none of nothing", () => {
    const margin = INVOICE_LIMITS.invoiceReorgMargin;
    const { told } = run(testInvoice(), [
      [mined(1, 100n, 1_000n - margin - 1n, 0n), 1_000n, 2_000n],
      [mined(2, 0n, 1_001n, 0n), 1_000n, 2_000n],
      [waiting(3, 0n), 1_000n, 2_000n],
      [mined(4, 100n, 1_000n - margin, 0n), 1_000n, 2_000n],
    ]);
    expect(told).toEqual(["= new", "= new", "= new", "payment_received confirmed = confirmed"]);
  });

  it("is what its merchant says: settled without money, or invalid whatever is paid", () => {
    const settled = run(testInvoice(), [[{ kind: "mark", mark: markOf("settled") }, 1n, 1_001n]]);
    expect(settled.told).toEqual(["confirmed = confirmed"]);
    const invalid = run(testInvoice(), [
      [{ kind: "mark", mark: markOf("invalid") }, 1n, 1_001n],
      [mined(1, 100n, 1_001n, 2n), 2n, 1_011n],
    ]);
    expect(invalid.told).toEqual(["expired = expired", "payment_received paid_late = paidLate"]);
    const back = run(invalid.invoice, [[{ kind: "mark", mark: null }, 3n, 1_011n]]);
    expect(back.told).toEqual(["confirmed = confirmed"]);
  });

  it("is put away when its time is over, and taken out again by a payment", () => {
    const { told, invoice } = run(testInvoice(), [
      [LOOK, LIFE, 1_001n],
      [LOOK, LIFE + DAY, 1_001n],
    ]);
    expect(told).toEqual(["expired = expired", "updated = expired"]);
    expect(invoice.archived).toBe(true);
    expect(nextLookMs(invoice)).toBeNull();
    const late = run(invoice, [[mined(1, 100n, 1_002n, LIFE + DAY), LIFE + DAY, 1_002n]]);
    expect(late.told).toEqual(["payment_received paid_late = paidLate"]);
    expect(late.invoice.archived).toBe(false);
    expect(watchesTip(late.invoice)).toBe(true);
  });

  it("says when to look at it again", () => {
    const fresh = testInvoice();
    expect(nextLookMs(fresh)).toBe(EXPIRES_MS);
    const { invoice: paid } = run(fresh, [[mined(1, 100n, 1_001n, 1n), 1n, 1_001n]]);
    expect([nextLookMs(paid), watchesTip(paid), settlesAt(paid)]).toEqual([null, true, 1_011n]);
    const { invoice: confirmed } = run(paid, [[LOOK, 2n, 1_011n]]);
    expect([nextLookMs(confirmed), watchesTip(confirmed)]).toEqual([EXPIRES_MS + DAY, false]);
    expect([settlesAt(fresh), settlesAt(confirmed)]).toEqual([null, null]);
  });

  it("says how deep its payments are, up to what it asks for", () => {
    const { invoice } = run(testInvoice(), [
      [mined(1, 60n, 1_001n, 1n), 1n, 1_001n],
      [mined(2, 40n, 1_004n, 1n), 1n, 1_004n],
    ]);
    const { tip } = momentAt(0n, 1_007n);
    expect(confirmationsOf(invoice, tip)).toBe(3n);
    expect(confirmationsOf(invoice, momentAt(0n, 2_000n).tip)).toBe(10n);
    expect(confirmationsOf(invoice, null)).toBe(0n);
  });

  it("gives each version one event, with an id of its own", () => {
    const inputs = [mined(1, 100n, 1_001n, 1n), mined(2, 50n, 1_001n, 1n)];
    const { events, invoice } = reduceInvoice(testInvoice(), inputs, momentAt(1n, 1_011n));
    expect(events.map(({ type }) => type)).toEqual([
      "invoice.payment_received",
      "invoice.payment_received",
      "invoice.overpaid",
    ]);
    expect(events.map((event) => event.invoice.version)).toEqual([2, 3, 4]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(3);
    expect(events.at(-1)?.invoice).toBe(invoice);
    for (const { id } of events) expect(id).toMatch(/^evt_[0-9a-f]{32}_[0-9]+$/);
  });

  it("lists a bounded number of payments and forgets none of their money", () => {
    const most = INVOICE_LIMITS.invoicePaymentsListed;
    const depth = INVOICE_LIMITS.invoiceFoldDepth;
    const inputs = Array.from({ length: most + 1 }, (_, number) => mined(number, 1n, 1_001n, 1n));
    const paid = reduceInvoice(testInvoice(), inputs, momentAt(1n, 1_002n)).invoice;
    expect(paid.payments).toHaveLength(most + 1);
    const moment = momentAt(2n, 1_001n + depth);
    const { invoice } = reduceInvoice(paid, [LOOK], moment);
    expect(invoice.payments).toHaveLength(0);
    expect(invoice.folded?.count).toBe(most + 1);
    expect(invoice.told).toMatchObject({ status: "overpaid", settled: BigInt(most + 1) });
    const again = reduceInvoice(invoice, inputs, moment).invoice;
    expect(assessInvoice(again, moment.nowMs).paid).toBe(BigInt(most + 1));
    const more = [mined(9_999, 1n, 1_002n + depth, 1n)];
    expect(reduceInvoice(invoice, more, moment).invoice.told.paid).toBe(BigInt(most + 2));
  });

  it("tells of a receipt when its payment is settled, and not before", () => {
    const { told, invoice } = run(testInvoice(), [
      [mined(1, 100n, 1_001n, 1n), 1n, 1_001n],
      [receipted(1, 1_001n), 2n, 1_002n],
      [receipted(1, 1_001n), 3n, 1_002n],
      [LOOK, 4n, 1_011n],
      [receipted(1, 1_001n, false), 5n, 1_012n],
      [receipted(1, 1_001n), 6n, 1_013n],
    ]);
    expect(told).toEqual([
      "payment_received paid = paid",
      "= paid",
      "= paid",
      "confirmed = confirmed",
      "updated = confirmed",
      "updated = confirmed",
    ]);
    expect(invoice.payments.map(({ hasReceipt }) => hasReceipt)).toEqual([true]);
    expect(decodeInvoice(encodeInvoice(invoice))).toEqual(invoice);
  });

  it("loses a receipt with the block of its payment, and takes none of another block or payment", () => {
    const paid: Parameters<typeof run>[1] = [
      [mined(1, 100n, 1_001n, 1n), 1n, 1_001n],
      [receipted(1, 1_001n), 2n, 1_002n],
    ];
    const { invoice } = run(testInvoice(), paid);
    const moment = momentAt(3n, 1_003n);
    for (const input of [
      receipted(1, 1_002n, false),
      receipted(2, 1_001n),
      receipted(2, 1_001n, false),
    ])
      expect(reduceInvoice(invoice, [input], moment).invoice).toBe(invoice);
    for (const input of [orphaned(1, 100n, 1_001n), mined(1, 100n, 1_002n, 2n)]) {
      const { payments } = reduceInvoice(invoice, [input], moment).invoice;
      expect(payments).toHaveLength(1);
      expect(payments[0]).not.toHaveProperty("hasReceipt");
    }
    const { invoice: late } = reduceInvoice(testInvoice(), [receipted(1, 1_001n)], moment);
    expect(late.payments).toEqual([]);
  });

  it("is stored as it is", () => {
    const { invoice } = run(testInvoice(), [
      [mined(1, 60n, 1_001n, 1n), 1n, 1_001n],
      [waiting(2, 10n), 1n, 1_001n],
    ]);
    expect(decodeInvoice(encodeInvoice(invoice))).toEqual(invoice);
    expect(() => decodeInvoice("{}")).toThrow("store/corrupt");
    expect(() => decodeInvoice("{")).toThrow("store/corrupt");
  });
});
