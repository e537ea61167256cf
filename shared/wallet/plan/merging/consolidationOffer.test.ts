/** When a consolidation is offered, what it takes, and that the planner of payments makes just that of it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asSompi } from "../../../base/brand.ts";
import { walletFee } from "../../state/fee.ts";
import { paymentAmount } from "../../state/payment.ts";
import { OWN_ADDRESS, TEST_POLICY } from "../../testkit/chainModel.ts";
import { payeeOf } from "../../testkit/payments.ts";
import { walletOfOneBlock, walletWith } from "../../testkit/walletWith.ts";
import { WALLET_LIMITS } from "../../walletLimits.ts";
import { consolidationOffer } from "./consolidationOffer.ts";
import { planWhole } from "../reviewPayment.ts";

const COIN = 100_000_000n;
const POLICY = { ...TEST_POLICY, maxSpends: 38 };

function walletOf(count: number, value = COIN) {
  return walletOfOneBlock(Array.from({ length: count }, () => value));
}

describe("the offer of a consolidation", () => {
  it("is made where a payment of everything takes several transactions, and not before", () => {
    expect(consolidationOffer(walletOf(38), POLICY)).toBeNull();
    expect(consolidationOffer(walletOf(39), POLICY)).not.toBeNull();
  });

  it("says how many notes, in how many transactions, what it costs, brings and for how long", () => {
    const fee = 5n * walletFee(38) + walletFee(10);
    expect(consolidationOffer(walletOf(200), POLICY)).toEqual({
      merge: { notes: 200, transactions: 6, amount: 200n * COIN - fee, fee },
      now: { notes: 200, transactions: 6, amount: 200n * COIN - fee, fee },
      after: { notes: 6, transactions: 1, fee: walletFee(6) },
      seconds: 10n,
    });
  });

  it("leaves the rest of very many notes for the next one", () => {
    const offer = consolidationOffer(walletOf(1_000), POLICY);
    expect(offer?.merge).toMatchObject({
      notes: 12 * 38,
      transactions: WALLET_LIMITS.mergeTransactionsMax,
    });
    expect(offer?.after).toMatchObject({ notes: 1_000 - 12 * 38 + 12, transactions: 15 });
  });

  it("is not made of notes that are not worth it", () => {
    // A merge of 38 costs 24,578,600 sompi: a hundredth of what it merges, and no more.
    const least = (100n * walletFee(38)) / 38n + 1n;
    expect(consolidationOffer(walletOf(76, least), POLICY)).not.toBeNull();
    expect(consolidationOffer(walletOf(76, least - 1_000n), POLICY)).toBeNull();
  });

  it("counts nothing that matures, and no dust", () => {
    const young = Array.from({ length: 60 }, () => COIN);
    expect(consolidationOffer(walletWith([COIN, COIN], young), POLICY)).toBeNull();
    const dust = Array.from({ length: 60 }, () => 1n);
    expect(consolidationOffer(walletWith([COIN, COIN, ...dust]), POLICY)).toBeNull();
  });

  it("is what the planner of payments makes of it: so many full transactions to oneself, without change", () => {
    const notes = fc.array(fc.bigInt({ min: COIN / 50n, max: 3n * COIN }), {
      minLength: 11,
      maxLength: 140,
    });
    fc.assert(
      fc.property(notes, fc.constantFrom(3, 10, 38), (values, maxSpends) => {
        const policy = { ...TEST_POLICY, maxSpends };
        const wallet = walletOfOneBlock(values);
        const offer = consolidationOffer(wallet, policy);
        if (offer === null) return;
        const { merge, now, after } = offer;
        const own = payeeOf(merge.amount, { recipient: OWN_ADDRESS });
        const planned = planWhole(wallet, policy, { payees: [own], repeated: [] });
        expect(planned).toHaveLength(merge.transactions);
        expect(planned.flatMap((one) => one.notes)).toHaveLength(merge.notes);
        expect(planned.reduce((sum, { fee }) => sum + fee, 0n)).toBe(merge.fee);
        expect(planned.reduce((sum, one) => sum + paymentAmount(one), 0n)).toBe(merge.amount);
        expect(planned.every(({ change }) => change === asSompi(0n))).toBe(true);
        expect(after.notes).toBeLessThan(now.notes);
        expect(after.transactions).toBeLessThanOrEqual(now.transactions);
      }),
      { seed: 5_301, numRuns: 60 },
    );
  });
});
