import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ceilDiv, inCoins, isRate, priceInSompi, priceText, sompiOf } from "../src/base/money.ts";

describe("money", () => {
  it("is exact where floats are not, and rounded up to a whole sompi", () => {
    const cases: readonly (readonly [string, string, bigint | null])[] = [
      ["12.50", "4", 5_000_000_000n],
      ["0.07", "4", 28_000_000n],
      ["1.1", "1.1", 121_000_000n],
      ["0.29", "100", 2_900_000_000n],
      ["0.01", "0.000000003", 1n],
      ["0.01", "0.000001", 1n],
      ["0.01", "0.0000011", 2n],
      ["90071992547409.91", "0.001", 9_007_199_254_740_991_000n],
      ["92233720368.54775807", "1", 9_223_372_036_854_775_807n],
      ["92233720368.54775808", "1", null],
      ["0.00", "1", null],
      ["1", "0", null],
      ["1", "-1", null],
      ["1", "1e3", null],
      ["1", "", null],
      ["1,5", "1", null],
    ];
    for (const [price, rate, sompi] of cases) {
      assert.equal(priceInSompi(price, rate), sompi, `${price} at ${rate}`);
    }
  });

  it("of an order is its smallest units with the shop's precision", () => {
    assert.equal(priceText(1250, 2), "12.50");
    assert.equal(priceText(7, 2), "0.07");
    assert.equal(priceText(7, 0), "7");
    assert.equal(priceText(1_250_000, 5), "12.50000");
    for (const wrong of [0, -1, 1.5, 2 ** 53, Number.NaN]) assert.equal(priceText(wrong, 2), null);
  });

  it("of the gateway is decimal text of 64 bits", () => {
    assert.equal(sompiOf("18446744073709551615"), 2n ** 64n - 1n);
    for (const wrong of ["18446744073709551616", "01", "+1", "-1", "1.0", "", 1, null, undefined]) {
      assert.equal(sompiOf(wrong), null);
    }
  });

  it("is shown in coins with the decimals that it needs", () => {
    assert.equal(inCoins(10_000_000n), "0.1");
    assert.equal(inCoins(100_000_000n), "1");
    assert.equal(inCoins(1n), "0.00000001");
    assert.equal(inCoins(0n), "0");
  });

  it("has rates above zero", () => {
    assert.ok(isRate("0.25") && isRate("4"));
    for (const wrong of ["0", "0.000", "-1", "1e9", "", ".5", " 1"]) assert.ok(!isRate(wrong));
    assert.equal(ceilDiv(10n, 3n), 4n);
  });
});
