import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asDaaScore, asNullifier, asSompi, asTxId } from "@svc/shared/base/brand.ts";
import { compareEntries, normalizedMass, type PoolEntry } from "./poolEntry.ts";
import { PoolIndex } from "./poolIndex.ts";
import { selectForTemplate } from "./selectForTemplate.ts";

const MASS = { compute: 500_000n, transient: 1_000_000n };
const hex = (n: number): string => n.toString(16).padStart(64, "0");

function entry(n: number, over: Partial<PoolEntry> = {}): PoolEntry {
  return {
    txid: asTxId(hex(n)),
    raw: new Uint8Array(100),
    format: 1,
    fee: asSompi(1_000_000n),
    computeMass: 11_000n,
    transientMass: 36_000n,
    size: 9_000,
    nullifiers: [asNullifier(hex(n * 2)), asNullifier(hex(n * 2 + 1))],
    anchorBlock: null,
    anchorBlueScore: null,
    addedAtDaa: asDaaScore(BigInt(n)),
    sequence: n,
    ...over,
  };
}

const pool = (transactions = 1000, bytes = 1_000_000): PoolIndex =>
  new PoolIndex({ transactions, bytes, mass: MASS });

describe("pool index", () => {
  test("a spent nullifier keeps out every other spender, whatever it pays", () => {
    const index = pool();
    index.add(entry(1));
    const rival = entry(9, { nullifiers: [asNullifier(hex(3))], fee: asSompi(10n ** 15n) });
    expect(() => index.add(rival)).toThrow("mempool/nullifier-conflict");
    expect(() => index.add(entry(1))).toThrow("mempool/duplicate");
    index.remove(asTxId(hex(1)));
    expect(index.add(rival)).toEqual([]);
    expect(index.ownerOf(asNullifier(hex(3)))).toBe(rival.txid);
    expect(index.ownerOf(asNullifier(hex(2)))).toBeUndefined();
  });

  test("a full pool lets the worst fee rates give way, never to an equal one", () => {
    const index = pool(2);
    index.add(entry(1, { fee: asSompi(100n) }));
    index.add(entry(2, { fee: asSompi(200n) }));
    expect(() => index.add(entry(3, { fee: asSompi(100n) }))).toThrow("mempool/full");
    const evicted = index.add(entry(4, { fee: asSompi(150n) }));
    expect(evicted.map((gone) => gone.txid)).toEqual([asTxId(hex(1))]);
    expect(index.size).toBe(2);
  });

  test("bytes bound the pool too: one large transaction pushes out several", () => {
    const index = pool(1000, 1000);
    for (let n = 1; n <= 10; n += 1) index.add(entry(n, { fee: asSompi(BigInt(n)) }));
    const large = entry(20, { raw: new Uint8Array(350), fee: asSompi(1000n) });
    expect(index.add(large).map((gone) => gone.sequence)).toEqual([1, 2, 3, 4]);
    expect(index.bytes).toBe(950);
  });

  test("fee rates compare exactly, by the larger of both masses", () => {
    const a = entry(1, { fee: asSompi(10n ** 17n), computeMass: 3n, transientMass: 0n });
    const b = entry(2, { fee: asSompi(10n ** 17n + 1n), computeMass: 3n, transientMass: 0n });
    expect(compareEntries(b, a, MASS)).toBeLessThan(0);
    expect(normalizedMass(entry(1, { computeMass: 5n, transientMass: 11n }), MASS)).toBe(6n);
  });

  test("any history keeps the invariants", () => {
    const operation = fc.oneof(
      fc.record({
        add: fc.nat(40),
        fee: fc.bigInt(0n, 500n),
        bytes: fc.integer({ min: 1, max: 300 }),
        spends: fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 3 }),
      }),
      fc.record({ remove: fc.nat(40) }),
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 80 }), (operations) => {
        const index = pool(8, 1200);
        let sequence = 0;
        for (const step of operations) {
          if ("remove" in step) {
            index.remove(asTxId(hex(step.remove)));
          } else {
            sequence += 1;
            const added = entry(step.add, {
              fee: asSompi(step.fee),
              raw: new Uint8Array(step.bytes),
              nullifiers: step.spends.map((n) => asNullifier(hex(n))),
              sequence,
            });
            try {
              index.add(added);
            } catch (error) {
              expect(String(error)).toMatch(/mempool\/(duplicate|nullifier-conflict|full)/);
            }
          }
          checkInvariants(index);
        }
      }),
    );
  });
});

function checkInvariants(index: PoolIndex): void {
  const entries = [...index.entries()];
  expect(index.size).toBe(entries.length);
  expect(index.size).toBeLessThanOrEqual(8);
  expect(index.bytes).toBe(entries.reduce((sum, { raw }) => sum + raw.length, 0));
  expect(index.bytes).toBeLessThanOrEqual(1200);
  expect(index.byRate()).toEqual(entries.toSorted((a, b) => compareEntries(a, b, MASS)));
  const spent = entries.flatMap(({ nullifiers }) => nullifiers);
  expect(new Set(spent).size).toBe(spent.length);
  for (const { txid, nullifiers } of entries) {
    for (const nullifier of nullifiers) expect(index.ownerOf(nullifier)).toBe(txid);
  }
}

describe("selection for a template", () => {
  const large = { computeMass: 240_000n, transientMass: 480_000n };

  test("takes the best that fit, fills the rest with smaller ones, skips what is held", () => {
    const entries = [entry(1, large), entry(2, large), entry(3, large), entry(5, large), entry(4)];
    const held = new Set([asTxId(hex(1))]);
    const chosen = selectForTemplate(entries, MASS, held).map(({ sequence }) => sequence);
    expect(chosen).toEqual([2, 3, 4]);
    expect(selectForTemplate(entries.slice(0, 1), MASS, held)).toEqual([]);
  });

  test("never exceeds either mass", () => {
    const masses = fc.record({
      computeMass: fc.bigInt(100n, 500_000n),
      transientMass: fc.bigInt(400n, 1_000_000n),
    });
    fc.assert(
      fc.property(fc.array(masses, { maxLength: 60 }), (list) => {
        const chosen = selectForTemplate(
          list.map((mass, n) => entry(n, mass)),
          MASS,
          new Set(),
        );
        const sum = (of: (chosenEntry: PoolEntry) => bigint): bigint =>
          chosen.reduce((total, each) => total + of(each), 0n);
        expect(sum((each) => each.computeMass)).toBeLessThanOrEqual(MASS.compute);
        expect(sum((each) => each.transientMass)).toBeLessThanOrEqual(MASS.transient);
        if (list.length > 0) expect(chosen.length).toBeGreaterThan(0);
      }),
    );
  });
});
