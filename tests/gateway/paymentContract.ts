/** Contract of the gateway API: payments of invoices, and what merchants and payers change. */
import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { checkoutRecord } from "@svc/shared/protocol/gateway/checkoutRecord.ts";
import { GatewayCaller, payment, takenBack } from "./gatewayCaller.ts";
import type { ContractScene } from "./contractScene.ts";

const NEVER = `inv_${"0".repeat(32)}`;

/** Payments, and what becomes of them. */
export function paidInvoices(of: ContractScene): void {
  describe("payments", () => {
    it("make an invoice partial, paid and confirmed, each told once", async () => {
      const { id } = await of.shop.create();
      const first = await payment(of.host, id, 400n, 101n);
      await of.host.tell([first], 101n);
      expect(await of.shop.invoice(id)).toMatchObject({ status: "partial", dueSompi: 600n });
      await of.host.tell([await payment(of.host, id, 600n, 102n)], 105n);
      expect(await of.shop.invoice(id)).toMatchObject({ status: "paid", confirmations: 3 });
      await of.host.tell([], 112n);
      const done = await of.shop.invoice(id);
      expect(done).toMatchObject({ status: "confirmed", confirmations: 10, settled: true });
      expect(done.payments).toHaveLength(2);
      const { json } = await of.shop.ask("GET", `/api/v1/invoices/${id}/events`);
      const events = v.parse(
        v.array(v.looseObject({ type: v.string(), version: v.number() })),
        json["events"],
      );
      expect(
        events
          .map(({ type }) => type)
          .toReversed()
          .slice(0, 3),
      ).toEqual(["invoice.created", "invoice.payment_received", "invoice.partial"]);
      expect(events.map(({ version }) => version)).toEqual(
        Array.from({ length: events.length }, (_, place) => events.length - place),
      );
    });

    it("that are taken back by a reorganisation are no longer there, and may come again", async () => {
      const { id } = await of.shop.create();
      const fact = await payment(of.host, id, 1_000n, 101n);
      await of.host.tell([fact], 111n);
      expect((await of.shop.invoice(id)).status).toBe("confirmed");
      await of.host.tell([takenBack(fact)], 112n);
      expect(await of.shop.invoice(id)).toMatchObject({ status: "new", reorged: true });
      await of.host.tell([fact], 113n);
      expect(await of.shop.invoice(id)).toMatchObject({ status: "confirmed", reorged: false });
    });
  });
}

/** Payments that come late, or are too much. */
export function latePayments(of: ContractScene): void {
  describe("payments, late or too much,", () => {
    it("are late after the expiry, and the invoice expires without them", async () => {
      const { id } = await of.shop.create({ expiresIn: 60 });
      await of.host.pass(60_000n);
      expect(await of.shop.invoice(id)).toMatchObject({ status: "expired", expired: true });
      await of.host.pass(60_000n);
      await of.host.tell([await payment(of.host, id, 1_000n, 101n)], 111n);
      expect(await of.shop.invoice(id)).toMatchObject({
        status: "paidLate",
        late: true,
        settled: true,
      });
    });

    it("beyond the amount are told", async () => {
      const { id } = await of.shop.create();
      await of.host.tell([await payment(of.host, id, 1_001n, 101n)], 101n);
      expect(await of.shop.invoice(id)).toMatchObject({ status: "paid", overpaidSompi: 1n });
      await of.host.tell([], 111n);
      expect((await of.shop.invoice(id)).status).toBe("overpaid");
    });

    it("of old addresses are recognised, however late", async () => {
      const { id } = await of.shop.create({ expiresIn: 60, monitorSeconds: 0 });
      await of.host.pass(60_000n);
      expect((await of.shop.invoice(id)).archived).toBe(true);
      await of.host.pass(400n * 86_400_000n);
      await of.host.tell([await payment(of.host, id, 1_000n, 101n)], 101n);
      expect(await of.shop.invoice(id)).toMatchObject({ status: "paidLate", archived: false });
      await of.host.tell([], 111n);
      expect(await of.shop.invoice(id)).toMatchObject({ settled: true, archived: true });
    });
  });
}

/** What a merchant changes. */
export function changedInvoices(of: ContractScene): void {
  describe("changes", () => {
    it("replace the metadata, mark by hand, and give more time", async () => {
      const { id } = await of.shop.create({ metadata: { a: "1" } });
      const path = `/api/v1/invoices/${id}`;
      const changed = await of.shop.ask("PATCH", path, { metadata: { b: "2" } });
      expect(changed.json["metadata"]).toEqual({ b: "2" });
      await of.shop.refused(
        "POST",
        `${path}/extend`,
        {},
        { status: 409, code: "gateway/wrong-state" },
      );
      await of.host.pass(900_000n);
      const extended = await of.shop.ask("POST", `${path}/extend`, { expiresIn: 120 });
      expect(extended.json).toMatchObject({ status: "new", expired: false });
      const marked = await of.shop.ask("POST", `${path}/mark`, { as: "settled", reason: "cash" });
      expect(marked.json).toMatchObject({ status: "confirmed", marked: { as: "settled" } });
    });

    it("let a payer top an expired part up", async () => {
      const { id } = await of.shop.create();
      const payer = new GatewayCaller(of.host, null);
      const path = `/api/v1/checkout/${id}`;
      await of.host.tell([await payment(of.host, id, 400n, 101n)], 101n);
      await payer.refused("POST", `${path}/topup`, undefined, {
        status: 409,
        code: "gateway/wrong-state",
      });
      await of.host.pass(900_000n);
      const open = await payer.ask("POST", `${path}/topup`);
      expect(open.json).toMatchObject({ status: "partial", expired: false, dueSompi: "600" });
      await of.host.tell([await payment(of.host, id, 600n, 102n)], 112n);
      expect((await of.shop.invoice(id)).status).toBe("confirmed");
    });
  });
}

/** What a payer sees. */
export function checkout(of: ContractScene): void {
  describe("the checkout", () => {
    it("shows a payer what to pay, and nothing of the order", async () => {
      const redirectUrl = "https://shop.example/thanks?i={InvoiceId}";
      const { id, address } = await of.shop.create({ metadata: { secret: "m" }, redirectUrl });
      await of.host.tell([await payment(of.host, id, 400n, 101n)], 101n);
      const payer = new GatewayCaller(of.host, null);
      const { json, status } = await payer.ask("GET", `/api/v1/checkout/${id}`);
      expect(status).toBe(200);
      expect(v.parse(checkoutRecord, json)).toMatchObject({
        dueSompi: 600n,
        paymentUri: `${address}?amount=0.000006`,
        redirectUrl: null,
      });
      const shown = JSON.stringify(json);
      for (const hidden of ["4711", "secret", "txid", "payments", "orderId", "metadata"]) {
        expect(shown, hidden).not.toContain(hidden);
      }
      await of.host.tell([await payment(of.host, id, 600n, 102n)], 112n);
      const done = await payer.ask("GET", `/api/v1/checkout/${id}`);
      expect(done.json["redirectUrl"]).toBe(`https://shop.example/thanks?i=${id}`);
      await payer.refused("GET", `/api/v1/checkout/${NEVER}`, undefined, {
        status: 404,
        code: "gateway/no-invoice",
      });
    });
  });
}
