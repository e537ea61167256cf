import { describe, expect, it } from "vitest";
import { isSameShown } from "./comparedPart.ts";

const transaction = { status: "applied", fee: "1860000", confirmations: 12, block_hash: ["ab"] };
const block = {
  header: { timestamp: 5 },
  verboseData: { childrenHashes: [], isChainBlock: true },
  extra: { color: "none", mergedBy: null, applied: [] },
};

describe("what was checked", () => {
  it("is still what is shown where only the tip has moved", () => {
    expect(isSameShown(transaction, { ...transaction, confirmations: 13 })).toBe(true);
    const seen = {
      ...block,
      verboseData: { ...block.verboseData, childrenHashes: ["ab"] },
      extra: { ...block.extra, color: "blue", mergedBy: "ab" },
    };
    expect(isSameShown(block, seen)).toBe(true);
    expect(isSameShown([undefined], [undefined])).toBe(true);
  });

  it("is not where anything else has", () => {
    for (const other of [
      { ...transaction, fee: "1" },
      { ...transaction, status: "dropped" },
      { ...transaction, block_hash: ["ab", "cd"] },
      undefined,
    ]) {
      expect(isSameShown(transaction, other)).toBe(false);
    }
    expect(isSameShown(block, { ...block, header: { timestamp: 6 } })).toBe(false);
    expect(isSameShown([{ turnstileIn: "1" }, null], [{ turnstileIn: "2" }, null])).toBe(false);
  });
});
