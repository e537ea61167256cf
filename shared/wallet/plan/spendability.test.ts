import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyFacts } from "../reduce/applyFacts.ts";
import { balances } from "./balances.ts";
import { isUnder, spendability } from "./spendability.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";
import { payeeOf, withPlanned } from "../testkit/payments.ts";
import { cursorOf } from "../state/walletState.ts";

const COIN = 100_000_000n;

/** A wallet whose only note is in the first block, with `depth` blocks on top. */
function walletAtDepth(depth: number) {
  const model = new ChainModel();
  model.add({ mined: [5n * COIN] });
  model.addEmpty(depth);
  return applyFacts(freshWallet(), model.page(1), TEST_POLICY);
}

describe("spendability", () => {
  it.each([
    [0, "maturing", 10n],
    [9, "maturing", 1n],
    [10, "spendable", 0n],
    [11, "spendable", 0n],
  ])("of a note %i deep is %s with %i blocks to go", (depth, standing, blocksLeft) => {
    const { notes } = spendability(walletAtDepth(depth), TEST_POLICY);
    expect(notes).toMatchObject([{ standing, blocksLeft, secondsLeft: blocksLeft }]);
  });

  it("takes the newest allowed block as limit and an older one on the grid as preference", () => {
    const model = new ChainModel();
    model.addEmpty(29);
    const view = spendability(applyFacts(freshWallet(), model.page(1), TEST_POLICY), TEST_POLICY);
    expect(view.limit?.blueScore).toBe(19n);
    expect(view.preferred?.blueScore).toBe(16n);
  });

  it("has no anchor on a chain that is too young", () => {
    const model = new ChainModel();
    model.addEmpty(9);
    const view = spendability(applyFacts(freshWallet(), model.page(1), TEST_POLICY), TEST_POLICY);
    expect(view).toMatchObject({ preferred: null, limit: null });
  });

  it("keeps away from anchors that are nearly too old", () => {
    const model = new ChainModel();
    model.add({ mined: [COIN] });
    model.add({ blue: 81n });
    const state = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
    expect(spendability(state, TEST_POLICY).limit).toBeNull();
    const patient = { ...TEST_POLICY, maxAnchorAge: 102n };
    expect(spendability(state, patient).limit?.chainIndex).toBe(1n);
  });

  it("agrees with the leaf count of the anchor, on every chain", () => {
    const block = fc.record({
      mined: fc.array(fc.bigInt({ min: 1n, max: 9n }), { maxLength: 2 }),
      foreignLeaves: fc.nat(3),
      blue: fc.bigInt({ min: 1n, max: 6n }),
    });
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 50 }), (contents) => {
        const model = new ChainModel();
        for (const content of contents) model.add(content);
        const state = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
        const { limit, preferred, notes } = spendability(state, TEST_POLICY);
        const sink = cursorOf(state).blueScore;
        if (limit && preferred) expect(preferred.blueScore).toBeLessThanOrEqual(limit.blueScore);
        for (const { note, standing, blocksLeft } of notes) {
          const under = limit !== null && isUnder(note, limit);
          expect(standing).toBe(under ? "spendable" : "maturing");
          expect(under).toBe(sink - note.blueScore >= TEST_POLICY.anchorDepth);
          expect(blocksLeft === 0n).toBe(under);
        }
      }),
    );
  });
});

describe("balances", () => {
  it("move from spendable to pending without losing a sompi", () => {
    const model = new ChainModel();
    model.add({ mined: [5n * COIN] });
    model.addEmpty(10);
    model.add({ mined: [7n * COIN] });
    const before = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
    const sums = (state: typeof before) => balances(state, spendability(state, TEST_POLICY), []);
    expect(sums(before)).toEqual({
      total: 12n * COIN,
      spendable: 5n * COIN,
      maturing: 7n * COIN,
      returning: 0n,
      pendingIn: 0n,
      pendingOut: 0n,
    });
    const after = withPlanned(before, TEST_POLICY, { id: "p", payees: [payeeOf(2n * COIN)] });
    const fee = 1_855_400n;
    expect(sums(after)).toEqual({
      total: 10n * COIN - fee,
      spendable: 0n,
      maturing: 7n * COIN,
      returning: 3n * COIN - fee,
      pendingIn: 0n,
      pendingOut: 2n * COIN + fee,
    });
  });
});
