import { describe, expect, it } from "vitest";
import { SvcError } from "../../base/svcError.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { payeeFaults, readPayee, readPayees, type AddressBook, type PayeeText } from "./payee.ts";

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

describe("the payees of a form", () => {
  const read = (text: PayeeText) => readPayee(text, book);
  const good: PayeeText = { address: "test:abc", amount: "1", memo: "" };
  const codes = (...texts: readonly PayeeText[]) =>
    payeeFaults(texts, read).map((fault) => fault?.code ?? null);

  it("are read in their order", () => {
    const payees = readPayees([good, { ...good, amount: "2" }], read);
    expect(payees.map(({ value }) => value)).toEqual([100_000_000n, 200_000_000n]);
  });

  it("are as many as a transaction takes, and a flood of them is refused unread", () => {
    const most = WALLET_LIMITS.walletPayeesMax;
    expect(
      readPayees(
        Array.from({ length: most }, () => good),
        read,
      ),
    ).toHaveLength(most);
    let isRead = false;
    const many = Array.from({ length: 10_000 }, () => good);
    const readOnce = (text: PayeeText) => {
      isRead = true;
      return read(text);
    };
    expect(() => readPayees(many, readOnce)).toThrow("wallet/too-many-payees");
    expect(isRead).toBe(false);
  });

  it("have each its own fault, and an empty field is none", () => {
    expect(codes(good, { ...good, amount: "0" }, { ...good, address: "x" })).toEqual([
      null,
      "amount/zero",
      "address/missing-prefix",
    ]);
    expect(codes({ ...good, amount: "" }, { address: "", amount: "", memo: "" })).toEqual([
      null,
      null,
    ]);
    expect(codes({ ...good, amount: " ", memo: "x".repeat(513) })).toEqual([
      "wallet/memo-too-long",
    ]);
  });
});
