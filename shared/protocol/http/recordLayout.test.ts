import { describe, expect, it } from "vitest";
import { encodeHex } from "../../base/hex.ts";
import { longStory } from "../../wallet/testkit/evidenceLies.ts";
import { veiledAt } from "../../wallet/testkit/secondNode.ts";
import { encodeRecords, readRecords } from "./recordContainer.ts";
import { bytesIn, committedPart, recordLayouts } from "./recordLayout.ts";
import { asChainIndex } from "../../base/brand.ts";

const PAID_AT = 6;
const story = longStory();
const body = story.body(1, 36);

const committed = (bytes: Uint8Array, count: number) =>
  recordLayouts(bytes, count).map((record) => encodeHex(committedPart(bytes, record)));

describe("the layout of records", () => {
  it("finds every record and every payment of a page", () => {
    const records = readRecords({ firstIndex: asChainIndex(1n), count: 36, body });
    const layouts = recordLayouts(body, 36);
    for (const [index, record] of records.entries()) {
      const layout = layouts[index];
      if (layout === undefined) throw new Error(`record ${index}`);
      expect(bytesIn(body, layout)).toEqual(new Uint8Array(encodeRecords([record])));
      expect(layout.payments.map((span) => encodeHex(bytesIn(body, span).subarray(0, 32)))).toEqual(
        record.transactions.map(({ txid }) => txid),
      );
    }
  });

  it("tells what the chain commits to from ciphertexts", () => {
    const other = veiledAt(story, PAID_AT).body(1, 36);
    expect(encodeHex(other)).not.toBe(encodeHex(body));
    expect(committed(other, 36)).toEqual(committed(body, 36));
    const swapped = story.retold((block) => block);
    swapped.swapLeaf(PAID_AT, "77".repeat(32));
    expect(committed(swapped.body(1, 36), 36)).not.toEqual(committed(body, 36));
  });

  it("refuses bytes that no records fill, wherever they end", () => {
    for (let length = 0; length < body.length; length += 41) {
      expect(() => recordLayouts(body.subarray(0, length), 36)).toThrow("fill the page");
    }
    expect(() => recordLayouts(body, 35)).toThrow("fill the page");
  });
});
