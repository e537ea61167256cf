import { expect, test } from "vitest";
import { ByteWriter } from "../../base/bytes.ts";
import { recordHeads } from "./recordHeads.ts";

/** A record with these numbers of outputs and of actions in each transaction; contents do not matter. */
function record(outputs: number, actions: readonly number[]): Uint8Array {
  const writer = new ByteWriter();
  writer.raw(new Uint8Array(32).fill(7)).u64(5n).u64(6n).u64(7n).u64(8n).raw(new Uint8Array(32));
  writer.u16(outputs).raw(new Uint8Array(83 * outputs));
  writer.u16(actions.length);
  for (const count of actions) {
    writer
      .raw(new Uint8Array(32))
      .u16(count)
      .raw(new Uint8Array(788 * count));
  }
  return writer.toBytes();
}

test("finds the ends and the leaves of records of every shape", () => {
  const records = [record(0, []), record(2, []), record(1, [2, 3]), record(0, [1])];
  const body = new Uint8Array(records.flatMap((bytes) => [...bytes]));
  const heads = recordHeads(body, 4);
  expect(heads.map(({ length }) => length)).toEqual(records.map((bytes) => bytes.length));
  expect(heads.map(({ leaves }) => leaves)).toEqual([0, 2, 6, 1]);
  expect(heads[0]).toMatchObject({
    hash: "07".repeat(32),
    blueScore: 5n,
    daaScore: 6n,
    timestamp: 7n,
    firstLeaf: 8n,
  });
});

test("refuses a body that is cut off or too long", () => {
  const bytes = record(1, [2]);
  expect(() => recordHeads(bytes.subarray(0, -1), 1)).toThrow("wallet/bad-page");
  expect(() => recordHeads(bytes, 2)).toThrow("wallet/bad-page");
  expect(() => recordHeads(new Uint8Array([...bytes, 0]), 1)).toThrow("wallet/bad-page");
});
