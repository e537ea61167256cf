import { readFileSync } from "node:fs";
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { paymentLabels, type PaymentLabels } from "./paymentLabels.ts";

const vectors = v.parse(
  v.object({
    records: v.array(
      v.object({ labels: v.array(v.tuple([v.string(), v.string()])), text: v.string() }),
    ),
  }),
  JSON.parse(
    readFileSync(new URL("../../../tests/vectors/payment-labels.json", import.meta.url), "utf8"),
  ),
);
const MAX = WALLET_LIMITS.paymentLabelChars;
const LONGEST_KEY = "k".repeat(WALLET_LIMITS.paymentKeyChars);

describe("remarks on payments", () => {
  it.each(vectors.records)("are stored as $text", ({ labels, text }) => {
    expect(paymentLabels.encode(new Map(labels.toReversed()))).toBe(text);
    expect([...paymentLabels.decode(text)]).toEqual(labels);
  });

  it("come back as they were given, whatever they are", () => {
    const key = fc.string({ minLength: 1, maxLength: LONGEST_KEY.length });
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.string())), (rows) => {
        let labels: PaymentLabels = new Map();
        for (const [row, text] of rows) labels = paymentLabels.changed(labels, row, text);
        expect(paymentLabels.decode(paymentLabels.encode(labels))).toEqual(labels);
      }),
    );
  });

  it("are cut to their limit, a flood too", () => {
    const text = "☕".repeat(1_000_000);
    expect(paymentLabels.changed(new Map(), LONGEST_KEY, text).get(LONGEST_KEY)).toBe(
      "☕".repeat(MAX),
    );
  });

  it.each([
    ['{"labels":[["a","b"]],"version":2}', "store/version"],
    ['{"labels":[[1,"number for a key"]],"version":1}', "store/corrupt"],
    ['{"labels":[["","no key"]],"version":1}', "store/corrupt"],
    [`{"labels":[["${LONGEST_KEY}k","key too long"]],"version":1}`, "store/corrupt"],
    [`{"labels":[["a","${"x".repeat(MAX + 1)}"]],"version":1}`, "store/corrupt"],
    ['{"labels":[["b","order"],["a","of keys"]],"version":1}', "store/corrupt"],
  ])("that are %s are refused", (text, code) => {
    expect(() => paymentLabels.decode(text)).toThrow(expect.objectContaining({ code }));
  });
});
