import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  asAddressText,
  asBlueScore,
  asInvoiceId,
  asMerchantId,
  asSompi,
  asTimestampMs,
} from "@svc/shared/base/brand.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { newInvoice } from "@svc/shared/invoice/invoice.ts";
import type { RefundInput } from "@svc/shared/invoice/refundInput.ts";
import { reduceInvoice } from "@svc/shared/invoice/reduceInvoice.ts";
import { blockAt, MADE_MS, outputOf, testInvoice } from "@svc/shared/invoice/testkit/invoices.ts";
import { GatewayStore } from "../store/gatewayStore.ts";
import { RefundDesk } from "./refundDesk.ts";

const SHOP = asMerchantId("shop");
const INVOICE = asInvoiceId(`inv_${"0".repeat(31)}1`);
const HOME = asAddressText(`svcsim:${"q".repeat(79)}`);
const OFFER = { kind: "custom", amount: asSompi(60n), reason: null } as const;
const ASK: RefundInput = { kind: "ask", wallet: "w", maxFee: asSompi(1n) };

const REFUSED = { code: "wallet/not-synced", data: {} } as const;

let store: GatewayStore;
let desk: RefundDesk;
let now: bigint;
let approvals: number;

beforeEach(async () => {
  store = await GatewayStore.open(null, null);
  now = MADE_MS + 1_000n;
  approvals = 0;
  let bytes = 0;
  desk = new RefundDesk({
    store,
    clock: { nowMs: () => now },
    randomBytes: (length) => new Uint8Array(length).fill((bytes += 1)),
    onApproved: () => {
      approvals += 1;
    },
  });
  const mined = {
    kind: "mined",
    output: outputOf(1, 100n),
    block: blockAt(1_001n, MADE_MS),
  } as const;
  const moment = { nowMs: asTimestampMs(now), tip: asBlueScore(1_011n) };
  const { invoice } = reduceInvoice(newInvoice(testInvoice().terms), [mined], moment);
  store.commit((batch) => store.invoices.put(batch, invoice));
});

afterEach(() => store.close());

async function approved() {
  const { refund } = await desk.create(SHOP, INVOICE, OFFER, null);
  await desk.fill(refund.terms.claim, HOME);
  return (await desk.approve(SHOP, refund.terms.id, HOME, null)).refund.terms.id;
}

function due(): readonly string[] {
  return [...desk.due(now)].map(({ id }) => id);
}

describe("the desk of refunds", () => {
  it("has what is approved ready for a wallet, until that has paid it", async () => {
    const id = await approved();
    expect([approvals, due()]).toEqual([1, [id]]);
    await desk.change(id, ASK);
    const later = asTimestampMs(now + 5_000n);
    await desk.change(id, { kind: "paid", txids: [], dueMs: later });
    expect([due(), desk.nextDueMs(now)]).toEqual([[], later]);
    expect(store.flaws()).toEqual([]);
    now += 5_000n;
    expect(due()).toEqual([id]);
    await desk.change(id, { kind: "confirmed" });
    expect([due(), desk.nextDueMs(0n)]).toEqual([[], null]);
    expect(store.flaws()).toEqual([]);
  });

  it("counts of a failed refund what it had paid", async () => {
    const id = await approved();
    await desk.change(id, ASK);
    const error = { code: "wallet/partly-sent", data: {} } as const;
    await desk.change(id, { kind: "failed", error, moved: asSompi(10n), txids: [] });
    expect(
      await rejectionCode(desk.create(SHOP, INVOICE, { ...OFFER, amount: asSompi(91n) }, null)),
    ).toBe("gateway/refund-too-large");
    const { refund } = await desk.create(
      SHOP,
      INVOICE,
      { ...OFFER, kind: "all", amount: null },
      null,
    );
    expect(refund.terms.amount).toBe(90n);
    expect(store.flaws()).toEqual([]);
  });

  it("forgets offers that nobody claimed when it makes the next one", async () => {
    await desk.create(SHOP, INVOICE, OFFER, null);
    expect(await rejectionCode(desk.create(SHOP, INVOICE, OFFER, null))).toBe(
      "gateway/refund-too-large",
    );
    now += 30n * 86_400_000n;
    await desk.create(SHOP, INVOICE, OFFER, null);
    expect(store.refunds.of(INVOICE)).toHaveLength(1);
    expect(store.flaws()).toEqual([]);
  });

  it("lets the first of a cancellation and a wallet's question win", async () => {
    const id = await approved();
    const asked = await Promise.all([desk.change(id, ASK), desk.cancel(SHOP, id)].map(endOf));
    expect(asked).toEqual(["none", "gateway/refund-state"]);
    await desk.change(id, { kind: "refused", error: REFUSED, dueMs: asTimestampMs(now) });
    const cancelled = await Promise.all([desk.cancel(SHOP, id), desk.change(id, ASK)].map(endOf));
    expect(cancelled).toEqual(["none", "gateway/refund-state"]);
  });
});

function endOf(call: Promise<unknown>): Promise<string> {
  return rejectionCode(call);
}
