/** The signer's own comparison of a transaction with the whole that was confirmed. */
import { describe, expect, it } from "vitest";
import type { IntendedPart, WholeIntent } from "../state/provePlan.ts";
import { checkPart } from "./checkPart.ts";

const [ANN, BEN, EVE] = ["aa", "bb", "ee"];

function pay(address: string, value: number, memo = "") {
  return { address, value: String(value), memo };
}

function part(fee: number, ...payments: IntendedPart["payments"]): IntendedPart {
  return { fee: String(fee), payments };
}

const whole: WholeIntent = {
  payments: [pay(ANN, 100, "6869"), pay(BEN, 50)],
  maxFee: "30",
  signed: [],
};
const later: WholeIntent = { ...whole, signed: [part(10, pay(ANN, 60, "6869"))] };

describe("a transaction of a confirmed payment", () => {
  it.each([
    ["the first in part", whole, part(10, pay(ANN, 60, "6869"))],
    ["all of it", whole, part(30, pay(ANN, 100, "6869"), pay(BEN, 50))],
    ["the rest, whose memo has gone", later, part(20, pay(ANN, 40), pay(BEN, 50))],
    ["a part of the rest", later, part(1, pay(ANN, 40), pay(BEN, 1))],
  ])("may pay %s", (_, confirmed, next) => {
    expect(() => checkPart(confirmed, next)).not.toThrow();
  });

  it.each([
    ["somebody else", whole, part(1, pay(EVE, 10)), "signer/unnamed-payee (index=0)"],
    [
      "somebody beside",
      later,
      part(1, pay(ANN, 40), pay(EVE, 1)),
      "signer/unnamed-payee (index=1)",
    ],
    ["one out of turn", whole, part(1, pay(BEN, 50)), "signer/unnamed-payee (index=0)"],
    ["one twice", later, part(1, pay(ANN, 100)), "signer/amount-differs"],
    ["more than is left", later, part(1, pay(ANN, 41)), "signer/amount-differs"],
    ["nothing", later, part(1, pay(ANN, 0)), "signer/amount-differs"],
    [
      "one in part and the next",
      whole,
      part(1, pay(ANN, 9, "6869"), pay(BEN, 50)),
      "signer/amount-differs",
    ],
    ["with another memo", whole, part(1, pay(ANN, 100, "6161")), "signer/memo-differs"],
    ["with the memo again", later, part(1, pay(ANN, 40, "6869")), "signer/memo-differs"],
    ["more fee than is left", later, part(21, pay(ANN, 40)), "signer/fee-above-maximum"],
  ])("does not pay %s", (_, confirmed, next, code) => {
    expect(() => checkPart(confirmed, next)).toThrow(code);
  });

  it("pays nobody when all is paid", () => {
    const paid = { ...whole, signed: [part(10, pay(ANN, 100, "6869"), pay(BEN, 50))] };
    expect(() => checkPart(paid, part(1, pay(BEN, 1)))).toThrow("signer/unnamed-payee");
  });
});
