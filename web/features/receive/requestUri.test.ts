import { asAddressText } from "@svc/shared/base/brand.ts";
import { parsePaymentUri } from "@svc/shared/wallet/plan/paymentUri.ts";
import { encodeMemo } from "@svc/shared/wallet/state/memo.ts";
import { describe, expect, test } from "vitest";
import { lasting, NO_REQUEST, requestUri } from "./requestUri.ts";

const address = asAddressText(`test:${"q".repeat(79)}`);
const network = { hrp: "test", decodeAddress: () => new Uint8Array(43) };

describe("a payment request", () => {
  test("is read by the form as it was asked for", () => {
    const typed = { amount: "1,250.5", memo: "Order 17 & more", label: "Bäckerei ☕" };
    const text = { ...typed, ...lasting("hour", 1_700_000_000_000) };
    const { uri, amount, faults } = requestUri(address, text);
    expect(faults).toEqual({ amount: null, memo: null });
    expect(amount).toBe(125_050_000_000n);
    expect(parsePaymentUri(uri, network)).toEqual({
      payments: [{ address, amount, memo: encodeMemo(text.memo) }],
      label: text.label,
      expiresMs: 1_700_003_600_000n,
    });
  });

  test("of nothing is the address alone", () => {
    expect(requestUri(address, NO_REQUEST).uri).toBe(address);
    expect(requestUri(address, { ...NO_REQUEST, amount: " ", memo: " ", label: " " }).uri).toBe(
      address,
    );
  });

  test("ends when that was chosen, in an hour or a day, or never", () => {
    expect(requestUri(address, { ...NO_REQUEST, ...lasting("day", 500) }).uri).toBe(
      `${address}?expires=86400`,
    );
    expect(requestUri(address, { ...NO_REQUEST, ...lasting("none", 500) }).uri).toBe(address);
  });

  test.each([
    [{ ...NO_REQUEST, amount: "much" }, "amount", "amount/malformed"],
    [{ ...NO_REQUEST, amount: "0" }, "amount", "amount/zero"],
    [{ ...NO_REQUEST, amount: "0.000000001" }, "amount", "amount/too-many-decimals"],
    [{ ...NO_REQUEST, memo: "☕".repeat(200) }, "memo", "wallet/memo-too-long"],
    [{ ...NO_REQUEST, memo: "€".repeat(150) }, "memo", "uri/too-long"],
  ] as const)("that cannot be asked for is told, and is no link", (text, field, code) => {
    const { uri, faults } = requestUri(address, text);
    expect(uri).toBe(address);
    expect(faults[field]?.code).toBe(code);
  });
});
