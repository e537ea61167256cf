/** A second try over several transactions: what a payee can get, whichever of the tries a chain applies (decision 24). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  asAnchor,
  asRawAddress,
  asSompi,
  asTimestampMs,
  type RawAddress,
} from "../../base/brand.ts";
import { SvcError, type ErrorJson } from "../../base/svcError.ts";
import { applyFacts } from "../reduce/applyFacts.ts";
import { paymentOf } from "../reduce/outbox.ts";
import { paymentAmount, type Payee, type Payment } from "../state/payment.ts";
import { sumOfNotes, type WalletState } from "../state/walletState.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";
import { advance, eventsToMempool, payeeOf } from "../testkit/payments.ts";
import { walletOfOneBlock } from "../testkit/walletWith.ts";
import { reserved } from "../send/reservePayment.ts";
import type { PlannedPayment } from "./planner.ts";
import { planRetry } from "./planRetry.ts";
import { planTransfer } from "./planTransfer.ts";

const COIN = 100_000_000n;
const NO_FLOOR = asSompi(0n);
const NARROW = { ...TEST_POLICY, maxSpends: 3 };
const forged: ErrorJson = { code: "shielded/proof-invalid", data: {} };
const coins = (count: number): bigint[] => Array.from({ length: count }, () => COIN);
const model = new ChainModel();
const EXCHANGE = payeeOf(7n * COIN - COIN / 2n, { memo: "abcd" });

/** The wallet with this payment signed, handed over, and refused by a node. */
function refused(state: WalletState, id: string, planned: PlannedPayment): WalletState {
  const reservation = { id, nowMs: asTimestampMs(1n), planned, root: asAnchor("11".repeat(32)) };
  const tried = advance(reserved(state, reservation), id, eventsToMempool(model.txid()));
  return advance(tried, id, [{ type: "refused", error: forged }]);
}

function again(state: WalletState, payees: readonly Payee[], own: readonly Payment[] = []) {
  return planRetry(state, NARROW, manyTo(payees), { own });
}

const manyTo = (payees: readonly Payee[]) =>
  ({ payees, feeFloor: NO_FLOOR, mode: "many" }) as const;

const first = (planned: readonly PlannedPayment[]): PlannedPayment =>
  planned[0] ?? expect.unreachable();

function isShared({ notes }: PlannedPayment, { reserved: held }: Payment): boolean {
  return notes.some(({ nullifier }) => held.some((note) => note.nullifier === nullifier));
}

function expectWhole(planned: readonly PlannedPayment[], payees: readonly Payee[]): void {
  const notes = planned.flatMap((one) => one.notes.map(({ nullifier }) => nullifier));
  expect(new Set(notes).size).toBe(notes.length);
  for (const one of planned) {
    expect(sumOfNotes(one.notes)).toBe(paymentAmount(one) + one.fee + one.change);
    expect(one.notes.length).toBeLessThanOrEqual(NARROW.maxSpends);
  }
  const sum = planned.reduce((total, one) => total + paymentAmount(one), 0n);
  expect(sum).toBe(paymentAmount({ payees }));
}

/** A wallet whose payment over three transactions was refused with the first of them. */
function scene(state = walletOfOneBlock(coins(8)), payees: readonly Payee[] = [EXCHANGE]) {
  const tried = planTransfer(state, NARROW, manyTo(payees));
  expect(tried).toHaveLength(3);
  return { state: refused(state, "first", first(tried)), tried };
}

