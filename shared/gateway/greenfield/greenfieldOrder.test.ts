import { describe, expect, it } from "vitest";
import { asMerchantId, asTimestampMs } from "../../base/brand.ts";
import { TEST_POLICY } from "../../invoice/testkit/invoices.ts";
import { parseExactJson } from "../../protocol/contract/numberText.ts";
import type { Merchant } from "../gatewayPorts.ts";
import type { CoinRate } from "../pricePort.ts";
import { greenfieldMetadata } from "./greenfieldMetadata.ts";
import { greenfieldOrder } from "./greenfieldOrder.ts";

const merchant: Merchant = {
  id: asMerchantId("shop"),
  look: { storeName: "The shop", theme: { scheme: "auto", accent: null }, language: null },
  policy: TEST_POLICY,
  expiresInS: 900,
  frameOrigins: [],
};
const rate: CoinRate = {
  ...{ currency: "EUR", rate: "0.05", source: "a file" },
  ...{ toldMs: asTimestampMs(1n), isStale: false },
};

async function order(body: object, stale = false) {
  const known = { ...rate, isStale: stale };
  const prices = {
    rate: async (currency: string) => (currency === "EUR" ? known : null),
    rates: async () => [known],
  };
  const parsed = parseExactJson(JSON.stringify(body));
  return greenfieldOrder(parsed, merchant, { prices, coin: "SVC" });
}

describe("an order of the BTCPay interface", () => {
  it("in the shop's currency is made at the newest rate, which it keeps", async () => {
    const made = await order({ amount: "12.50", currency: "eur", metadata: { orderId: 4711 } });
    expect(made).toMatchObject({ orderId: "4711", amountSompi: 25_000_000_000n, expiresInS: 900 });
    expect(made.quote).toMatchObject({ currency: "EUR", value: "12.50", rate: "0.05" });
  });

  it("is refused where the rate is old or not there", async () => {
    for (const one of [
      order({ amount: "1", currency: "EUR" }, true),
      order({ amount: "1", currency: "USD" }),
    ]) {
      await expect(one).rejects.toMatchObject({ code: "gateway/price-stale" });
    }
  });

  it("takes a JSON number as it was written, and a tolerance of its amount", async () => {
    const made = await order({ amount: 0.1, currency: "SVC", checkout: { paymentTolerance: 2.5 } });
    expect(made.amountSompi).toBe(10_000_000n);
    expect(made.policy.toleranceUnder).toBe(250_000n);
  });

  it("asks for the depth that the merchant has set, whatever speed a shop wishes", async () => {
    const made = await order({ amount: "1", checkout: { speedPolicy: "HighSpeed" } });
    expect(made.policy.requiredBlueScore).toBe(TEST_POLICY.requiredBlueScore);
  });

  it("keeps metadata as it came, numbers digit for digit", async () => {
    const metadata = { taxIncluded: 1.1, nested: { a: [1, "x", null] }, text: "ä", orderId: "7" };
    const made = await order({ amount: "1", metadata });
    const again: unknown = JSON.parse(
      JSON.stringify(greenfieldMetadata(made.metadata, made.orderId)),
    );
    expect(again).toEqual(metadata);
    expect(greenfieldMetadata({ greenfield: "{broken", color: "red" }, "7")).toEqual({
      ...{ greenfield: "{broken", color: "red", orderId: "7" },
    });
  });
});
