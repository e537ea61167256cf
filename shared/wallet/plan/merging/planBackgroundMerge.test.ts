/** When a wallet may merge notes that nobody was asked about, and which. */
import { describe, expect, it } from "vitest";
import { asAddressText } from "../../../base/brand.ts";
import { walletFee } from "../../state/fee.ts";
import { sumOfNotes, type WalletState } from "../../state/walletState.ts";
import { OWN_ADDRESS, TEST_POLICY } from "../../testkit/chainModel.ts";
import { payeeOf, withPlanned } from "../../testkit/payments.ts";
import { walletOfOneBlock } from "../../testkit/walletWith.ts";
import { WALLET_LIMITS } from "../../walletLimits.ts";
import { planBackgroundMerge } from "./planBackgroundMerge.ts";

const COIN = 100_000_000n;
const POLICY = { ...TEST_POLICY, maxSpends: 38 };
const ABOVE = WALLET_LIMITS.mergeBackgroundAbove;

function walletOf(count: number, value = COIN): WalletState {
  return walletOfOneBlock(Array.from({ length: count }, () => value));
}

function merge(state: WalletState) {
  return planBackgroundMerge(state, POLICY, asAddressText("test:own"));
}

describe("a merge in the background", () => {
  it("is due above so many notes, and not before", () => {
    expect(merge(walletOf(ABOVE))).toBeNull();
    expect(merge(walletOf(ABOVE + 1))?.notes).toHaveLength(38);
  });

  it("takes the smallest notes, pays address 0 and costs no more than its bound", () => {
    const large = Array.from({ length: 20 }, () => 9n * COIN);
    const values = [...large, ...Array.from({ length: 40 }, () => COIN)];
    const planned = merge(walletOfOneBlock(values));
    expect(new Set(planned?.notes.map(({ value }) => value))).toEqual(new Set([COIN]));
    expect(planned?.payees).toMatchObject([{ recipient: OWN_ADDRESS, own: true, memo: "" }]);
    expect(planned).toMatchObject({ fee: walletFee(38), change: 0n });
    expect(walletFee(38)).toBeLessThanOrEqual(WALLET_LIMITS.mergeBackgroundFee);
  });

  it("passes over dust, and is not made of dust alone", () => {
    const dust = Array.from({ length: 60 }, () => COIN / 100n);
    expect(merge(walletOfOneBlock(dust))).toBeNull();
    const coins = Array.from({ length: 30 }, () => COIN);
    const planned = merge(walletOfOneBlock([...dust, ...coins]));
    expect(sumOfNotes(planned?.notes ?? [])).toBeGreaterThanOrEqual(100n * walletFee(38));
  });

  it("waits while a payment is under way", () => {
    const payees = [payeeOf(COIN / 2n)];
    const paying = withPlanned(walletOf(90), POLICY, { id: "one", payees });
    expect(merge(paying)).toBeNull();
  });
});
