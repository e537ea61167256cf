import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyFacts } from "../reduce/applyFacts.ts";
import { actionCount, walletFee } from "../state/fee.ts";
import { maxSendableTransfer } from "./maxSendableTransfer.ts";
import { planPayment } from "./planner.ts";
import { planTransfer } from "./planTransfer.ts";
import { isUnder, spendability } from "./spendability.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";
import { walletOfOneBlock, walletWith } from "../testkit/walletWith.ts";
import { advance, eventsToMempool, payeeOf, withPlanned } from "../testkit/payments.ts";
import { asSompi } from "../../base/brand.ts";
import { sumOfNotes, type WalletState } from "../state/walletState.ts";

const COIN = 100_000_000n;
const FEE = walletFee(2);

const plan = (state: WalletState, ...amounts: readonly bigint[]) =>
  planPayment(
    state,
    TEST_POLICY,
    amounts.map((amount) => payeeOf(amount)),
  );

describe("planPayment", () => {
  it("takes the smallest note that is enough", () => {
    const made = plan(walletWith([50n * COIN, 3n * COIN, 20n * COIN]), 10n * COIN);
    expect(made.notes.map(({ value }) => value)).toEqual([20n * COIN]);
    expect(made).toMatchObject({ fee: FEE, change: 10n * COIN - FEE });
  });

  it("takes the largest notes first when none is enough", () => {
    const made = plan(walletWith([5n * COIN, 9n * COIN, 7n * COIN]), 15n * COIN);
    expect(made.notes.map(({ value }) => value)).toEqual([9n * COIN, 7n * COIN]);
    expect(made.fee).toBe(walletFee(2));
  });

  it("of equal notes takes the older", () => {
    const made = plan(walletWith([5n * COIN, 5n * COIN]), COIN);
    expect(made.notes.map(({ position }) => position)).toEqual([0n]);
  });

  it("makes no change output when nothing is left", () => {
    const made = plan(walletWith([COIN + FEE]), COIN);
    expect(made).toMatchObject({ fee: FEE, change: 0n });
  });

  it("counts payees and change as actions", () => {
    const made = plan(walletWith([50n * COIN]), COIN, COIN, COIN);
    expect(made.fee).toBe(walletFee(4));
    expect(made.change).toBe(47n * COIN - walletFee(4));
  });

  it("does not give a rest away as fee that is too small for its own change", () => {
    const rest = walletFee(3) + 1n;
    expect(() => plan(walletWith([3n * COIN + rest]), COIN, COIN, COIN)).toThrow(
      "wallet/insufficient-funds",
    );
  });

  it("prefers the shared anchor and goes beyond it only when it must", () => {
    const model = new ChainModel();
    model.add({ mined: [5n * COIN] });
    model.addEmpty(16);
    model.add({ mined: [9n * COIN] });
    model.addEmpty(11);
    const state = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
    const { preferred, limit } = spendability(state, TEST_POLICY);
    expect([preferred?.blueScore, limit?.blueScore]).toEqual([16n, 19n]);
    expect(planPayment(state, TEST_POLICY, [payeeOf(COIN)]).anchor).toEqual(preferred);
    expect(planPayment(state, TEST_POLICY, [payeeOf(8n * COIN)]).anchor).toEqual(limit);
  });

  it("pays a fee floor, but never less than the size demands", () => {
    const wallet = walletWith([5n * COIN]);
    const planned = (floor: bigint) =>
      planPayment(wallet, TEST_POLICY, [payeeOf(COIN)], { feeFloor: asSompi(floor) });
    expect(planned(0n)).toEqual(plan(wallet, COIN));
    expect(planned(FEE - 1n).fee).toBe(FEE);
    expect(planned(FEE + 1n)).toMatchObject({ fee: FEE + 1n, change: 4n * COIN - FEE - 1n });
    expect(() => planned(4n * COIN + 1n)).toThrow(
      "wallet/insufficient-funds (needed=5.00000001, spendable=5)",
    );
    const most = maxSendableTransfer(wallet, TEST_POLICY, asSompi(COIN));
    expect(most).toMatchObject({ amount: 4n * COIN });
  });

  it("says what a payment lacks in a wallet of very many notes", () => {
    const wallet = walletOfOneBlock(Array.from({ length: 20_000 }, () => COIN));
    expect(() => plan(wallet, 19_000n * COIN)).toThrow("wallet/too-many-notes (count=");
    expect(() => plan(wallet, 20_000n * COIN)).toThrow("wallet/insufficient-funds");
  });

  it("never plans more than it has, and spends exactly what it says", () => {
    const values = fc.array(fc.bigInt({ min: 1n, max: 30n * COIN }), { maxLength: 14 });
    const amount = fc.bigInt({ min: 1n, max: 120n * COIN });
    fc.assert(
      fc.property(values, fc.array(amount, { minLength: 1, maxLength: 4 }), (notes, amounts) => {
        const state = walletWith(notes);
        let made;
        try {
          made = plan(state, ...amounts);
        } catch (error) {
          expect(String(error)).toMatch(/wallet\/(insufficient-funds|too-many-notes)/);
          return;
        }
        const paid = amounts.reduce((sum, value) => sum + value, 0n);
        expect(sumOfNotes(made.notes)).toBe(paid + made.fee + made.change);
        const outputs = amounts.length + (made.change > 0n ? 1 : 0);
        expect(made.fee).toBe(walletFee(actionCount(made.notes.length, outputs)));
        expect(made.notes.length).toBeLessThanOrEqual(TEST_POLICY.maxSpends);
        expect(new Set(made.notes).size).toBe(made.notes.length);
        for (const note of made.notes) expect(isUnder(note, made.anchor)).toBe(true);
      }),
    );
  });

  it("can send the maximum and not a sompi more", () => {
    const values = fc.array(fc.bigInt({ min: 1n, max: 3n * COIN }), { maxLength: 14 });
    fc.assert(
      fc.property(values, (notes) => {
        const state = walletWith(notes);
        const feeFloor = asSompi(0n);
        const most = maxSendableTransfer(state, TEST_POLICY, feeFloor);
        const all = (amount: bigint) =>
          planTransfer(state, TEST_POLICY, { payees: [payeeOf(amount)], feeFloor, mode: "many" });
        if (most.amount > 0n) {
          const made = all(most.amount);
          expect(made).toHaveLength(most.transactions);
          expect(made.reduce((sum, { fee }) => sum + fee, 0n)).toBe(most.fee);
        }
        expect(() => all(most.amount + 1n)).toThrow(/^wallet\//);
      }),
    );
  });
});

describe("a payment that cannot be made", () => {
  it("is refused for lack of money", () => {
    expect(() => plan(walletWith([COIN]), COIN)).toThrow(
      "wallet/insufficient-funds (needed=1.018554, spendable=1)",
    );
    expect(() => plan(freshWallet(), COIN)).toThrow("wallet/insufficient-funds");
  });

  it("is refused while the money matures", () => {
    expect(() => plan(walletWith([COIN], [9n * COIN]), 2n * COIN)).toThrow(
      "wallet/funds-maturing (needed=2.018554, spendable=1, maturing=9)",
    );
  });

  it("is refused when it takes too many notes", () => {
    const state = walletWith(Array.from({ length: 12 }, () => COIN));
    expect(() => plan(state, 11n * COIN)).toThrow("wallet/too-many-notes (count=12, max=10)");
  });

  it("is refused for too many payees", () => {
    const payees = Array.from({ length: 38 }, () => COIN);
    expect(() => plan(walletWith([50n * COIN]), ...payees)).toThrow(
      "wallet/too-many-payees (count=38, max=37)",
    );
  });

  it("is refused when it pays nothing to nobody", () => {
    expect(() => plan(walletWith([COIN]))).toThrow("amount/zero");
  });

  it("waits for the change of the payment before it", () => {
    const payment = { id: "p", payees: [payeeOf(COIN)] };
    let state = withPlanned(walletWith([9n * COIN]), TEST_POLICY, payment);
    state = advance(state, "p", eventsToMempool(new ChainModel().txid()));
    expect(() => plan(state, 2n * COIN)).toThrow("wallet/payment-pending");
    expect(() => plan(state, 20n * COIN)).toThrow("wallet/insufficient-funds");
  });
});
