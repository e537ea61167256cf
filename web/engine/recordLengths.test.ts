import { ByteWriter } from "@svc/shared/base/bytes.ts";
import { expect, test } from "vitest";
import { recordLengths } from "./recordLengths.ts";

/** A record with these numbers of outputs and of actions in each transaction; contents do not matter. */
function record(outputs: number, actions: readonly number[]): Uint8Array {
  const writer = new ByteWriter();
  writer
    .raw(new Uint8Array(96))
    .u16(outputs)
    .raw(new Uint8Array(83 * outputs));
  writer.u16(actions.length);
  for (const count of actions) {
    writer
      .raw(new Uint8Array(32))
      .u16(count)
      .raw(new Uint8Array(788 * count));
  }
  return writer.toBytes();
}

test("finds the ends of records of every shape", () => {
  const records = [record(0, []), record(2, []), record(1, [2, 3]), record(0, [1])];
  const body = new Uint8Array(records.flatMap((bytes) => [...bytes]));
  expect(recordLengths(body, 4)).toEqual(records.map((bytes) => bytes.length));
});

test("refuses a body that is cut off or too long", () => {
  const bytes = record(1, [2]);
  expect(() => recordLengths(bytes.subarray(0, -1), 1)).toThrow("wallet/bad-page");
  expect(() => recordLengths(bytes, 2)).toThrow("wallet/bad-page");
  expect(() => recordLengths(new Uint8Array([...bytes, 0]), 1)).toThrow("wallet/bad-page");
});
