/** Contract of the BTCPay interface: an order from its invoice to its end, and what its shop is told. */
import { expect, it } from "vitest";
import type { ContractScene } from "../contractScene.ts";
import { payment, takenBack } from "../gatewayCaller.ts";
import { hooked, HOUR_MS, toldBy, type MakeShop } from "./greenfieldShop.ts";

/** What the receiver heard, as types and what tells them apart. */
async function heard(of: ContractScene): Promise<readonly Record<string, unknown>[]> {
  const keys = ["type", "afterExpiration", "partiallyPaid", "overPaid", "manuallyMarked"];
  return toldBy(await of.host.hooks()).map((event) =>
    Object.fromEntries(keys.filter((key) => key in event).map((key) => [key, event[key]])),
  );
}

/** Orders that are paid, in part, late, too much, or not at all. */
export function orders(of: ContractScene, shop: MakeShop): void {
  endedOrders(of, shop);
  paidOrders(of, shop);
  markedOrders(of, shop);
}

/** State and reason of an invoice. */
async function stateOf(shop: MakeShop, id: string): Promise<readonly unknown[]> {
  const { status, additionalStatus } = await shop().own("GET", `/invoices/${id}`);
  return [status, additionalStatus];
}

function endedOrders(of: ContractScene, shop: MakeShop): void {
  it("settles an order when its payment is deep enough, and not before", async () => {
    await hooked(shop());
    const id = await shop().invoice();
    await of.host.tell([await payment(of.host, id, 1_000n, 101n)], 101n);
    expect(await stateOf(shop, id)).toEqual(["Processing", "None"]);
    expect(await heard(of)).toEqual([
      { type: "InvoiceCreated" },
      { type: "InvoiceReceivedPayment", afterExpiration: false },
      { type: "InvoiceProcessing", overPaid: false },
    ]);
    await of.host.tell([], 111n);
    expect(await stateOf(shop, id)).toEqual(["Settled", "None"]);
    expect(await heard(of)).toEqual([
      { type: "InvoicePaymentSettled", afterExpiration: false },
      { type: "InvoiceSettled", manuallyMarked: false, overPaid: false },
    ]);
    const [method] = await shop().list(`/invoices/${id}/payment-methods`);
    expect(method).toMatchObject({
      ...{ paymentMethod: "SVCSIM", totalPaid: "0.00001", due: "0", rate: "1" },
      payments: [{ value: "0.00001", status: "Settled", fee: "0" }],
    });
  });

  it("tells of an order that expires, unpaid or paid in part", async () => {
    await hooked(shop(), {
      authorizedEvents: { everything: false, specificEvents: ["InvoiceExpired", "Unheard"] },
    });
    const [none, part] = [await shop().invoice(), await shop().invoice()];
    await of.host.tell([await payment(of.host, part, 400n, 101n)], 101n);
    expect(await stateOf(shop, part)).toEqual(["New", "PaidPartial"]);
    await of.host.pass(HOUR_MS);
    expect(await stateOf(shop, none)).toEqual(["Expired", "None"]);
    expect(await stateOf(shop, part)).toEqual(["Expired", "PaidPartial"]);
    const told = await heard(of);
    expect(
      told.toSorted((a, b) => Number(a["partiallyPaid"]) - Number(b["partiallyPaid"])),
    ).toEqual([
      { type: "InvoiceExpired", partiallyPaid: false },
      { type: "InvoiceExpired", partiallyPaid: true },
    ]);
  });
}

function paidOrders(of: ContractScene, shop: MakeShop): void {
  it("holds an order that is paid late, and settles none for it", async () => {
    await hooked(shop());
    const id = await shop().invoice();
    await of.host.pass(HOUR_MS);
    await of.host.tell([await payment(of.host, id, 1_000n, 101n)], 111n);
    expect(await stateOf(shop, id)).toEqual(["Expired", "PaidLate"]);
    expect(await heard(of)).toEqual([
      { type: "InvoiceCreated" },
      { type: "InvoiceExpired", partiallyPaid: false },
      { type: "InvoiceReceivedPayment", afterExpiration: true },
      { type: "InvoicePaymentSettled", afterExpiration: true },
    ]);
  });

  it("tells what was paid too much, and settles it when all of it is deep enough", async () => {
    await hooked(shop());
    const id = await shop().invoice();
    await of.host.tell([await payment(of.host, id, 1_500n, 101n)], 101n);
    expect(await stateOf(shop, id)).toEqual(["Processing", "PaidOver"]);
    await of.host.tell([], 111n);
    expect(await stateOf(shop, id)).toEqual(["Settled", "PaidOver"]);
    expect((await heard(of)).slice(2)).toEqual([
      { type: "InvoiceProcessing", overPaid: true },
      { type: "InvoicePaymentSettled", afterExpiration: false },
      { type: "InvoiceSettled", manuallyMarked: false, overPaid: true },
    ]);
  });

  it("takes back what a reorganisation takes, and settles it again", async () => {
    await hooked(shop());
    const id = await shop().invoice();
    const fact = await payment(of.host, id, 1_000n, 101n);
    await of.host.tell([fact], 111n);
    await of.host.hooks();
    await of.host.tell([takenBack(fact)], 112n);
    expect((await stateOf(shop, id))[0]).toBe("New");
    expect(await heard(of)).toEqual([{ type: "InvoiceInvalid", manuallyMarked: false }]);
    await of.host.tell([await payment(of.host, id, 1_000n, 113n)], 123n);
    expect((await heard(of)).at(-1)).toEqual({
      type: "InvoiceSettled",
      manuallyMarked: false,
      overPaid: false,
    });
  });
}

function markedOrders(of: ContractScene, shop: MakeShop): void {
  it("takes the merchant's word, and says that it was his", async () => {
    await hooked(shop());
    const [good, bad] = [await shop().invoice(), await shop().invoice()];
    await of.host.hooks();
    await shop().own("POST", `/invoices/${good}/status`, { status: "Settled" });
    expect(await stateOf(shop, good)).toEqual(["Settled", "Marked"]);
    expect(await heard(of)).toEqual([
      { type: "InvoiceSettled", manuallyMarked: true, overPaid: false },
    ]);
    await shop().own("POST", `/invoices/${bad}/status`, { status: "Invalid" });
    expect(await stateOf(shop, bad)).toEqual(["Invalid", "Marked"]);
    expect(await heard(of)).toEqual([{ type: "InvoiceInvalid", manuallyMarked: true }]);
    const wrong = await shop().ask("POST", `/stores/shop/invoices/${bad}/status`, {
      status: "New",
    });
    expect(wrong.status).toBe(422);
  });
}
