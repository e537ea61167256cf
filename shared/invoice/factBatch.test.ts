import { describe, expect, it } from "vitest";
import { asAddressText, asRawAddress, asViewingKeyId } from "../base/brand.ts";
import { decodeFactBatch, encodeFactBatch, type FactBatch } from "./factBatch.ts";
import { INVOICE_LIMITS } from "./invoiceLimits.ts";
import { blockAt, MADE_MS, outputOf } from "./testkit/invoices.ts";

const about = {
  key: asViewingKeyId(`key_${"1".repeat(16)}`),
  index: 0x8000_0000,
  output: outputOf(1, 2n ** 64n - 1n),
};
const address = {
  raw: asRawAddress("22".repeat(43)),
  text: asAddressText(`svctest:${"q".repeat(79)}`),
};
const block = blockAt(100n, 1_000n);
const batch: FactBatch = {
  scanner: "till-1",
  sequence: 2n ** 63n,
  tip: block,
  seenAtMs: MADE_MS,
  facts: [
    { kind: "mined", ...about, block },
    { kind: "orphaned", ...about, block: block.hash },
    { kind: "waiting", ...about },
    { kind: "gone", ...about },
    { kind: "addresses", key: about.key, from: 0x8000_0000, addresses: [address] },
  ],
};
const receipt = { key: about.key, index: 3, cmx: about.output.cmx, block: block.hash } as const;

const changed = (change: object): string =>
  JSON.stringify({ ...JSON.parse(encodeFactBatch(batch)), ...change });

describe("a batch of facts", () => {
  it("is read as it was written", () => {
    expect(decodeFactBatch(encodeFactBatch(batch))).toEqual(batch);
    expect(encodeFactBatch(batch)).toContain('"amount":"18446744073709551615"');
  });

  it("says what its scanner has against its node; those of older scanners say nothing, and older gateways pass it over", () => {
    const fault = { code: "evidence/other-notes", data: { block: "ab" }, sinceMs: MADE_MS };
    expect(decodeFactBatch(encodeFactBatch({ ...batch, fault }))).toEqual({ ...batch, fault });
    expect(decodeFactBatch(encodeFactBatch(batch))).not.toHaveProperty("fault");
    // What a gateway does with a part that it does not know.
    expect(decodeFactBatch(changed({ ofNextYear: {} }))).toEqual(batch);
    expect(() => decodeFactBatch(changed({ fault: {} }))).toThrow("api/missing-field");
  });

  it.each([
    [{ scanner: "Till 1" }, "scanner"],
    [{ sequence: "0" }, "sequence"],
    [{ sequence: 1 }, "sequence"],
    [{ tip: null }, "tip"],
    [{ facts: [{ kind: "other" }] }, "facts[0].kind"],
    [{ facts: [{ kind: "waiting", key: about.key, index: -1 }] }, "facts[0].index"],
    [{ facts: Array(INVOICE_LIMITS.factBatchFacts + 1).fill(null) }, "facts"],
    [{ receipts: Array(INVOICE_LIMITS.factBatchReceipts + 1).fill(null) }, "receipts"],
    [{ receipts: [{ ...receipt, receipt: "" }] }, "receipts[0].receipt"],
    [{ receipts: [{ ...receipt, receipt: "A5" }] }, "receipts[0].receipt"],
    [
      { receipts: [{ ...receipt, receipt: "a5".repeat(INVOICE_LIMITS.receiptBytes + 1) }] },
      "receipts[0].receipt",
    ],
    [{ receipts: [{ ...receipt, block: null, receipt: null }] }, "receipts[0].block"],
  ])("is refused with %j", (change, field) => {
    expect(() => decodeFactBatch(changed(change).slice(0, 100_000))).toThrow(
      expect.objectContaining({
        data: expect.objectContaining({ field: expect.stringContaining(field) }),
      }),
    );
  });

  it("has receipts of payments, and none where its scanner makes none", () => {
    const receipts = [
      { ...receipt, receipt: "a50001" },
      { ...receipt, receipt: null },
    ];
    expect(decodeFactBatch(encodeFactBatch({ ...batch, receipts }))).toEqual({
      ...batch,
      receipts,
    });
    expect(decodeFactBatch(encodeFactBatch(batch))).not.toHaveProperty("receipts");
  });

  it("has room for as many receipts as there may be", () => {
    const long = "a5".repeat(INVOICE_LIMITS.receiptBytes);
    const receipts = Array.from({ length: INVOICE_LIMITS.factBatchReceipts }, () => {
      return { ...receipt, receipt: long };
    });
    const json = encodeFactBatch({ ...batch, receipts });
    expect(json.length).toBeLessThan(INVOICE_LIMITS.factBatchBytes * 0.75);
    expect(decodeFactBatch(json).receipts).toHaveLength(receipts.length);
  });

  it("is applied without what its reader does not know, as a batch with receipts is by an older gateway", () => {
    const { receipts, ...rest } = decodeFactBatch(changed({ later: [{}] }));
    expect(rest).toEqual(batch);
    expect(receipts).toBeUndefined();
  });

  it("hands out no address beyond the last index", () => {
    const run = (from: number): string =>
      changed({
        facts: [{ kind: "addresses", key: about.key, from, addresses: [address, address] }],
      });
    expect(decodeFactBatch(run(0xffff_fffe)).facts).toHaveLength(1);
    expect(() => decodeFactBatch(run(0xffff_ffff))).toThrow("api/bad-field");
  });

  it("is refused where it is no JSON, or too large", () => {
    const code = (text: string): unknown => {
      try {
        return decodeFactBatch(text);
      } catch (error) {
        return error instanceof Error && "code" in error ? error.code : error;
      }
    };
    expect(code("{")).toBe("codec/bad-json");
    expect(code(" ".repeat(INVOICE_LIMITS.factBatchBytes + 1))).toBe("codec/count-too-large");
  });
});
