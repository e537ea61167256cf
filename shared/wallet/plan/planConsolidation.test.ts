import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asAddressText, asSompi } from "../../base/brand.ts";
import { walletFee } from "../state/fee.ts";
import { sumOfNotes, type WalletState } from "../state/walletState.ts";
import { OWN_ADDRESS, TEST_POLICY } from "../testkit/chainModel.ts";
import { walletWith } from "../testkit/walletWith.ts";
import { planConsolidation } from "./planConsolidation.ts";
import { isUnder } from "./spendability.ts";

const COIN = 100_000_000n;
const POLICY = { ...TEST_POLICY, maxSpends: 38 };

function merge(
  state: WalletState,
  order: "smallest" | "oldest" = "smallest",
  floor = 0n,
  policy = POLICY,
) {
  const address = asAddressText("test:own");
  return planConsolidation(state, policy, { address, feeFloor: asSompi(floor), order });
}

describe("planConsolidation", () => {
  it("merges the smallest notes to address 0", () => {
    const made = merge(walletWith([5n * COIN, COIN, 3n * COIN]), "smallest", 0n, {
      ...POLICY,
      maxSpends: 2,
    });
    expect(made.notes.map(({ value }) => value)).toEqual([COIN, 3n * COIN]);
    expect(made).toMatchObject({ fee: walletFee(2), change: 0n });
    expect(made.payees).toMatchObject([
      { recipient: OWN_ADDRESS, value: 4n * COIN - walletFee(2), memo: "", own: true },
    ]);
  });

  it("merges the oldest notes where the tree is to be healed", () => {
    const wallet = walletWith([5n * COIN, COIN, 3n * COIN]);
    const made = merge(wallet, "oldest", 0n, { ...POLICY, maxSpends: 2 });
    expect(made.notes.map(({ position }) => position)).toEqual([0n, 2n]);
  });

  it("pays what so many actions cost, or the floor", () => {
    const wallet = walletWith(Array.from({ length: 50 }, () => COIN));
    expect(merge(wallet)).toMatchObject({ fee: walletFee(38), notes: { length: 38 } });
    expect(merge(wallet, "smallest", COIN).fee).toBe(COIN);
  });

  it("passes over dust that is not worth its merge", () => {
    const dust = Array.from({ length: 40 }, () => 1n);
    const made = merge(walletWith([...dust, COIN, COIN]));
    expect(made.notes).toHaveLength(38);
    expect(sumOfNotes(made.notes)).toBe(COIN + 37n);
  });

  it("refuses fewer than two notes that can be spent", () => {
    expect(() => merge(walletWith([]))).toThrow(
      "wallet/nothing-to-consolidate (notes=0, sum=0, fee=0.018554)",
    );
    expect(() => merge(walletWith([COIN], [COIN]))).toThrow(
      "wallet/nothing-to-consolidate (notes=1, sum=1, fee=0.018554)",
    );
  });

  it("refuses notes that are worth no more than the fee", () => {
    const half = walletFee(2) / 2n;
    expect(() => merge(walletWith([half, half]))).toThrow(
      "wallet/nothing-to-consolidate (notes=2, sum=0.018554, fee=0.018554)",
    );
    expect(merge(walletWith([half, half + 1n])).payees).toMatchObject([{ value: 1n }]);
  });

  it("adds up, whatever the notes", () => {
    const notes = fc.array(fc.bigInt({ min: 1n, max: COIN }), { maxLength: 60 });
    fc.assert(
      fc.property(notes, fc.constantFrom("smallest", "oldest"), (values, order) => {
        let made;
        try {
          made = merge(walletWith(values), order);
        } catch (error) {
          expect(String(error)).toContain("wallet/nothing-to-consolidate");
          return;
        }
        expect(sumOfNotes(made.notes)).toBe((made.payees[0]?.value ?? 0n) + made.fee);
        expect(made.fee).toBe(walletFee(made.notes.length));
        expect(new Set(made.notes).size).toBe(made.notes.length);
        expect(made.notes.length).toBeGreaterThan(1);
        expect(made.notes.every((note) => isUnder(note, made.anchor))).toBe(true);
      }),
      { seed: 1_908 },
    );
  });
});
