/** Facts of a scan for several keys: whose note and whose payment it is. */
import { expect, it } from "vitest";
import { ChainModel, FOREIGN_ADDRESS } from "../testkit/chainModel.ts";
import { stableJson } from "../../base/stableJson.ts";
import { readKeyedFacts } from "./scanFacts.ts";

const sent = (key: number, value: bigint) => ({
  key,
  txid: "aa".repeat(32),
  outputIndex: 1,
  recipient: FOREIGN_ADDRESS,
  address: "test:payee",
  value,
  memo: "",
});

function factsWith(outputs: readonly object[]): string {
  const model = new ChainModel();
  model.add({ mined: [5n] });
  model.add();
  const { blocks, cmx } = model.page(1).facts;
  const told = blocks.map((block, at) => ({
    ...block,
    leaves: String(block.leaves),
    notes: block.notes.map((note) => ({ ...note, key: 0 })),
    ...(at === 1 ? { sent: outputs } : {}),
  }));
  return stableJson({ blocks: told, cmx });
}

it("gives each key what it owns and what it sent, and nobody what is another's", () => {
  const { common, found } = readKeyedFacts(factsWith([sent(1, 7n), sent(2, 8n)]));
  expect([...found.keys()].toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
  const values = (key: number) =>
    found
      .get(key)
      ?.blocks.map(({ notes, sent: own = [] }) => [notes.length, ...own.map(({ value }) => value)]);
  expect(values(0)).toEqual([[1], [0]]);
  expect(values(1)).toEqual([[0], [0, 7n]]);
  expect(values(2)).toEqual([[0], [0, 8n]]);
  expect(common.blocks.map((block) => [block.notes.length, "sent" in block])).toEqual([
    [0, false],
    [0, false],
  ]);
  expect(found.get(1)?.blocks[1]?.sent?.[0]).not.toHaveProperty("key");
});

it.each(["value", "address", "recipient", "txid"])("refuses an output without %s", (name) => {
  const { [name]: _, ...rest } = { ...sent(0, 1n) } as Record<string, unknown>;
  expect(() => readKeyedFacts(factsWith([rest]))).toThrow("wallet/bad-page");
});
