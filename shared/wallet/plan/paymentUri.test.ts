import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asAddressText, asSompi, asTimestampMs } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import { encodeMemo } from "../state/memo.ts";
import { formatPaymentUri, parsePaymentUri, type UriNetwork } from "./paymentUri.ts";

const DATA = "q".repeat(79);
const ADDRESS = asAddressText(`test:${DATA}`);
const OTHER = asAddressText(`test:${"p".repeat(79)}`);

/** Stands for the core's decoder, whose own tests judge addresses. */
const network: UriNetwork = {
  hrp: "test",
  decodeAddress: (hrp, text) => {
    if (!text.startsWith(`${hrp}:`)) {
      throw new SvcError("address/wrong-network", { expected: hrp, found: text });
    }
    return new Uint8Array(43);
  },
};

const parse = (text: string) => parsePaymentUri(text, network);

describe("payment links", () => {
  it("read back what was written", () => {
    const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
    const amount = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(asSompi);
    const seconds = fc.bigInt({ min: 0n, max: 253_402_300_799n });
    const time = seconds.map((whole) => asTimestampMs(whole * 1_000n));
    fc.assert(
      fc.property(optional(amount), optional(text), optional(text), optional(time), (...given) => {
        const [sompi, memo, label, expiresMs] = given;
        const uri = formatPaymentUri({
          address: ADDRESS,
          ...(sompi === undefined ? {} : { amount: sompi }),
          ...(memo === undefined ? {} : { memoText: memo }),
          ...(label === undefined ? {} : { label }),
          ...(expiresMs === undefined ? {} : { expiresMs }),
        });
        expect(parse(uri)).toEqual({
          payments: [{ address: ADDRESS, amount: sompi ?? null, memo: encodeMemo(memo ?? "") }],
          label: label ?? null,
          expiresMs: expiresMs ?? null,
        });
        expect(parse(`web+test:${encodeURIComponent(uri)}`)).toEqual(parse(uri));
      }),
    );
  });

  it("are read from every wrapping of a protocol handler, and in capitals", () => {
    const link = `${ADDRESS}?amount=1&memo=two%20loaves`;
    const wanted = parse(link);
    expect(parse(`web+test:${encodeURIComponent(link)}`)).toEqual(wanted);
    expect(parse(`web+test:${DATA}?amount=1&memo=two%20loaves`)).toEqual(wanted);
    expect(parse(`web+svc:${encodeURIComponent(link)}`)).toEqual(wanted);
    expect(parse(`${ADDRESS.toUpperCase()}?amount=1&memo=two%20loaves`)).toEqual(wanted);
    expect(() => parse(`web+test:${encodeURIComponent(`other:${DATA}`)}`)).toThrow(
      expect.objectContaining({ code: "address/wrong-network" }),
    );
  });

  it("take a bare address, unknown fields, binary memos and several payees", () => {
    expect(parse(ADDRESS).payments).toEqual([{ address: ADDRESS, amount: null, memo: "" }]);
    expect(parse(`${ADDRESS}?colour=red&memo64=_wA`).payments[0]?.memo).toBe("ff00");
    const two = parse(`${ADDRESS}?amount=1&address.1=${OTHER}&amount.1=0.5&memo.1=hi`);
    expect(two.payments).toEqual([
      { address: ADDRESS, amount: 100_000_000n, memo: "" },
      { address: OTHER, amount: 50_000_000n, memo: encodeMemo("hi") },
    ]);
  });

  it("may name its payees in its fields alone", () => {
    const listed = parse(`test:?address=${ADDRESS}&amount=1&address.1=${OTHER}&amount.1=2`);
    expect(listed.payments.map(({ address, amount }) => [address, amount])).toEqual([
      [ADDRESS, 100_000_000n],
      [OTHER, 200_000_000n],
    ]);
    for (const uri of ["test:?amount=1", "test:?label=a", "test:?", "test:"]) {
      expect(() => parse(uri), uri).toThrow(SvcError);
    }
    expect(() => parse(`${ADDRESS}?address=${OTHER}`)).toThrow(
      expect.objectContaining({ code: "uri/duplicate-key" }),
    );
  });

  it.each([
    ["nine decimals", "amount=0.123456789", "amount/too-many-decimals"],
    ["an exponent", "amount=1e3", "amount/malformed"],
    ["a sign", "amount=%2B1", "amount/malformed"],
    ["a negative amount", "amount=-1", "amount/negative"],
    ["zero", "amount=0", "amount/zero"],
    ["blanks", "amount=%201", "amount/malformed"],
    ["2^63 sompi", "amount=92233720368.54775808", "amount/too-large"],
    ["a field twice", "amount=1&amount=1", "uri/duplicate-key"],
    ["a memo in two forms", "memo=a&memo64=YQ", "uri/duplicate-key"],
    ["a demand", "req-escrow=1", "uri/unsupported"],
    ["a payee without address", "amount.1=1", "uri/malformed"],
    ["a field without value", "amount", "uri/malformed"],
    ["half an escape", "memo=%4", "uri/malformed"],
    ["bad base64", "memo64=a", "uri/malformed"],
    ["an end that is no time", "expires=tomorrow", "uri/malformed"],
    ["an end before all times", "expires=-1", "uri/malformed"],
    ["an end beyond all times", "expires=999999999999", "uri/malformed"],
    ["an end of parts of seconds", "expires=1.5", "uri/malformed"],
    ["an end twice", "expires=1&expires=2", "uri/duplicate-key"],
    ["an end that is demanded", "req-expires=1", "uri/unsupported"],
    ["a long memo", `memo=${"x".repeat(513)}`, "wallet/memo-too-long"],
  ])("with %s are refused", (_, query, code) => {
    expect(() => parse(`${ADDRESS}?${query}`)).toThrow(expect.objectContaining({ code }));
  });

  it.each([
    ["of another network", `other:${DATA}`, "address/wrong-network"],
    ["with a short address", "test:qqq", "address/bad-length"],
    ["beyond the length limit", `${ADDRESS}?label=${"x".repeat(1_024)}`, "uri/too-long"],
  ])("%s are refused", (_, uri, code) => {
    expect(() => parse(uri)).toThrow(expect.objectContaining({ code }));
  });
});
