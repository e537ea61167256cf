/** Contract of the BTCPay interface: webhooks, their signatures and their deliveries. */
import { expect, it } from "vitest";
import * as v from "valibot";
import type { ContractScene } from "../contractScene.ts";
import { payment } from "../gatewayCaller.ts";
import { HOOK, hooked, HOUR_MS, isSigned, toldBy, type MakeShop } from "./greenfieldShop.ts";

/** Webhooks that are made, signed, sent again and refused. */
export function webhooks(of: ContractScene, shop: MakeShop): void {
  sentHooks(of, shop);
  outdatedHooks(of, shop);
  changedHooks(of, shop);
  refusedHooks(shop);
}

function sentHooks(of: ContractScene, shop: MakeShop): void {
  it("signs each delivery over its body, with the names of webhook, delivery, store and invoice", async () => {
    const { id, secret } = await hooked(shop());
    const invoice = await shop().invoice();
    const [hook] = await of.host.hooks();
    if (hook === undefined) throw new Error("nothing was sent");
    expect(hook.url).toBe(HOOK);
    expect(await isSigned(hook, secret)).toBe(true);
    expect(await isSigned(hook, "another secret of a shop")).toBe(false);
    expect(await isSigned({ ...hook, body: hook.body.replace("Created", "Settled") }, secret)).toBe(
      false,
    );
    expect(hook.headers.get("svc-signature")).toBeNull();
    const [event] = toldBy([hook]);
    expect(event).toMatchObject({
      ...{ type: "InvoiceCreated", storeId: "shop", invoiceId: invoice, webhookId: id },
      ...{ isRedelivery: false, metadata: { orderId: "4711" } },
    });
    expect(event?.["originalDeliveryId"]).toBe(event?.["deliveryId"]);
  });

  it("sends what a receiver did not take again, the same byte for byte, on the gateway's schedule", async () => {
    const { secret } = await hooked(shop());
    await shop().invoice();
    const [first] = await of.host.hooks(500);
    expect(await of.host.hooks()).toEqual([]);
    await of.host.pass(HOUR_MS);
    const hooks = await of.host.hooks();
    expect(hooks[0]?.body).toBe(first?.body);
    for (const hook of hooks) expect(await isSigned(hook, secret)).toBe(true);
    expect(toldBy(hooks).map(({ type }) => type)).toEqual(["InvoiceCreated", "InvoiceExpired"]);
  });

  it("lists deliveries, and sends one again as a redelivery", async () => {
    const { id, secret } = await hooked(shop());
    await shop().invoice();
    await of.host.hooks();
    const [delivery] = await shop().list(`/webhooks/${id}/deliveries?count=5`);
    expect(delivery).toMatchObject({ status: "HttpSuccess", httpCode: 200 });
    const path = `/webhooks/${id}/deliveries/${String(delivery?.["id"])}`;
    expect(await shop().own("GET", path)).toEqual(delivery);
    expect(await shop().own("GET", `${path}/request`)).toMatchObject({ type: "InvoiceCreated" });
    const again = await shop().ask("POST", `/stores/shop${path}/redeliver`);
    const hooks = await of.host.hooks();
    expect(toldBy(hooks)).toMatchObject([
      { deliveryId: again.json, isRedelivery: true, originalDeliveryId: delivery?.["id"] },
    ]);
    for (const hook of hooks) expect(await isSigned(hook, secret)).toBe(true);
  });
}

