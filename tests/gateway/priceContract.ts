/** Contract of prices in other currencies: each has its source and time, and makes an amount that stays. */
import { describe, expect, it } from "vitest";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import type { ToldRate } from "@svc/shared/gateway/toldRates.ts";
import { contractScene, type ContractScene } from "./contractScene.ts";
import { payment } from "./gatewayCaller.ts";
import type { GatewayHost } from "./gatewayHost.ts";

/** Age from which on a price makes no invoice, ms. */
const AGE_MS = 900_000n;
const TERMS = { orderId: "1", price: { currency: "EUR", value: "20.00" } };

/** Runs it over hosts. */
export function priceContract(name: string, make: () => Promise<GatewayHost>): void {
  describe(`prices of ${name}`, () => {
    const of = contractScene(make);
    madeWithPrices(of);
    oldPrices(of);
  });
}

function euro(of: ContractScene, rate = "8.00", agoMs = 0n): ToldRate {
  const toldMs = asTimestampMs(of.host.nowMs() - agoMs);
  return { currency: "EUR", rate, source: "exchange.example", toldMs };
}

/** Amounts that come of prices. */
function madeWithPrices(of: ContractScene): void {
  it("make an amount that covers them, with rate, source and time", async () => {
    await of.host.tellRates([euro(of, "7.00")]);
    const made = await of.shop.ask("POST", "/api/v1/invoices", TERMS);
    expect(made.status).toBe(201);
    // 20 / 7 coins, up to the next whole sompi.
    expect(made.json["amountSompi"]).toBe("285714286");
    expect(made.json["quote"]).toMatchObject({
      ...{ currency: "EUR", value: "20.00", rate: "7.00", source: "exchange.example" },
      time: Number(of.host.nowMs() / 1_000n),
    });
    await of.host.pass(1_000n);
    await of.host.tellRates([euro(of, "9.00")]);
    const path = `/api/v1/invoices/${String(made.json["id"])}`;
    expect((await of.shop.ask("GET", path)).json["amountSompi"]).toBe("285714286");
    const quote = await of.shop.ask("POST", "/api/v1/quotes", TERMS.price);
    expect(quote.json).toMatchObject({ amountSompi: "222222223", rate: "9.00" });
  });

  it("are listed, all or one", async () => {
    const dollar = { ...euro(of, "9.5"), currency: "USD" };
    await of.host.tellRates([euro(of), dollar]);
    const all = await of.shop.ask("GET", "/api/v1/rates");
    expect(all.json["rates"]).toMatchObject([
      { currency: "EUR", rate: "8.00", source: "exchange.example", stale: false },
      { currency: "USD", rate: "9.5", stale: false },
    ]);
    const one = await of.shop.ask("GET", "/api/v1/rates?currency=USD");
    expect(one.json["rates"]).toMatchObject([{ currency: "USD" }]);
    const none = await of.shop.ask("GET", "/api/v1/rates?currency=CHF");
    expect(none.json["rates"]).toEqual([]);
  });
}

/** Prices that are not there, or too old. */
function oldPrices(of: ContractScene): void {
  it("make no invoice where there are none, or too old ones", async () => {
    const stale = { status: 503, code: "gateway/price-stale" };
    await of.shop.refused("POST", "/api/v1/invoices", TERMS, stale);
    await of.host.tellRates([euro(of)]);
    await of.host.pass(AGE_MS);
    expect((await of.shop.ask("POST", "/api/v1/invoices", TERMS)).status).toBe(201);
    await of.host.pass(1n);
    await of.shop.refused("POST", "/api/v1/invoices", TERMS, stale);
    const { json } = await of.shop.ask("GET", "/api/v1/rates");
    expect(json["rates"]).toMatchObject([{ currency: "EUR", stale: true }]);
  });

  it("quote anew what is due when more time is given", async () => {
    await of.host.tellRates([euro(of)]);
    const made = await of.shop.ask("POST", "/api/v1/invoices", TERMS);
    const id = String(made.json["id"]);
    await of.host.tell([await payment(of.host, id, 125_000_000n, 101n)], 101n);
    await of.host.pass(901_000n);
    await of.host.tellRates([euro(of, "4.00")]);
    const open = await of.shop.ask("POST", `/api/v1/checkout/${id}/topup`);
    expect(open.status).toBe(200);
    // Half of it is due: 10 euros at 4 a coin.
    expect(open.json["dueSompi"]).toBe("250000000");
  });
}
