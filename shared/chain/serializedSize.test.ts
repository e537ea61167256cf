import { expect, it } from "vitest";
import { asSompi, asTxId } from "../base/brand.ts";
import { serializedSize } from "./serializedSize.ts";
import type { Transaction } from "./transaction.ts";

function transaction(version: number, payload: number): Transaction {
  const spent = { index: 0, script: new Uint8Array(3), sequence: 0n, compute: 2 };
  return {
    version,
    inputs: [{ ...spent, txid: asTxId("ab".repeat(32)) }],
    outputs: [{ value: asSompi(1n), scriptVersion: 0, script: new Uint8Array(5), covenant: null }],
    lockTime: 0n,
    subnetworkId: new Uint8Array(20),
    gas: 0n,
    payload: new Uint8Array(payload),
    storageMass: 0n,
  };
}

it("is what the core counts: by version, with 94 bytes for a payment beside its payload", () => {
  expect(serializedSize(transaction(0, 0))).toBe(94 + 55 + 23);
  expect(serializedSize(transaction(1, 0))).toBe(94 + 57 + 23);
  expect(serializedSize({ ...transaction(2, 9_181), inputs: [], outputs: [] })).toBe(9_275);
});
