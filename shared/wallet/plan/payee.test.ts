import { describe, expect, it } from "vitest";
import { SvcError } from "../../base/svcError.ts";
import { readPayee, type AddressBook } from "./payee.ts";

const book: AddressBook = {
  hrp: "test",
  decodeAddress: (hrp, text) => {
    if (!text.startsWith(`${hrp}:`)) throw new SvcError("address/missing-prefix", {});
    return new Uint8Array(43).fill(7);
  },
  isOwn: (recipient) => recipient.startsWith("0a"),
};

describe("readPayee", () => {
  it("gives the payment in exact terms", () => {
    const payee = readPayee({ address: " test:abc ", amount: "12.345", memo: "hi" }, book);
    expect(payee).toEqual({
      address: "test:abc",
      recipient: "07".repeat(43),
      value: 1_234_500_000n,
      memo: "6869",
      own: false,
    });
  });

  it("takes an address in capitals, as some QR codes have it, and none in mixed letters", () => {
    const text = { amount: "1", memo: "" };
    expect(readPayee({ ...text, address: "TEST:ABC" }, book).address).toBe("test:abc");
    expect(() => readPayee({ ...text, address: "Test:ABC" }, book)).toThrow(SvcError);
  });

  it.each([
    ["abc", "1", "", "address/missing-prefix"],
    ["test:abc", "0", "", "amount/zero"],
    ["test:abc", "-1", "", "amount/negative"],
    ["test:abc", "0.123456789", "", "amount/too-many-decimals"],
    ["test:abc", "1e3", "", "amount/malformed"],
    ["test:abc", "184467440737.09551616", "", "amount/too-large"],
    ["test:abc", "1", "x".repeat(513), "wallet/memo-too-long"],
  ])("of %s, %s, %.3s is refused", (address, amount, memo, code) => {
    expect(() => readPayee({ address, amount, memo }, book)).toThrow(
      expect.objectContaining({ code }),
    );
  });
});
