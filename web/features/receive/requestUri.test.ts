import { asAddressText } from "@svc/shared/base/brand.ts";
import { parsePaymentUri } from "@svc/shared/wallet/plan/paymentUri.ts";
import { encodeMemo } from "@svc/shared/wallet/state/memo.ts";
import { describe, expect, test } from "vitest";
import { NO_REQUEST, requestUri } from "./requestUri.ts";

const address = asAddressText(`test:${"q".repeat(79)}`);
const network = { hrp: "test", decodeAddress: () => new Uint8Array(43) };

describe("a payment request", () => {
  test("is read by the form as it was asked for", () => {
    const text = { amount: "1,250.5", memo: "Order 17 & more", label: "Bäckerei ☕" };
    const { uri, amount, faults } = requestUri(address, text);
    expect(faults).toEqual({ amount: null, memo: null });
    expect(amount).toBe(125_050_000_000n);
    expect(parsePaymentUri(uri, network)).toEqual({
      payments: [{ address, amount, memo: encodeMemo(text.memo) }],
      label: text.label,
    });
  });

  test("of nothing is the address alone", () => {
    expect(requestUri(address, NO_REQUEST).uri).toBe(address);
    expect(requestUri(address, { amount: " ", memo: " ", label: " " }).uri).toBe(address);
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
