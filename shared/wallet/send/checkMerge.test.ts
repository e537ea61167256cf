/** The signer's own look at a merge that nobody confirmed. */
import { describe, expect, it } from "vitest";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { checkMerge } from "./checkMerge.ts";

const [OWN, EVE] = ["0a", "ee"];
const MOST = String(WALLET_LIMITS.mergeBackgroundFee);

function pay(address: string, memo = "") {
  return { address, value: "10", memo };
}

function check(payments: readonly ReturnType<typeof pay>[], fee = MOST): void {
  checkMerge({ payments, fee }, (address) => address === OWN);
}

describe("a merge that nobody confirmed", () => {
  it("pays the wallet itself, within the bound of its fee", () => {
    expect(() => check([pay(OWN)])).not.toThrow();
  });

  it.each([
    ["somebody else", [pay(EVE)], MOST, "signer/unnamed-payee (index=0)"],
    ["somebody beside", [pay(OWN), pay(EVE)], MOST, "signer/unnamed-payee (index=1)"],
    ["a message", [pay(OWN, "6869")], MOST, "signer/memo-differs (index=0)"],
    ["more fee", [pay(OWN)], String(WALLET_LIMITS.mergeBackgroundFee + 1n), "fee-above-maximum"],
  ])("does not carry %s", (_, payments, fee, code) => {
    expect(() => check(payments, fee)).toThrow(code);
  });
});
