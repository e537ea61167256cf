import { beforeEach, describe, expect, it } from "vitest";
import { asChainIndex } from "@svc/shared/base/brand.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { StoreSteps } from "../../storage/rows/storeSteps.ts";
import { MemoryKv } from "../../storage/memoryKv.ts";
import { paidNote } from "../testkit/paidNotes.ts";
import type { MadeReceipt, PaidNote } from "./paidNote.ts";
import { ReceiptTable } from "./receiptTable.ts";

const TABLES = { receipts: 2, receiptNotes: 3, receiptsDue: 4, receiptsByState: 5 };
const MOST = 100;
const at = (index: number) => asChainIndex(BigInt(index));

let kv: MemoryKv;
let table: ReceiptTable;
let commit: <T>(step: (batch: StoreBatch) => T) => T;

beforeEach(() => {
  kv = new MemoryKv();
  table = new ReceiptTable(kv, TABLES);
  const steps = new StoreSteps(kv, 1);
  commit = (step) => steps.commit(step);
});

function made(paid: PaidNote, state: number, byte = 7): MadeReceipt {
  return { paid, bytes: new Uint8Array(10).fill(byte), state: at(state), work: 5n };
}

function open(state: number, most = MOST): readonly number[] {
  return [...table.open(at(state), most)].map(({ index }) => index - 0x8000_0000);
}

const fileOf = ({ cmx, block }: PaidNote): number | null => table.receipt(cmx, block)?.[0] ?? null;

describe("kept receipts", () => {
  it("are open to be made, and to be better while their payment is near", () => {
    const [first, second, third] = [paidNote(1, 10), paidNote(2, 20), paidNote(3, 30)];
    commit((batch) => [first, second, third].map((paid) => table.put(batch, paid)));
    expect(open(9)).toEqual([]);
    expect(open(20)).toEqual([1, 2]);
    expect(open(200)).toEqual([1, 2, 3]);
    expect(commit((batch) => table.keep(batch, made(second, 25)))).toBe(true);
    expect(open(30)).toEqual([1, 3, 2]);
    expect(open(120)).toEqual([1, 3, 2]);
    expect(open(121)).toEqual([1, 3]);
    expect(open(30, 2)).toEqual([1, 3]);
    expect([...table.made()].map(({ index }) => index)).toEqual([second.index]);
  });

  it("are there for the block of their payment alone, the last one that was kept", () => {
    const paid = paidNote(1, 10);
    expect(fileOf(paid)).toBeNull();
    commit((batch) => {
      table.put(batch, paid);
      table.keep(batch, made(paid, 10, 1));
      table.keep(batch, made(paid, 12, 2));
    });
    expect(fileOf(paid)).toBe(2);
    expect(fileOf(paidNote(1, 10, 1))).toBeNull();
    commit((batch) => table.put(batch, paidNote(1, 11, 1)));
    expect(fileOf(paid)).toBeNull();
  });

  it("go with the block of their payment, and with the header that they stand on", () => {
    const [low, high] = [paidNote(1, 10), paidNote(2, 12)];
    commit((batch) => {
      for (const paid of [low, high]) table.put(batch, paid);
      for (const paid of [low, high]) table.keep(batch, made(paid, 12));
    });
    expect(commit((batch) => table.cut(batch, at(13)))).toEqual([]);
    expect([fileOf(low), fileOf(high)]).toEqual([7, 7]);
    // The state of 12 stands in the header of 13.
    const lost = commit((batch) => table.cut(batch, at(12)));
    expect(lost.map(({ cmx }) => cmx)).toEqual([low.cmx, high.cmx]);
    expect([fileOf(low), fileOf(high)]).toEqual([null, null]);
    expect(open(14)).toEqual([1, 2]);
    commit((batch) => table.keep(batch, made(low, 14)));
    expect(commit((batch) => table.cut(batch, at(11)))).toMatchObject([{ cmx: low.cmx }]);
    expect(open(20)).toEqual([1]);
    expect(commit((batch) => table.keep(batch, made(high, 15)))).toBe(false);
    expect(commit((batch) => table.cut(batch, null))).toEqual([]);
    expect(open(20)).toEqual([]);
    for (const number of Object.values(TABLES)) expect(rowsOf(number)).toBe(0);
  });

  it("stay where they are when no reorganisation reaches their payment, or go to whoever keeps them", () => {
    const [low, high] = [paidNote(1, 10), paidNote(2, 12)];
    commit((batch) => {
      for (const paid of [low, high]) table.put(batch, paid);
      for (const paid of [low, high]) table.keep(batch, made(paid, 12));
      table.forget(batch, at(10), { files: false });
    });
    expect(open(13)).toEqual([2]);
    expect([fileOf(low), fileOf(high)]).toEqual([7, 7]);
    commit((batch) => table.forget(batch, at(12), { files: true }));
    expect([fileOf(low), fileOf(high)]).toEqual([7, null]);
    expect(rowsOf(TABLES.receiptNotes)).toBe(0);
  });

  it("are made no more where the node is believed, and those that were stay", () => {
    const paid = paidNote(1, 10);
    commit((batch) => {
      table.put(batch, paid);
      table.keep(batch, made(paid, 10));
      table.put(batch, paidNote(2, 11));
      table.clear(batch);
    });
    expect(open(20)).toEqual([]);
    expect(fileOf(paid)).toBe(7);
  });
});

function rowsOf(number: number): number {
  const range = { from: Uint8Array.of(), to: new Uint8Array(64).fill(255), limit: MOST };
  return kv.range({ table: number, ...range }).length;
}