describe("a payment over several transactions that a node refused", () => {
  it("is planned again over all of them, the first beside the refused one", () => {
    const { state, tried } = scene();
    const planned = again(state, [EXCHANGE]);
    expectWhole(planned, [EXCHANGE]);
    expect(planned.map(({ payees }) => payees[0]?.memo)).toEqual(["abcd", "", ""]);
    expect(isShared(first(planned), paymentOf(state, "first"))).toBe(true);
    // Were the refused one applied instead, the payee would have no more than was meant.
    expect(paymentAmount(first(planned))).toBeGreaterThanOrEqual(paymentAmount(first(tried)));
  });

  it("is planned again as often as it is refused, each time beside every one before", () => {
    let { state } = scene();
    for (const id of ["second", "third"])
      state = refused(state, id, first(again(state, [EXCHANGE])));
    const planned = again(state, [EXCHANGE]);
    expectWhole(planned, [EXCHANGE]);
    for (const id of ["first", "second", "third"]) {
      expect(isShared(first(planned), paymentOf(state, id))).toBe(true);
    }
  });

  it("goes on behind its own transactions that are out", () => {
    const { state } = scene();
    const planned = again(state, [EXCHANGE]);
    const [one] = planned;
    if (one === undefined) throw new Error("no plan");
    const reservation = { nowMs: asTimestampMs(2n), root: asAnchor("22".repeat(32)) };
    const after = advance(
      reserved(state, { ...reservation, id: "job:0", planned: one }),
      "job:0",
      eventsToMempool(model.txid()),
    );
    const left = [{ ...EXCHANGE, value: asSompi(EXCHANGE.value - paymentAmount(one)), memo: "" }];
    expectWhole(again(after, left, [paymentOf(after, "job:0")]), left);
    expect(() => again(after, left)).toThrow("wallet/retry-unsafe");
  });

  it("is refused where a small payment under way holds the notes of an earlier one, and says what is missing else", () => {
    const model = new ChainModel();
    model.add({ mined: coins(8) });
    model.addEmpty(14);
    const state = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
    const small = payeeOf(COIN / 2n);
    const tried = refused(state, "small", first(again(state, [small])));
    const reservation = { nowMs: asTimestampMs(2n), root: asAnchor("22".repeat(32)) };
    const second = first(again(tried, [small]));
    const pending = advance(
      reserved(tried, { ...reservation, id: "second", planned: second }),
      "second",
      eventsToMempool(model.txid()),
    );
    expect(() => again(pending, [EXCHANGE])).toThrow("wallet/retry-unsafe");
    expectWhole(again(tried, [EXCHANGE]), [EXCHANGE]);
    expect(() => again(tried, [payeeOf(9n * COIN)])).toThrow("wallet/insufficient-funds");
  });

  it("gives a device the first part alone", () => {
    const { state } = scene();
    const request = { payees: [EXCHANGE], feeFloor: NO_FLOOR } as const;
    const parts = planRetry(state, NARROW, { ...request, mode: "part" });
    expect(parts).toEqual([first(again(state, [EXCHANGE]))]);
    expect(() => planRetry(state, NARROW, { ...request, mode: "one" })).toThrow(
      "wallet/retry-unsafe",
    );
  });
});

describe("a payment of which a node refused all transactions one after the other", () => {
  it("is planned again, each beside those whose place nothing takes", () => {
    const { state: begun, tried } = scene();
    let state = begun;
    for (const [index, next] of tried.slice(1).entries()) state = refused(state, `${index}`, next);
    const planned = again(state, [EXCHANGE]);
    expectWhole(planned, [EXCHANGE]);
    // No note but those of the tries is needed.
    const held = state.outbox.flatMap(({ reserved }) => reserved.map(({ nullifier }) => nullifier));
    const used = planned.flatMap(({ notes }) => notes.map(({ nullifier }) => nullifier));
    expect(held).toEqual(expect.arrayContaining(used));
  });
});

