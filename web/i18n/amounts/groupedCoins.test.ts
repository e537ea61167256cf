import { expect, it } from "vitest";
import { groupedCoins } from "./groupedCoins.ts";

it("keeps every sompi, groups the coins, and keeps the sign of what is less than one coin", () => {
  expect(groupedCoins(177_000_000_000n, "en")).toBe("1,770");
  expect(groupedCoins(18_446_744_073_709_551_615n, "de")).toBe("184.467.440.737,09551615");
  expect(groupedCoins(-50_000_000n, "en")).toBe("-0.5");
  expect(groupedCoins(-123_456_700_000_000n, "es")).toBe("-1.234.567");
  expect(groupedCoins(0n, "en")).toBe("0");
});
