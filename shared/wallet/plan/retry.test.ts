/** A second try of a payment: at most one of the two can ever be paid (decision 24). */
import { describe, expect, it } from "vitest";
import { asTimestampMs, asTxId } from "../../base/brand.ts";
import { SvcError, type ErrorJson } from "../../base/svcError.ts";
import { applyFacts } from "../reduce/applyFacts.ts";
import { balances } from "./balances.ts";
import { forgetPayment } from "../reduce/forgetPayment.ts";
import { historyRows } from "../view/history.ts";
import { paymentOf, type PaymentEvent } from "../reduce/outbox.ts";
import { paymentAmount, type Payee } from "../state/payment.ts";
import { planPayment } from "./planner.ts";
import { repeatedPayments } from "./retry.ts";
import { reviewPayment } from "./reviewPayment.ts";
import { rollback } from "../reduce/rollback.ts";
import { spendability } from "./spendability.ts";
import {
  ChainModel,
  freshWallet,
  OWN_ADDRESS,
  OWN_SECOND,
  TEST_POLICY,
} from "../testkit/chainModel.ts";
import { advance, eventsToMempool, payeeOf, withPlanned } from "../testkit/payments.ts";
import { cursorOf, type WalletState } from "../state/walletState.ts";

const COIN = 100_000_000n;
const forged: ErrorJson = { code: "shielded/proof-invalid", data: {} };
const merchant = payeeOf(2n * COIN);

/** A wallet with five notes of five coins, and a payment to a merchant whose bytes have left. */
function paid(events: (txid: ReturnType<ChainModel["txid"]>) => readonly PaymentEvent[]) {
  const model = new ChainModel();
  model.add({ mined: [5n * COIN, 5n * COIN, 5n * COIN, 5n * COIN, 5n * COIN] });
  model.addEmpty(14);
  const txid = model.txid();
  let state = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
  state = withPlanned(state, TEST_POLICY, { id: "first", payees: [merchant] });
  state = advance(state, "first", events(txid));
  return { model, state, txid };
}

const left = (txid: ReturnType<ChainModel["txid"]>) => eventsToMempool(txid);
const refused = (txid: ReturnType<ChainModel["txid"]>): readonly PaymentEvent[] => [
  ...left(txid),
  { type: "refused", error: forged },
];

function nullifiersOf(state: WalletState, id: string) {
  return paymentOf(state, id).reserved.map(({ nullifier }) => nullifier);
}

function tryAgain(state: WalletState, payees: readonly Payee[] = [merchant]) {
  const repeated = repeatedPayments(state, payees);
  return planPayment(state, TEST_POLICY, payees, { repeated }).notes.map(
    ({ nullifier }) => nullifier,
  );
}

function rowOf(state: WalletState, id: string) {
  return historyRows(state, TEST_POLICY, []).find(({ paymentId }) => paymentId === id);
}

function shares(state: WalletState, id: string, notes: readonly string[]): boolean {
  return nullifiersOf(state, id).some((nullifier) => notes.includes(nullifier));
}