describe("several tries, of which a chain may apply any that share no note", () => {
  const OTHERS = [0, 1, 2, 3].map((number) => asRawAddress(`a${number}`.repeat(43)));
  const line = fc.record({
    to: fc.integer({ min: 0, max: 3 }),
    value: fc.integer({ min: 1, max: 60 }),
  });
  const call = fc.record({
    rows: fc.array(line, { minLength: 1, maxLength: 4 }),
    /** How many of its transactions reach a node before one is refused. */
    out: fc.integer({ min: 1, max: 4 }),
    /** Notes that come before the next call. */
    notes: fc.integer({ min: 0, max: 4 }),
  });
  const payeesOf = (rows: readonly { to: number; value: number }[]): readonly Payee[] =>
    rows.map(({ to, value }) => {
      const recipient = OTHERS[to] ?? expect.unreachable();
      return { ...payeeOf((BigInt(value) * COIN) / 10n, { recipient }), own: false };
    });
  const valueTo = (payees: readonly Payee[], to: RawAddress): bigint =>
    payees.reduce((sum, { recipient, value }) => (recipient === to ? sum + value : sum), 0n);

  /** The plan, or null where there is none. */
  function planned(state: WalletState, payees: readonly Payee[]) {
    try {
      return again(state, payees);
    } catch (error) {
      if (error instanceof SvcError) return null;
      throw error;
    }
  }

  type Tx = { readonly payees: readonly Payee[]; readonly nullifiers: ReadonlySet<string> };
  const txOfPlan = ({ payees, notes }: PlannedPayment): Tx => ({
    payees,
    nullifiers: new Set(notes.map(({ nullifier }) => nullifier)),
  });

  /** The most that a payee gets of transactions which share no note. */
  function mostOf([tx, ...rest]: readonly Tx[], to: RawAddress): bigint {
    if (tx === undefined) return 0n;
    const without = mostOf(rest, to);
    const value = valueTo(tx.payees, to);
    if (value === 0n) return without;
    const beside = rest.filter(
      (other) => ![...other.nullifiers].some((one) => tx.nullifiers.has(one)),
    );
    const withIt = value + mostOf(beside, to);
    return withIt > without ? withIt : without;
  }

  it("holds for tries whose second transactions were left alone", () => {
    const all = walletOfOneBlock([...coins(20), ...[1, 2, 3].map(() => COIN + COIN / 10n)]);
    let state: WalletState = { ...all, notes: all.notes.slice(0, 20) };
    const payees = [payeeOf(5n * COIN)];
    state = refused(state, "one", first(planTransfer(state, NARROW, manyTo(payees))));
    const second = again(state, payees);
    expect(second).toHaveLength(2);
    for (const [index, next] of second.entries()) state = refused(state, `two-${index}`, next);
    const third = again({ ...state, notes: all.notes }, payees);
    expectWhole(third, payees);
    const tries = [...second, ...third].map(txOfPlan);
    const one = new Set(paymentOf(state, "one").reserved.map(({ nullifier }) => nullifier));
    tries.push({ payees: paymentOf(state, "one").payees, nullifiers: one });
    expect(mostOf(tries, payees[0]?.recipient ?? expect.unreachable())).toBe(5n * COIN);
  });

  it("gives nobody more than was meant, whichever transactions of all tries are applied", () => {
    let repeats = 0;
    fc.assert(
      fc.property(fc.array(call, { minLength: 2, maxLength: 4 }), (calls) => {
        const values = [...coins(9), COIN / 2n, COIN / 3n, ...coins(16).map((one) => one * 2n)];
        const all = walletOfOneBlock(values);
        let state: WalletState = { ...all, notes: all.notes.slice(0, 11) };
        let known = 11;
        const txs: Tx[] = [];
        const meant = new Map<RawAddress, bigint>();
        for (const [index, { rows, out, notes }] of calls.entries()) {
          const payees = payeesOf(rows);
          const plan = planned(state, payees);
          if (plan !== null) {
            if (txs.length > 0) repeats += 1;
            expectWhole(plan, payees);
            txs.push(...plan.map(txOfPlan));
            for (const to of OTHERS) {
              const value = valueTo(payees, to);
              if (value > (meant.get(to) ?? 0n)) meant.set(to, value);
              expect(mostOf(txs, to)).toBeLessThanOrEqual(meant.get(to) ?? 0n);
            }
            txs.length -= Math.max(0, plan.length - out);
            for (const [place, tried] of plan.slice(0, out).entries())
              state = refused(state, `${index}-${place}`, tried);
          }
          known += notes;
          state = { ...state, notes: all.notes.slice(0, known) };
        }
      }),
      { seed: 2_417, numRuns: 600 },
    );
    expect(repeats).toBeGreaterThan(300);
  });
});
