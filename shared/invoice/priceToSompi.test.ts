import * as fc from "fast-check";
import { expect, it } from "vitest";
import { codeOf } from "../base/testkit/codeOf.ts";
import { priceToSompi } from "./priceToSompi.ts";

it.each([
  ["20.00", "8.00", 250_000_000n],
  ["1", "3", 33_333_334n],
  ["0.01", "100000", 10n],
  ["0.00000001", "1", 1n],
  ["0.000000001", "1", 1n],
  ["12", "0.5", 2_400_000_000n],
])("%s at %s a coin are %i sompi", (value, rate, sompi) => {
  expect(priceToSompi(value, rate)).toBe(sompi);
});

it.each([
  ["0", "1", "amount/zero"],
  ["1", "0.00", "amount/zero"],
  ["-1", "1", "amount/malformed"],
  ["1", "1e3", "amount/malformed"],
  ["1.", "1", "amount/malformed"],
  ["", "1", "amount/malformed"],
  ["99999999999999999999", "0.000001", "amount/too-large"],
])("%s at %s a coin is refused", (value, rate, code) => {
  expect(codeOf(() => priceToSompi(value, rate))).toBe(code);
});

it("covers the price, and not by a whole sompi more", () => {
  const cents = fc.bigInt({ min: 1n, max: 10n ** 9n });
  fc.assert(
    fc.property(cents, cents, (price, rate) => {
      const text = (value: bigint): string =>
        `${value / 100n}.${(value % 100n).toString().padStart(2, "0")}`;
      const sompi = priceToSompi(text(price), text(rate));
      expect(sompi * rate >= price * 10n ** 8n).toBe(true);
      expect((sompi - 1n) * rate < price * 10n ** 8n).toBe(true);
    }),
  );
});
