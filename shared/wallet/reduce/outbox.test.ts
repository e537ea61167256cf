import { describe, expect, it } from "vitest";
import { asTimestampMs } from "../../base/brand.ts";
import type { ErrorJson } from "../../base/svcError.ts";
import { applyFacts } from "./applyFacts.ts";
import { duePayments, meansTaken, paymentOf, resumeOutbox, type PaymentEvent } from "./outbox.ts";
import { holdsNotes } from "../state/payment.ts";
import { planPayment } from "../plan/planner.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";
import { advance, eventsToMempool, payeeOf, withPlanned } from "../testkit/payments.ts";

const COIN = 100_000_000n;
const busy: ErrorJson = { code: "mempool/full", data: {} };
const forged: ErrorJson = { code: "tx/invalid-proof", data: {} };

function planned() {
  const model = new ChainModel();
  model.add({ mined: [5n * COIN] });
  model.addEmpty(10);
  const scanned = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
  const payment = { id: "p", payees: [payeeOf(COIN)] };
  return { model, state: withPlanned(scanned, TEST_POLICY, payment) };
}

const attempt = (nowMs: bigint): PaymentEvent => ({
  type: "attempt",
  nowMs: asTimestampMs(nowMs),
});

describe("a payment", () => {
  it("reserves its notes from the plan on", () => {
    const { state } = planned();
    expect(() => planPayment(state, TEST_POLICY, [payeeOf(COIN)])).toThrow(/^wallet\//);
  });

  it.each(["planned", "proving", "signing", "signed"])("can be cancelled when %s", (stage) => {
    const { model, state } = planned();
    const steps = ["planned", "proving", "signing", "signed"].indexOf(stage);
    let next = advance(state, "p", eventsToMempool(model.txid()).slice(0, steps));
    expect(paymentOf(next, "p").status.state).toBe(stage);
    next = advance(next, "p", [{ type: "cancel" }]);
    expect(paymentOf(next, "p")).toMatchObject({ raw: null, status: { state: "cancelled" } });
    expect(planPayment(next, TEST_POLICY, [payeeOf(COIN)]).notes).toHaveLength(1);
  });

  it("cannot be cancelled once it was sent", () => {
    const { model, state } = planned();
    const sent = advance(state, "p", eventsToMempool(model.txid()));
    expect(() => advance(sent, "p", [{ type: "cancel" }])).toThrow("wallet/payment-pending");
  });

  it("does not jump", () => {
    const { state } = planned();
    expect(() => advance(state, "p", [{ type: "sign" }])).toThrow("internal/unexpected");
    expect(() => advance(state, "other", [{ type: "prove" }])).toThrow("internal/unexpected");
  });

  it("keeps its bytes and notes when a node refuses it for now", () => {
    const { model, state } = planned();
    const events = [...eventsToMempool(model.txid()), { type: "refused", error: busy } as const];
    const payment = paymentOf(advance(state, "p", events), "p");
    expect(payment).toMatchObject({
      raw: "00",
      status: { state: "broadcasting", lastError: busy },
    });
    expect(holdsNotes(payment)).toBe(true);
  });

  it("keeps the notes of a refused payment, whose bytes were out", () => {
    const { model, state } = planned();
    const events = [...eventsToMempool(model.txid()), { type: "refused", error: forged } as const];
    const payment = paymentOf(advance(state, "p", events), "p");
    expect(payment.status).toEqual({ state: "failed", error: forged });
    expect(holdsNotes(payment)).toBe(true);
  });

  it("knows the answers that mean success", () => {
    expect(meansTaken({ code: "mempool/duplicate", data: {} })).toBe(true);
    expect(meansTaken({ code: "mempool/already-applied", data: {} })).toBe(true);
    expect(meansTaken(busy)).toBe(false);
  });

  it("becomes a draft again when the program stopped while it was made", () => {
    const { model, state } = planned();
    const events = eventsToMempool(model.txid());
    for (const steps of [0, 1, 2]) {
      const payment = paymentOf(resumeOutbox(advance(state, "p", events.slice(0, steps))), "p");
      expect(payment).toMatchObject({ reserved: [], status: { state: "draft" } });
    }
    const signed = advance(state, "p", events.slice(0, 3));
    expect(resumeOutbox(signed)).toBe(signed);
  });
});

describe("resubmission", () => {
  it("waits longer after each refusal", () => {
    const { model, state } = planned();
    const due = (from: typeof state, nowMs: bigint) =>
      duePayments(from, asTimestampMs(nowMs)).length;
    let next = advance(state, "p", eventsToMempool(model.txid()).slice(0, 3));
    expect(due(next, 0n)).toBe(1);
    for (const pause of [500n, 1_000n, 2_000n, 4_000n, 8_000n, 16_000n, 30_000n, 30_000n]) {
      next = advance(next, "p", [attempt(1_000n), { type: "refused", error: busy }]);
      expect(due(next, 1_000n + pause - 1n)).toBe(0);
      expect(due(next, 1_000n + pause)).toBe(1);
    }
  });

  it("repeats what sits unconfirmed for a minute", () => {
    const { model, state } = planned();
    const next = advance(state, "p", eventsToMempool(model.txid()));
    expect(duePayments(next, asTimestampMs(60_000n))).toHaveLength(0);
    expect(duePayments(next, asTimestampMs(60_001n))).toHaveLength(1);
  });
});

describe("the chain", () => {
  function sent() {
    const { model, state } = planned();
    const txid = model.txid();
    const [note] = state.notes;
    if (note === undefined) throw new Error("no note");
    return { model, txid, note, state: advance(state, "p", eventsToMempool(txid)) };
  }

  it("accepts and settles", () => {
    const { model, txid, note, state } = sent();
    model.add({ txs: [{ txid, spends: [note.nullifier] }] });
    const accepted = applyFacts(state, model.page(12), TEST_POLICY);
    expect(paymentOf(accepted, "p").status).toMatchObject({ state: "accepted", at: 12n });
    model.addEmpty(5);
    const settled = applyFacts(accepted, model.page(13), TEST_POLICY);
    expect(paymentOf(settled, "p").status).toMatchObject({ state: "settled", at: 17n });
    const late = advance(settled, "p", [attempt(9n), { type: "taken" }]);
    expect(late).toEqual(settled);
  });

  it("accepts a payment that a node had refused for good", () => {
    const { model, txid, note, state } = sent();
    const refused = advance(state, "p", [{ type: "refused", error: forged }]);
    expect(paymentOf(refused, "p").status.state).toBe("failed");
    model.add({ txs: [{ txid, spends: [note.nullifier] }] });
    const accepted = applyFacts(refused, model.page(12), TEST_POLICY);
    expect(paymentOf(accepted, "p").status).toMatchObject({ state: "accepted", at: 12n });
  });

  it("contradicts", () => {
    const { model, note, state } = sent();
    const other = model.txid();
    model.add({ txs: [{ txid: other, spends: [note.nullifier] }] });
    const after = applyFacts(state, model.page(12), TEST_POLICY);
    expect(paymentOf(after, "p").status).toMatchObject({ state: "conflicted", txid: other });
    expect(() => advance(after, "p", [{ type: "sign" }])).toThrow("tx/nullifier-spent");
  });

  it("outdates only what can never be applied again", () => {
    const { model, state } = sent();
    model.add({ blue: 95n });
    const waiting = applyFacts(state, model.page(12), TEST_POLICY);
    expect(paymentOf(waiting, "p").status.state).toBe("mempool");
    model.addEmpty(1);
    const expired = applyFacts(waiting, model.page(13), TEST_POLICY);
    expect(paymentOf(expired, "p").status).toMatchObject({ state: "expired", at: 13n });
    expect(holdsNotes(paymentOf(expired, "p"))).toBe(false);
  });
});
