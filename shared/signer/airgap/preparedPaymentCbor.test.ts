/** Messages of the air gap: every value survives, and what is not the one form of a message is refused. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asSompi } from "../../base/brand.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { WALLET_LIMITS } from "../../wallet/walletLimits.ts";
import { AIRGAP_LIMITS } from "../airgapLimits.ts";
import { joinBundle, splitBundle } from "./bundleEffects.ts";
import { CborWriter } from "./cborWriter.ts";
import { decodePreparedPayment, encodePreparedPayment } from "./preparedPaymentCbor.ts";
import { decodeSignedPayment, encodeSignedPayment } from "./signedPaymentCbor.ts";
import { longestPayment, preparedPayments, signedPayments } from "./testkit/madePayment.ts";

const small = fc.sample(preparedPayments(2), { numRuns: 1, seed: 5 })[0];
if (small === undefined) throw new Error("the sample is not empty");

describe("a prepared payment", () => {
  it("comes back as it was", () => {
    const any = fc.integer({ min: 1, max: 6 }).chain(preparedPayments);
    fc.assert(
      fc.property(any, (prepared) => {
        const bytes = encodePreparedPayment(prepared);
        expect(decodePreparedPayment(bytes)).toEqual(prepared);
        expect(encodePreparedPayment(decodePreparedPayment(bytes))).toEqual(bytes);
      }),
      { numRuns: 50 },
    );
  });

  it("of two actions has about two kilobytes, and the longest one fits exactly", () => {
    const usual = longestPayment(2, 1);
    const [payee] = usual.payments;
    if (payee === undefined) throw new Error("there is a payee");
    const { length } = encodePreparedPayment({ ...usual, payments: [{ ...payee, memo: "" }] });
    expect(length).toBeGreaterThan(2_000);
    expect(length).toBeLessThan(2_250);
    const { walletActionsMax } = WALLET_LIMITS;
    const longest = encodePreparedPayment(longestPayment(walletActionsMax, walletActionsMax));
    expect(longest.length).toBe(AIRGAP_LIMITS.airgapMessageBytes);
    const longer = new Uint8Array(longest.length + 1);
    expect(() => decodePreparedPayment(longer)).toThrow("airgap/message-too-long");
  });

  it("leaves proof and signatures out", () => {
    const effects = splitBundle(small.bundle);
    const bare = joinBundle(effects);
    const [head, tail] = [bare.subarray(0, 113 + 884 * 2), effects.anchorBlock ?? new Uint8Array()];
    const signed = head.slice();
    signed.fill(7, 45, 109);
    signed.fill(8, 113 + 820, 113 + 884);
    signed.fill(9, 113 + 884 + 820, 113 + 884 * 2);
    const proof = new Uint8Array(2_720 + 2_272 * 2).fill(6);
    const proofLength = decodeHex("00001c60");
    const full = Uint8Array.from([...signed, ...proofLength, ...proof, ...tail]);
    expect(splitBundle(full)).toEqual(effects);
    expect(encodePreparedPayment({ ...small, bundle: full })).toEqual(encodePreparedPayment(small));
  });

  it("is refused with another version, key, order, repetition or length", () => {
    const bytes = encodePreparedPayment(small);
    const changed = (at: number, ...values: number[]) => {
      const copy = bytes.slice();
      copy.set(values, at);
      return () => decodePreparedPayment(copy);
    };
    expect(encodeHex(bytes.subarray(0, 6))).toBe("a90003015820");
    expect(changed(0, 0xa8)).toThrow("airgap/cbor-count (offset=0, found=8, min=9, max=9)");
    expect(changed(0, 0xbf)).toThrow("airgap/cbor-form (offset=0)");
    expect(changed(1, 1)).toThrow("airgap/cbor-key (offset=1, found=1, expected=0)");
    expect(changed(2, 4)).toThrow("airgap/bad-version (found=4, expected=3)");
    expect(changed(3, 0)).toThrow("airgap/cbor-key (offset=3, found=0, expected=1)");
    expect(changed(3, 9)).toThrow("airgap/cbor-key (offset=3, found=9, expected=1)");
    expect(changed(4, 0x78)).toThrow("airgap/cbor-type (offset=4, expected=byte string)");
    expect(changed(5, 31)).toThrow("airgap/cbor-length (offset=4, found=31, max=32)");
    expect(changed(38, 2, 0x42)).toThrow("airgap/cbor-length");
    const longer = Uint8Array.from([...bytes, 0]);
    expect(() => decodePreparedPayment(longer)).toThrow("airgap/cbor-trailing (remaining=1)");
    for (const length of [0, 1, 40, 400, bytes.length - 1]) {
      expect(() => decodePreparedPayment(bytes.subarray(0, length))).toThrow("airgap/cbor-end");
    }
  });

  it("is refused with other counts than its actions", () => {
    const { disclosure, alphas, payments } = small;
    const encode = (change: Partial<typeof small>) => () =>
      encodePreparedPayment({ ...small, ...change });
    expect(encode({ disclosure: disclosure.slice(1) })).toThrow("airgap/cbor-count");
    expect(encode({ alphas: [] })).toThrow("airgap/cbor-count");
    expect(encode({ payments: [] })).toThrow("airgap/cbor-count");
    expect(encode({ alphas: [{ index: 2, alpha: "00".repeat(32) }] })).toThrow(
      "airgap/bad-alphas (index=2)",
    );
    const twice = [...alphas.slice(0, 1), ...alphas.slice(0, 1)];
    expect(encode({ alphas: twice })).toThrow("airgap/bad-alphas");
    const payees = Array.from({ length: 39 }, () => payments[0]).filter((one) => one !== undefined);
    expect(encode({ payments: payees })).toThrow("airgap/cbor-count");
    expect(encode({ session: "00" })).toThrow("airgap/cbor-length");
    expect(encode({ fee: asSompi(0n), network: "zz" })).toThrow("codec/bad-hex");
  });

  it("is refused with a bundle that no wallet pays with", () => {
    const effects = splitBundle(small.bundle);
    const bundle = joinBundle({ ...effects, flags: 0b1011, anchorBlock: new Uint8Array(32) });
    const changed = (at: number, ...values: number[]) => {
      const copy = bundle.slice();
      copy.set(values, at);
      return () => splitBundle(copy);
    };
    expect(changed(0, 0b1111)).toThrow("airgap/bad-bundle (reason=its flags are 0f)");
    expect(changed(0, 0b0011)).toThrow("airgap/bad-bundle (reason=its length is wrong)");
    expect(changed(1, 0x80)).toThrow("airgap/bad-bundle (reason=value would enter the pool)");
    expect(changed(44, 65)).toThrow("airgap/bad-bundle (reason=its head is damaged)");
    expect(changed(112, 0)).toThrow("airgap/bad-bundle (reason=it has 0 actions)");
    expect(changed(109, 0xff)).toThrow("airgap/bad-bundle");
    expect(() => splitBundle(bundle.subarray(0, 112))).toThrow("airgap/bad-bundle");
    expect(() => splitBundle(bundle.subarray(0, 200))).toThrow("airgap/bad-bundle");
    const disagreeing = { ...effects, flags: 0b1011, anchorBlock: null };
    expect(() => joinBundle(disagreeing)).toThrow("flags and anchor block disagree");
  });
});

describe("an answer", () => {
  it("comes back as it was, signatures in the order of the actions", () => {
    fc.assert(
      fc.property(signedPayments, (signed) => {
        const bytes = encodeSignedPayment(signed);
        expect(decodeSignedPayment(bytes)).toEqual(signed);
        const turned = { ...signed, signatures: signed.signatures.toReversed() };
        expect(encodeSignedPayment(turned)).toEqual(bytes);
      }),
      { numRuns: 50 },
    );
  });

  it("is refused with a repeated signature, another length, or as a payment", () => {
    const sig = "11".repeat(64);
    const session = "22".repeat(24);
    const encode = (...indices: number[]) => {
      const signatures = indices.map((index) => ({ index, sig }));
      return () => encodeSignedPayment({ version: 3, session, signatures });
    };
    expect(encode(1, 1)).toThrow("airgap/bad-alphas (index=1)");
    expect(encode(38)).toThrow("airgap/bad-alphas (index=38)");
    expect(encode()).toThrow("airgap/cbor-count");
    expect(encode(0)().length).toBe(100);
    expect(() => decodeSignedPayment(encodePreparedPayment(small))).toThrow("airgap/cbor-count");
    const empty = new CborWriter().map(3).number(0).number(2).toBytes();
    expect(() => decodeSignedPayment(empty)).toThrow("airgap/bad-version (found=2, expected=3)");
  });
});
