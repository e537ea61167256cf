import { readFileSync } from "node:fs";
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { SvcError } from "../../base/svcError.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { addressLabels, type AddressLabels } from "./addressLabels.ts";

const vectors = v.parse(
  v.object({
    records: v.array(
      v.object({ labels: v.array(v.tuple([v.number(), v.string()])), text: v.string() }),
    ),
  }),
  JSON.parse(
    readFileSync(new URL("../../../tests/vectors/address-labels.json", import.meta.url), "utf8"),
  ),
);
const MAX = WALLET_LIMITS.addressLabelChars;

describe("labels of addresses", () => {
  it.each(vectors.records)("are stored as $text", ({ labels, text }) => {
    expect(addressLabels.encode(new Map(labels.toReversed()))).toBe(text);
    expect([...addressLabels.decode(text)]).toEqual(labels);
  });

  it("come back as they were given, whatever they are", () => {
    const some = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.string()));
    fc.assert(
      fc.property(some, (rows) => {
        let labels: AddressLabels = new Map();
        for (const [index, text] of rows) labels = addressLabels.changed(labels, index, text);
        const read = addressLabels.decode(addressLabels.encode(labels));
        expect(read).toEqual(labels);
      }),
    );
  });

  it("are cut to their limit, and an empty one goes", () => {
    const long = addressLabels.changed(new Map(), 3, ` ${"☕".repeat(MAX + 1)} `);
    expect(long.get(3)).toBe("☕".repeat(MAX));
    expect(addressLabels.changed(long, 3, "  ").size).toBe(0);
  });

  it("are refused with any damaged byte, never half of them", () => {
    const text = vectors.records.at(-1)?.text ?? "";
    const labels = [...addressLabels.decode(text)];
    for (let at = 0; at < text.length; at += 1) {
      const changed = `${text.slice(0, at)}${text[at] === "#" ? "%" : "#"}${text.slice(at + 1)}`;
      let read: AddressLabels = new Map();
      try {
        read = addressLabels.decode(changed);
      } catch (error) {
        expect(error).toBeInstanceOf(SvcError);
        continue;
      }
      // A letter of a label may be another one; its place and number may not.
      expect([...read.keys()]).toEqual(labels.map(([index]) => index));
    }
  });

  it.each([
    ['{"labels":[],"version":2}', "store/version"],
    ['{"labels":[[0,""]],"version":1}', "store/corrupt"],
    ['{"labels":[[0,"a"],[0,"b"]],"version":1}', "store/corrupt"],
    [`{"labels":[[0,"${"x".repeat(MAX + 1)}"]],"version":1}`, "store/corrupt"],
    ["", "store/corrupt"],
  ])("that are %s are refused", (text, code) => {
    expect(() => addressLabels.decode(text)).toThrow(expect.objectContaining({ code }));
  });
});