describe("a second try", () => {
  it("spends a note of the payment that a node has refused for good", () => {
    const { state } = paid(refused);
    expect(paymentOf(state, "first").status.state).toBe("failed");
    expect(shares(state, "first", tryAgain(state))).toBe(true);
    const bigger = [payeeOf(9n * COIN)];
    expect(shares(state, "first", tryAgain(state, bigger))).toBe(true);
  });

  it("spends a note of the payment that is still on its way", () => {
    const { state } = paid(left);
    expect(shares(state, "first", tryAgain(state))).toBe(true);
  });

  it("spends a note of the payment that ran out by the scores of a node", () => {
    const { model, state } = paid(left);
    // A smaller note, which would be taken first.
    model.add({ blue: 100_000n, mined: [3n * COIN] });
    model.addEmpty(20);
    const later = applyFacts(state, model.page(16), TEST_POLICY);
    expect(paymentOf(later, "first").status.state).toBe("expired");
    expect(shares(later, "first", tryAgain(later))).toBe(true);
  });

  it("shares a note with every earlier try", () => {
    const { model, state } = paid(refused);
    const big = [payeeOf(11n * COIN)];
    const repeated = repeatedPayments(state, big);
    const plan = planPayment(state, TEST_POLICY, big, { repeated });
    let next = withPlanned(state, TEST_POLICY, { id: "second", payees: big });
    const reserved = plan.notes.map(({ position, nullifier, value }) => ({
      position,
      nullifier,
      value,
    }));
    next = {
      ...next,
      outbox: next.outbox.map((payment) =>
        payment.id === "second" ? { ...payment, reserved } : payment,
      ),
    };
    next = advance(next, "second", refused(model.txid()));
    const third = tryAgain(next);
    expect(shares(next, "first", third)).toBe(true);
    expect(shares(next, "second", third)).toBe(true);
  });

  it("is none where the owner pays somebody else, himself, or another amount beside one under way", () => {
    const { state } = paid(left);
    expect(repeatedPayments(state, [payeeOf(3n * COIN)])).toEqual([]);
    expect(repeatedPayments(state, [payeeOf(2n * COIN, { recipient: OWN_SECOND })])).toEqual([]);
    const failed = paid(refused).state;
    expect(repeatedPayments(failed, [payeeOf(COIN, { recipient: OWN_ADDRESS })])).toEqual([]);
  });

  it("is refused while the notes of the first one cannot be spent", () => {
    const { model, state } = paid(left);
    const spends = nullifiersOf(state, "first");
    model.add({ txs: [{ txid: asTxId("cc".repeat(32)), spends }] });
    const after = applyFacts(state, model.page(16), TEST_POLICY);
    expect(paymentOf(after, "first").status.state).toBe("conflicted");
    expect(() => tryAgain(after)).toThrow("wallet/retry-unsafe");
    expect(planPayment(after, TEST_POLICY, [merchant]).notes).toHaveLength(1);
  });

  it("is still one when the foreign spender that a node told of is old", () => {
    const { model, state } = paid(left);
    // The node leaves the payment's other notes alone, or it could not be tried again at all.
    const first = paymentOf(state, "first");
    const kept = state.notes.findLast(({ nullifier }) => !shares(state, "first", [nullifier]));
    if (kept === undefined) throw new Error("no note");
    const reserved = [...first.reserved, kept];
    const twoNotes = { ...state, outbox: [{ ...first, reserved }] };
    model.add({ txs: [{ txid: model.txid(), spends: nullifiersOf(state, "first") }] });
    model.addEmpty(TEST_POLICY.recentBlocks);
    const after = applyFacts(twoNotes, model.page(16), TEST_POLICY);
    expect(paymentOf(after, "first").status).toMatchObject({ state: "conflicted", previous: null });
    expect(tryAgain(after)).toContain(kept.nullifier);
    expect(tryAgain(after, [payeeOf(3n * COIN)])).toContain(kept.nullifier);
    expect(() => forgetPayment(after, "first")).toThrow("wallet/payment-pending");
    expect(rowOf(after, "first")?.removable).toBe(false);
  });

  it("needs nothing of a payment that a later try has replaced", () => {
    const { model, state } = paid(refused);
    const txid = model.txid();
    let next = advance(
      withReserved(state, "second", nullifiersOf(state, "first")),
      "second",
      eventsToMempool(txid),
    );
    model.add({ txs: [{ txid, spends: nullifiersOf(next, "second") }] });
    next = applyFacts(next, model.page(16), TEST_POLICY);
    expect(paymentOf(next, "second").status.state).toBe("accepted");
    expect(paymentOf(next, "first").status.state).toBe("conflicted");
    expect(repeatedPayments(next, [merchant])).toEqual([]);
    expect(rowOf(next, "first")?.removable).toBe(false);
    const before = model.length;
    model.addEmpty(TEST_POLICY.recentBlocks);
    const later = applyFacts(next, model.page(before + 1), TEST_POLICY);
    expect(rowOf(later, "first")?.removable).toBe(true);
    expect(forgetPayment(later, "first").outbox.map(({ id }) => id)).toEqual(["second"]);
  });

  it("is counted once in what leaves the wallet", () => {
    const { model, state } = paid(left);
    const before = balances(state, spendability(state, TEST_POLICY), []);
    const next = advance(
      withReserved(state, "second", nullifiersOf(state, "first")),
      "second",
      eventsToMempool(model.txid()),
    );
    const after = balances(next, spendability(next, TEST_POLICY), []);
    expect(after.pendingOut).toBe(before.pendingOut);
    expect(after.total).toBe(before.total);
  });

  it("does not take the notes of other payments", () => {
    const { model, state } = paid(refused);
    let next = withPlanned(state, TEST_POLICY, {
      id: "other",
      payees: [payeeOf(COIN, { recipient: OWN_SECOND })],
    });
    next = advance(next, "other", eventsToMempool(model.txid()));
    const notes = tryAgain(next, [payeeOf(14n * COIN)]);
    expect(shares(next, "other", notes)).toBe(false);
    expect(shares(next, "first", notes)).toBe(true);
  });
});

