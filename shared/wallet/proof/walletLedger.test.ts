import { describe, expect, it } from "vitest";
import { asBlockHash, asBlueScore, asChainIndex, asDaaScore } from "../../base/brand.ts";
import { modelMultiply } from "../testkit/modelLedger.ts";
import {
  ledgerCut,
  ledgerProved,
  ledgerSettled,
  ledgerWith,
  newLedger,
  sumsAt,
  type CountedBlock,
} from "./walletLedger.ts";

const hash = (number: number) => asBlockHash(number.toString(16).padStart(64, "0"));
const digits = (number: number) => number.toString(16).padStart(64, "0");

function startAt(index: number) {
  const score = BigInt(index);
  return {
    hash: hash(index),
    chainIndex: asChainIndex(score),
    blueScore: asBlueScore(score),
    daaScore: asDaaScore(score),
  };
}

function blocks(from: number, to: number): CountedBlock[] {
  return Array.from({ length: to - from + 1 }, (_, offset) => {
    const index = from + offset;
    const spent = index % 3 === 0 ? "" : digits(index);
    return { hash: hash(index), chainIndex: asChainIndex(BigInt(index)), minted: 5n, spent };
  });
}

describe("the ledger", () => {
  it("knows what lies before genesis, and not what lies before another block", () => {
    expect(newLedger(startAt(0)).before).toEqual({ spent: "", minted: 0n });
    expect(newLedger(startAt(7)).before).toBeNull();
    expect(sumsAt(newLedger(startAt(7)), asChainIndex(7n), modelMultiply)).toBeNull();
  });

  it("gives the same sums whether or not its blocks are one product by then", () => {
    const ledger = ledgerWith(newLedger(startAt(0)), blocks(1, 30));
    const settled = ledgerSettled(ledger, asChainIndex(12n), modelMultiply);
    expect(settled.recent[0]?.chainIndex).toBe(13n);
    for (const index of [12, 13, 20, 30]) {
      const at = asChainIndex(BigInt(index));
      expect(sumsAt(settled, at, modelMultiply)).toEqual(sumsAt(ledger, at, modelMultiply));
    }
    expect(sumsAt(settled, asChainIndex(11n), modelMultiply)).toBeNull();
    expect(sumsAt(ledger, asChainIndex(4n), modelMultiply)).toEqual({
      spent: digits(1 + 2 + 4),
      minted: 20n,
    });
  });

  it("forgets the blocks above one that stays, and learns others", () => {
    const ledger = ledgerWith(newLedger(startAt(0)), blocks(1, 30));
    const cut = ledgerCut(ledger, startAt(10));
    const again = ledgerWith(cut, blocks(11, 30));
    expect(again).toEqual(ledger);
    expect(ledgerCut(ledger, startAt(0)).child).toBeNull();
  });

  it("begins anew where the chain goes back below its start", () => {
    const ledger = ledgerProved(ledgerWith(newLedger(startAt(7)), blocks(8, 9)), {
      spent: digits(1),
      minted: 1n,
    });
    expect(ledger.child).toBe(hash(8));
    expect(ledgerCut(ledger, startAt(5))).toEqual(newLedger(startAt(5)));
  });

  it("counts what was proved before its start", () => {
    const begun = ledgerWith(newLedger(startAt(7)), blocks(8, 8));
    const ledger = ledgerProved(begun, { spent: digits(100), minted: 50n });
    const sums = sumsAt(ledger, asChainIndex(8n), modelMultiply);
    expect(sums).toEqual({ spent: digits(108), minted: 55n });
  });
});
