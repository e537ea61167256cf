/** The keyring compares each transaction of a payment with what was confirmed, before anything else. */
import { expect, test } from "vitest";
import { Keyring } from "./keyring.ts";

const nothing = { bundle: new Uint8Array(), disclosure: "[]", alphas: "[]" };
const [ANN, EVE] = ["aa", "ee"];

/** An intent of one payment of ten to this address, of a whole of fifteen to the first. */
function intentTo(address: string, value = "10") {
  const payments = [{ address: ANN, value: "15", memo: "" }];
  const whole = { payments, maxFee: "5", signed: [] };
  const part = { payments: [{ address, value, memo: "" }], fee: "5" };
  return { profile: {}, daaScore: "1", ...part, recoverable: false, whole };
}

test("a transaction that the whole does not hold is never signed", () => {
  const { forWallet } = new Keyring(null, () => 0);
  expect(() => forWallet.sign(intentTo(EVE), nothing)).toThrow("signer/unnamed-payee");
  expect(() => forWallet.sign(intentTo(ANN, "16"), nothing)).toThrow("signer/amount-differs");
});

test("one that it holds is signed by an open keyring alone", () => {
  const { forWallet } = new Keyring(null, () => 0);
  expect(() => forWallet.sign(intentTo(ANN), nothing)).toThrow("wallet/locked");
});