describe("a payment that ran out by the scores of a node", () => {
  function ranOut() {
    const { model, state, txid } = paid(left);
    model.add({ blue: 100_000n });
    model.addEmpty(20);
    const expired = applyFacts(state, model.page(16), TEST_POLICY);
    expect(paymentOf(expired, "first").status.state).toBe("expired");
    return { model, txid, expired, spends: nullifiersOf(expired, "first") };
  }

  it("is replaced by the second try that is mined, and the address can be paid again", () => {
    const { model, expired, spends } = ranOut();
    const txid = model.txid();
    let next = withReserved(expired, "second", spends);
    next = advance(next, "second", eventsToMempool(txid));
    const before = model.length;
    model.add({ txs: [{ txid, spends }] });
    next = applyFacts(next, model.page(before + 1), TEST_POLICY);
    expect(paymentOf(next, "second").status.state).toBe("accepted");
    expect(paymentOf(next, "first").status).toMatchObject({ state: "conflicted", txid });
    expect(repeatedPayments(next, [payeeOf(COIN)])).toEqual([]);
    expect(tryAgain(next, [payeeOf(COIN)])).toHaveLength(1);
    const undone = rollback(next, cursorOf(expired).hash);
    expect(paymentOf(undone, "first")).toEqual(paymentOf(expired, "first"));
  });

  it("is accepted when a block has it after all", () => {
    const { model, txid, expired, spends } = ranOut();
    const before = model.length;
    model.add({ txs: [{ txid, spends }] });
    model.addEmpty(5);
    const mined = applyFacts(expired, model.page(before + 1, before + 1), TEST_POLICY);
    expect(paymentOf(mined, "first").status.state).toBe("accepted");
    const later = applyFacts(mined, model.page(before + 2), TEST_POLICY);
    expect(paymentOf(later, "first").status.state).toBe("settled");
    expect(repeatedPayments(later, [merchant])).toEqual([]);
  });

  it("keeps its bytes and the way back, however deep", () => {
    const { model, expired } = ranOut();
    const before = model.length;
    model.addEmpty(TEST_POLICY.recentBlocks);
    const later = applyFacts(expired, model.page(before + 1), TEST_POLICY);
    expect(paymentOf(later, "first")).toEqual(paymentOf(expired, "first"));
  });
});

describe("the review of a payment", () => {
  it("says that a second try shares its notes", () => {
    const { state } = paid(left);
    const review = reviewPayment(state, TEST_POLICY, [merchant]);
    expect(review.shares).toBe(true);
    expect(review.repeated.map(({ id }) => id)).toEqual(["first"]);
    expect(
      shares(
        state,
        "first",
        review.planned.flatMap(({ notes }) => notes.map(({ nullifier }) => nullifier)),
      ),
    ).toBe(true);
  });

  it("opens when the first one's notes cannot be spent: then only one more payment is left", () => {
    const { model, state } = paid(left);
    model.add({ txs: [{ txid: asTxId("cc".repeat(32)), spends: nullifiersOf(state, "first") }] });
    const after = applyFacts(state, model.page(16), TEST_POLICY);
    const review = reviewPayment(after, TEST_POLICY, [merchant]);
    expect(review.shares).toBe(false);
    expect(review.repeated.map(({ id }) => id)).toEqual(["first"]);
    expect(review.planned.map(({ notes }) => notes.length)).toEqual([1]);
  });

  it("names what is missing when the money does not suffice either", () => {
    const { state } = paid(left);
    expect(() => reviewPayment(state, TEST_POLICY, [payeeOf(500n * COIN)])).toThrow(
      "wallet/insufficient-funds",
    );
    const { state: failed } = paid(refused);
    expect(() => reviewPayment(failed, TEST_POLICY, [payeeOf(500n * COIN)])).toThrow(
      "wallet/insufficient-funds",
    );
  });
});

/** The state with one more payment to the merchant, from these notes. */
function withReserved(state: WalletState, id: string, nullifiers: readonly string[]): WalletState {
  const [first] = state.outbox;
  if (first === undefined) throw new SvcError("internal/unexpected", { message: "no payment" });
  const reserved = first.reserved.filter(({ nullifier }) => nullifiers.includes(nullifier));
  expect(paymentAmount(first)).toBe(2n * COIN);
  const second = { ...first, id, reserved, txid: null, raw: null };
  const outbox = [...state.outbox, { ...second, status: { state: "planned" } as const }];
  return { ...state, outbox };
}

describe("an attempt", () => {
  it("is counted before its bytes leave, so a crash never forgets one", () => {
    const { state } = paid((txid) => [
      ...eventsToMempool(txid).slice(0, 3),
      { type: "attempt", nowMs: asTimestampMs(1n) },
    ]);
    expect(paymentOf(state, "first").status.state).toBe("broadcasting");
    expect(repeatedPayments(state, [merchant])).toHaveLength(1);
  });
});