function outdatedHooks(of: ContractScene, shop: MakeShop): void {
  it("sends nothing again that is no longer so, unless its merchant asks for it", async () => {
    const { id } = await hooked(shop());
    const invoice = await shop().invoice();
    await of.host.hooks();
    await of.host.tell([await payment(of.host, invoice, 1_000n, 101n)], 101n);
    expect(toldBy(await of.host.hooks(500))).toHaveLength(2);
    await of.host.tell([], 111n);
    await of.host.pass(60_000n);
    expect(new Set(toldBy(await of.host.hooks()).map(({ type }) => type))).toEqual(
      new Set(["InvoicePaymentSettled", "InvoiceSettled"]),
    );
    const [, paid] = (await shop().list(`/webhooks/${id}/deliveries`)).filter(
      ({ status }) => status === "Failed",
    );
    await shop().ask(
      "POST",
      `/stores/shop/webhooks/${id}/deliveries/${String(paid?.["id"])}/redeliver`,
    );
    expect(await of.host.hooks()).toHaveLength(1);
  });

  it("sends nothing for the first time, either, that waited until it was no longer so", async () => {
    await hooked(shop());
    const invoice = await shop().invoice();
    await of.host.tell([await payment(of.host, invoice, 1_000n, 101n)], 101n);
    await of.host.pass(60_000n);
    await of.host.tell([], 111n);
    expect(new Set(toldBy(await of.host.hooks()).map(({ type }) => type))).toEqual(
      new Set(["InvoiceCreated", "InvoicePaymentSettled", "InvoiceSettled"]),
    );
  });
}

function changedHooks(of: ContractScene, shop: MakeShop): void {
  it("makes, shows, changes and removes webhooks, and shows a secret once", async () => {
    const { id, secret } = await hooked(shop(), { secret: "chosen-by-the-shop" });
    expect(secret).toBe("chosen-by-the-shop");
    const shown = await shop().own("GET", `/webhooks/${id}`);
    expect(shown).toEqual({
      ...{ id, url: HOOK, enabled: true, automaticRedelivery: true },
      authorizedEvents: { everything: true, specificEvents: [] },
    });
    expect(await shop().list("/webhooks")).toEqual([shown]);
    const changed = await shop().own("PUT", `/webhooks/${id}`, {
      ...{ url: `${HOOK}?x`, enabled: false, secret: "another-of-the-shop" },
      authorizedEvents: { everything: false, specificEvents: ["InvoiceSettled"] },
    });
    expect(changed).toMatchObject({
      ...{ url: `${HOOK}?x`, enabled: false },
      authorizedEvents: { specificEvents: ["InvoiceSettled"] },
    });
    await shop().invoice();
    expect(await of.host.hooks()).toEqual([]);
    await shop().own("DELETE", `/webhooks/${id}`);
    expect((await shop().ask("GET", `/stores/shop/webhooks/${id}`)).json).toMatchObject({
      code: "webhook-not-found",
    });
  });

  it("keeps the two forms apart: each webhook gets its own, and neither list shows the other's secret", async () => {
    const own = await of.shop.ask("POST", "/api/v1/webhooks", { url: HOOK });
    const { id } = await hooked(shop());
    expect(await shop().list("/webhooks")).toMatchObject([{ id }]);
    expect(
      (await shop().ask("GET", `/stores/shop/webhooks/${String(own.json["id"])}`)).status,
    ).toBe(404);
    const { json } = await of.shop.ask("GET", "/api/v1/webhooks");
    const formats = v.parse(v.array(v.object({ format: v.string() })), json["webhooks"]);
    expect(new Set(formats.map(({ format }) => format))).toEqual(new Set(["greenfield", "svc"]));
    await shop().invoice();
    const types = toldBy(await of.host.hooks()).map(({ type }) => type);
    expect(new Set(types)).toEqual(new Set(["InvoiceCreated", "invoice.created"]));
    expect(types).toHaveLength(2);
    await of.shop.ask("POST", `/api/v1/webhooks/${id}/ping`);
    const [test] = toldBy(await of.host.hooks());
    expect(test).toMatchObject({ type: "InvoiceCreated", webhookId: id });
    expect(String(test?.["invoiceId"])).toMatch(/^__test__[0-9a-f]{32}__test__$/);
  });
}

function refusedHooks(shop: MakeShop): void {
  it("refuses webhooks that lead elsewhere, and secrets that are too short", async () => {
    for (const change of [
      { url: "https://169.254.169.254/" },
      { url: "ftp://shop.example" },
      { secret: "short" },
    ]) {
      const { status } = await shop().ask("POST", "/stores/shop/webhooks", {
        url: HOOK,
        ...change,
      });
      expect(status, JSON.stringify(change)).toBe(422);
    }
  });
}
