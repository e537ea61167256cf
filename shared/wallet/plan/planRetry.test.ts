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
  return planRetry(state, NARROW, { payees, feeFloor: NO_FLOOR, mode: "many" }, own);
}

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
  const request = { payees, feeFloor: NO_FLOOR, mode: "many" } as const;
  const tried = planTransfer(state, NARROW, request);
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

describe("a second try to many", () => {
  const OTHERS = [0, 1, 2, 3].map((number) => asRawAddress(`a${number}`.repeat(43)));
  const line = fc.record({
    to: fc.integer({ min: 0, max: 3 }),
    value: fc.integer({ min: 1, max: 25 }),
  });
  const lines = fc.array(line, { minLength: 1, maxLength: 5 });
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

  it("gives nobody more than was meant, whichever of the earlier ones is applied in its place", () => {
    let plans = 0;
    fc.assert(
      fc.property(lines, lines, lines, (one, two, three) => {
        let state = walletOfOneBlock([...coins(9), COIN / 2n, COIN / 3n]);
        for (const [index, rows] of [one, two].entries()) {
          const [tried] = planned(state, payeesOf(rows)) ?? [];
          if (tried !== undefined) state = refused(state, `try-${index}`, tried);
        }
        const payees = payeesOf(three);
        const plan = planned(state, payees);
        if (plan === null) return;
        plans += 1;
        expectWhole(plan, payees);
        for (const tried of state.outbox) {
          const applied = plan
            .filter((next) => !isShared(next, tried))
            .flatMap((next) => next.payees);
          for (const to of OTHERS) {
            const [meant, before] = [valueTo(payees, to), valueTo(tried.payees, to)];
            if (meant === 0n) continue;
            const most = meant > before ? meant : before;
            expect(before + valueTo(applied, to)).toBeLessThanOrEqual(most);
          }
        }
      }),
      { seed: 2_417, numRuns: 400 },
    );
    expect(plans).toBeGreaterThan(100);
  });
});
