import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { asAddressText, asSompi, asTimestampMs, asTxId } from "../base/brand.ts";
import { stableJson } from "../base/stableJson.ts";
import { SvcError } from "../base/svcError.ts";
import { reduceRefund } from "./reduceRefund.ts";
import type { Refund } from "./refund.ts";
import { refundSchema } from "./refundCodec.ts";
import type { RefundInput } from "./refundInput.ts";
import { CLAIM_ENDS_MS, OFFERED_MS, PAYER, refundMoment, testRefund } from "./testkit/refunds.ts";

const OTHER = asAddressText(`svctest:${"o".repeat(79)}`);
const DUE = asTimestampMs(OFFERED_MS + 5_000n);
const TXIDS = [asTxId("ab".repeat(32))];
const POOR = new SvcError("wallet/insufficient-funds", { needed: 1, spendable: 0 }).toJSON();
const LOST = new SvcError("api/unreachable", { url: "http://127.0.0.1:1" }).toJSON();

const CLAIM: RefundInput = { kind: "claim", address: PAYER };
const APPROVE: RefundInput = { kind: "approve", address: PAYER };
const ASK: RefundInput = { kind: "ask", wallet: "w1", maxFee: asSompi(7n) };
const PAID: RefundInput = { kind: "paid", txids: TXIDS, dueMs: DUE };
const REFUSED: RefundInput = { kind: "refused", error: POOR, dueMs: DUE };
const UNANSWERED: RefundInput = { kind: "unanswered", error: LOST, dueMs: DUE, job: null };

/** The refund after these inputs; each that is refused leaves it and adds its code. */
function run(inputs: readonly RefundInput[], start = testRefund(), moment = refundMoment()) {
  const codes: string[] = [];
  let refund: Refund = start;
  for (const input of inputs) {
    try {
      refund = reduceRefund(refund, input, moment);
    } catch (thrown) {
      codes.push(SvcError.from(thrown).code);
    }
  }
  return { refund, codes };
}

describe("a refund", () => {
  it("is claimed, approved, paid and confirmed", () => {
    const { refund, codes } = run([CLAIM, APPROVE, ASK, PAID, { kind: "confirmed" }]);
    expect(codes).toEqual([]);
    expect(refund).toMatchObject({ state: "confirmed", txids: TXIDS, moved: 100n, dueMs: null });
    expect(v.parse(refundSchema, JSON.parse(stableJson(refund)))).toEqual(refund);
  });

  it("takes another address until it is approved, and is approved for that one alone", () => {
    const other: RefundInput = { kind: "claim", address: OTHER };
    const { refund, codes } = run([CLAIM, other, APPROVE]);
    expect([refund.state, refund.address, codes]).toEqual([
      "claimed",
      OTHER,
      ["gateway/refund-address"],
    ]);
    const late = run([CLAIM, APPROVE, other]);
    expect([late.refund.address, late.codes]).toEqual([PAYER, ["gateway/claim-over"]]);
    expect(run([APPROVE]).codes).toEqual(["gateway/refund-state"]);
  });

  it("is cancelled where nobody claims it in time, and not where somebody did", () => {
    const end = refundMoment(CLAIM_ENDS_MS - OFFERED_MS);
    const over = run([CLAIM], testRefund(), end);
    expect(over.codes).toEqual(["gateway/claim-over"]);
    expect(run([{ kind: "look" }], testRefund(), end).refund.state).toBe("cancelled");
    const { refund } = run([CLAIM]);
    const claimed = run([{ kind: "claim", address: OTHER }, APPROVE], refund, end);
    expect([claimed.refund.state, claimed.codes]).toEqual(["approved", ["gateway/claim-over"]]);
  });

  it("is neither approved nor paid where the invoice's payments do not cover it any more", () => {
    const { refund } = run([CLAIM]);
    const short = refundMoment(0n, 99n);
    expect(run([APPROVE], refund, short).codes).toEqual(["gateway/refund-too-large"]);
    const approved = run([APPROVE], refund).refund;
    expect(run([ASK], approved, short).codes).toEqual(["gateway/refund-too-large"]);
    const asked = run([ASK], approved).refund;
    expect(run([ASK], asked, short).codes).toEqual([]);
  });

  it("is cancelled as long as no wallet can have paid it", () => {
    const cancel: RefundInput = { kind: "cancel" };
    expect(run([cancel, cancel]).refund.state).toBe("cancelled");
    expect(run([CLAIM, APPROVE, cancel]).refund).toMatchObject({
      state: "cancelled",
      dueMs: null,
    });
    expect(run([CLAIM, APPROVE, ASK, cancel]).codes).toEqual(["gateway/refund-state"]);
    expect(run([CLAIM, APPROVE, ASK, UNANSWERED, cancel]).codes).toEqual(["gateway/refund-state"]);
    const refused = run([CLAIM, APPROVE, ASK, REFUSED]).refund;
    expect(refused).toMatchObject({ state: "approved", error: POOR, attempt: null, dueMs: DUE });
    expect(run([cancel], refused).refund.state).toBe("cancelled");
    expect(run([cancel, PAID], run([CLAIM, APPROVE, ASK, PAID]).refund).refund.state).toBe("sent");
  });

  it("may have been paid by a question without an answer, whatever a later one is answered", () => {
    const { refund, codes } = run([CLAIM, APPROVE, ASK, UNANSWERED, ASK, REFUSED]);
    expect(codes).toEqual([]);
    expect(refund.attempt).toEqual({ wallet: "w1", isOpen: true, job: null });
    expect(run([{ kind: "cancel" }], refund).codes).toEqual(["gateway/refund-state"]);
    // A crash between question and answer leaves no word of it.
    expect(run([CLAIM, APPROVE, ASK, ASK, REFUSED]).refund.attempt?.isOpen).toBe(true);
  });

  it("is asked of one wallet with one bound of the fee, until that has said no", () => {
    const other: RefundInput = { kind: "ask", wallet: "w2", maxFee: asSompi(9n) };
    const { refund, codes } = run([CLAIM, APPROVE, ASK, other]);
    expect(codes).toEqual(["gateway/payout-wallet"]);
    expect(refund.attempt?.wallet).toBe("w1");
    const again = run([CLAIM, APPROVE, ASK, REFUSED, other]).refund;
    expect([again.attempt?.wallet, again.maxFee]).toEqual(["w2", 7n]);
  });

  it("waits for the wallet's owner without a question that is open", () => {
    const held: RefundInput = { ...UNANSWERED, job: "j1" };
    const { refund } = run([CLAIM, APPROVE, ASK, held]);
    expect(refund.attempt).toEqual({ wallet: "w1", isOpen: false, job: "j1" });
    expect(run([ASK], refund).refund.attempt).toEqual({ wallet: "w1", isOpen: false, job: null });
  });

  it("fails with what had moved until then", () => {
    const failed: RefundInput = { kind: "failed", error: LOST, moved: asSompi(40n), txids: TXIDS };
    const { refund } = run([CLAIM, APPROVE, ASK, failed, { kind: "cancel" }]);
    expect(refund).toMatchObject({ state: "failed", moved: 40n, txids: TXIDS, dueMs: null });
  });

  it("is the same after an answer that came already", () => {
    const { refund } = run([CLAIM, APPROVE, ASK, PAID]);
    expect(run([PAID, REFUSED], refund).refund).toMatchObject({ state: "sent", moved: 100n });
    const done = run([{ kind: "confirmed" }], refund).refund;
    expect(run([PAID, { kind: "confirmed" }, REFUSED], done).refund).toBe(done);
  });
});
