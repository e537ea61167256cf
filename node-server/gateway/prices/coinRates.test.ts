import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { CoinRates, fixedRateOf } from "./coinRates.ts";

function setUp(fixed: readonly string[] = []) {
  const file = join(folderOfTest(), "rates.json");
  const scene = { nowMs: 1_000_000_000n, warnings: 0, file };
  const rates = new CoinRates({
    fixed: fixed.map(fixedRateOf),
    file,
    oldestMs: 900_000n,
    clock: { nowMs: () => scene.nowMs },
    log: { warn: () => void (scene.warnings += 1) },
  });
  return { scene, rates };
}

const EURO = { rate: "8.00", time: 999_900, source: "exchange" };

describe("prices of a coin", () => {
  it("are the operator's own before those of the file", async () => {
    const { scene, rates } = setUp(["EUR=7.5"]);
    writeFileSync(scene.file, JSON.stringify({ EUR: EURO, USD: { ...EURO, rate: "9" } }));
    expect(await rates.rates()).toEqual([
      { currency: "EUR", rate: "7.5", source: "operator", toldMs: scene.nowMs, isStale: false },
      { currency: "USD", rate: "9", source: "exchange", toldMs: 999_900_000n, isStale: false },
    ]);
    expect(await rates.rate("CHF")).toBeNull();
  });

  it("grow old, also where the file does not read any more", async () => {
    const { scene, rates } = setUp();
    writeFileSync(scene.file, JSON.stringify({ EUR: EURO }));
    expect((await rates.rate("EUR"))?.isStale).toBe(false);
    writeFileSync(scene.file, "{");
    expect((await rates.rate("EUR"))?.rate).toBe("8.00");
    expect(scene.warnings).toBe(1);
    scene.nowMs += 800_000n;
    expect((await rates.rate("EUR"))?.isStale).toBe(false);
    scene.nowMs += 1n;
    expect((await rates.rate("EUR"))?.isStale).toBe(true);
  });

  it.each([
    ["{}", 0],
    [JSON.stringify({ euro: EURO }), 0],
    [JSON.stringify({ EUR: { ...EURO, rate: 8 } }), 0],
    [JSON.stringify({ EUR: { ...EURO, rate: "0.00" } }), 0],
    [JSON.stringify({ EUR: { ...EURO, rate: "-1" } }), 0],
    [JSON.stringify({ EUR: { ...EURO, time: "now" } }), 0],
    [" ".repeat(70_000), 0],
  ])("are none in a file like %.40s", async (text, count) => {
    const { scene, rates } = setUp();
    writeFileSync(scene.file, text);
    expect(await rates.rates()).toHaveLength(count);
  });

  it("are none without a file", async () => {
    const { rates } = setUp();
    expect(await rates.rates()).toEqual([]);
  });

  it.each(["EUR", "EUR=", "EUR=0", "EUR=1,5", "eur=1", "EUR=1=2", "EURO=1", "EUR=-1", "EUR=1e3"])(
    "are no option like %s",
    (text) => {
      expect(codeOf(() => fixedRateOf(text))).toBe("node/bad-option");
    },
  );
});
