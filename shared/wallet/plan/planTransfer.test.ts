import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asSompi } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import { actionCount, walletFee } from "../state/fee.ts";
import { paymentAmount, type Payee } from "../state/payment.ts";
import { sumOfNotes, type WalletState } from "../state/walletState.ts";
import { applyFacts } from "../reduce/applyFacts.ts";
import { ChainModel, freshWallet, OWN_ADDRESS, TEST_POLICY } from "../testkit/chainModel.ts";
import { advance, eventsToMempool, payeeOf, withPlanned } from "../testkit/payments.ts";
import { walletOfOneBlock, walletWith } from "../testkit/walletWith.ts";
import { estimateTransfer } from "./estimateTransfer.ts";
import { maxSendableTransfer } from "./maxSendableTransfer.ts";
import { planPayment, type PlannedPayment } from "./planner.ts";
import { payeesLeft } from "../reduce/payeeQueue.ts";
import { planTransfer, type TransferMode } from "./planTransfer.ts";
import { isUnder, spendability } from "./spendability.ts";

const COIN = 100_000_000n;
const NO_FLOOR = asSompi(0n);
/** As the daemon plans. */
const POLICY = { ...TEST_POLICY, maxSpends: 38 };
/** Few notes a transaction, so that small wallets need several. */
const NARROW = { ...TEST_POLICY, maxSpends: 3 };

const coins = (count: number, value = COIN): bigint[] => Array.from({ length: count }, () => value);
const values = ({ payees }: PlannedPayment): bigint[] => payees.map(({ value }) => value);
const counts = (planned: readonly PlannedPayment[]): number[] =>
  planned.map(({ notes }) => notes.length);

function transfer(
  state: WalletState,
  payees: readonly Payee[],
  options: { floor?: bigint; mode?: TransferMode; policy?: typeof POLICY } = {},
): readonly PlannedPayment[] {
  const { floor = 0n, mode = "many", policy = POLICY } = options;
  return planTransfer(state, policy, { payees, feeFloor: asSompi(floor), mode });
}

describe("planTransfer", () => {
  it("plans a payment of 88 notes in one call", () => {
    const wallet = walletOfOneBlock(coins(88));
    const payee = payeeOf(87n * COIN, { memo: "abcd" });
    const planned = transfer(wallet, [payee]);
    expect(counts(planned)).toEqual([38, 38, 12]);
    expect(planned.map(({ fee }) => fee)).toEqual([24_578_600n, 24_578_600n, 8_167_400n]);
    expect(planned.flatMap(values).reduce((sum, value) => sum + value, 0n)).toBe(87n * COIN);
    expect(planned.flatMap(({ payees }) => payees.map(({ memo }) => memo))).toEqual([
      "abcd",
      "",
      "",
    ]);
    expect(planned.map(({ change }) => change)).toEqual([
      0n,
      0n,
      88n * COIN - 87n * COIN - 57_324_600n,
    ]);
    expect(estimateTransfer(planned, 0.5)).toEqual({
      transactions: 3,
      amount: 87n * COIN,
      fee: 57_324_600n,
      notes: 88,
      provingSeconds: 44,
    });
  });

  it("takes the smallest sufficient note for each group of payees", () => {
    const wallet = walletWith([500n * COIN, 40n * COIN, 41n * COIN]);
    const planned = transfer(
      wallet,
      coins(74).map((value) => payeeOf(value)),
    );
    expect(planned.map(({ notes }) => notes.map(({ value }) => value))).toEqual([
      [40n * COIN],
      [41n * COIN],
    ]);
    expect(planned.map(({ payees }) => payees.length)).toEqual([37, 37]);
  });

  it("splits a group of payees that needs more notes than one transaction takes", () => {
    const wallet = walletOfOneBlock(coins(60));
    const planned = transfer(wallet, [payeeOf(30n * COIN), payeeOf(25n * COIN)]);
    expect(planned.map(values)).toEqual([[30n * COIN], [25n * COIN]]);
    expect(planned.every(({ change }) => change > 0n)).toBe(true);
  });

  it("splits a payment where change would keep too much back", () => {
    const wallet = walletWith([3n, 3n, 3n, 3n].map((value) => value * COIN));
    const payees = [payeeOf(4n * COIN), payeeOf(8n * COIN - 10_000_000n)];
    const planned = transfer(wallet, payees, { policy: NARROW });
    const first = 5n * COIN - walletFee(3);
    expect(planned.map(values)).toEqual([[4n * COIN, first], [8n * COIN - 10_000_000n - first]]);
    expect(planned[0]?.change).toBe(0n);
  });

  it("does not spend the change of one transaction in the next", () => {
    const wallet = walletWith([500n * COIN]);
    const payees = coins(40).map((value) => payeeOf(value));
    const error = errorOf(() => transfer(wallet, payees));
    expect(error.toJSON()).toEqual({
      code: "wallet/too-few-notes",
      data: { payees: "40", payable: "37" },
    });
    expect(transfer(wallet, payees.slice(0, 37))).toHaveLength(1);
  });

  it("plans one transaction or none where one is asked for", () => {
    const wallet = walletOfOneBlock(coins(60));
    expect(() => transfer(wallet, [payeeOf(50n * COIN)], { mode: "one" })).toThrow(
      "wallet/too-many-notes (count=51, max=38)",
    );
    expect(transfer(wallet, [payeeOf(COIN)], { mode: "one" })).toHaveLength(1);
  });

  it("plans the first part alone, if the rest could be paid or goes to oneself", () => {
    const wallet = walletOfOneBlock(coins(60));
    const part = { mode: "part" } as const;
    const [first, ...others] = transfer(wallet, [payeeOf(50n * COIN)], part);
    expect(others).toEqual([]);
    expect(first?.notes).toHaveLength(38);
    expect(first === undefined ? 0n : paymentAmount(first)).toBe(38n * COIN - walletFee(38));
    expect(() => transfer(wallet, [payeeOf(60n * COIN)], part)).toThrow(
      "wallet/insufficient-funds",
    );
    const own = payeeOf(60n * COIN, { recipient: OWN_ADDRESS });
    expect(transfer(wallet, [own], part)).toEqual([
      expect.objectContaining({ notes: first?.notes, fee: walletFee(38) }),
    ]);
  });

  it("puts all transactions under one anchor, the newest only when it must", () => {
    const model = new ChainModel();
    model.add({ mined: coins(4) });
    model.addEmpty(16);
    model.add({ mined: coins(4) });
    model.addEmpty(11);
    const state = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
    const { preferred, limit } = spendability(state, NARROW);
    const anchors = (amount: bigint) =>
      transfer(state, [payeeOf(amount)], { policy: NARROW }).map(({ anchor }) => anchor);
    expect(anchors(3n * COIN)).toEqual([preferred, preferred]);
    expect(anchors(7n * COIN)).toEqual([limit, limit, limit]);
  });
});

describe("a transfer that cannot be made", () => {
  const big = [payeeOf(60n * COIN)];

  it("is refused for nothing, and for a sum beyond 64 bits", () => {
    expect(() => transfer(walletWith([COIN]), [])).toThrow("amount/zero");
    expect(() => transfer(walletWith([COIN]), [payeeOf(0n)])).toThrow("amount/zero");
    const most = payeeOf(0xffff_ffff_ffff_ffffn);
    expect(() => transfer(walletWith([COIN]), [most, most])).toThrow("codec/number-out-of-range");
    expect(() => transfer(walletWith([COIN]), [most])).toThrow("wallet/insufficient-funds");
  });

  it("names what is needed beside what can be spent", () => {
    expect(() => transfer(walletOfOneBlock(coins(60)), big)).toThrow(
      // 38 notes and 22 cost 0.245786 and 0.144794.
      "wallet/insufficient-funds (needed=60.39058, spendable=60)",
    );
    const payees = coins(100).map((value) => payeeOf(value));
    expect(() => transfer(walletWith([9n * COIN]), payees)).toThrow(
      "wallet/insufficient-funds (needed=100.667926, spendable=9)",
    );
    expect(() => transfer(freshWallet(), big)).toThrow(
      "wallet/insufficient-funds (needed=60.018554, spendable=0)",
    );
  });

  it("waits for notes that mature", () => {
    expect(() => transfer(walletWith(coins(5), coins(70)), big)).toThrow(
      "wallet/funds-maturing (needed=60.03749, spendable=5, maturing=70)",
    );
  });

  it("waits for the change of an earlier payment", () => {
    const payment = { id: "p", payees: [payeeOf(COIN)] };
    let state = withPlanned(walletWith([99n * COIN]), TEST_POLICY, payment);
    state = advance(state, "p", eventsToMempool(new ChainModel().txid()));
    expect(() => transfer(state, big)).toThrow("wallet/payment-pending");
  });
});

const amounts = (most: bigint, length: number) =>
  fc.array(fc.bigInt({ min: 1n, max: most }), { minLength: 1, maxLength: length });
const floors = fc.constantFrom(0n, 1_000_000n, walletFee(4), walletFee(4) + 1n, 30_000_000n);
const SEED = { seed: 1_908, numRuns: 300 };

describe("any plan", () => {
  const wallets = fc.tuple(
    fc.array(fc.bigInt({ min: 1n, max: 8n * COIN }), { maxLength: 60 }),
    fc.constantFrom(POLICY, NARROW, { ...TEST_POLICY, maxSpends: 1 }),
  );

  it("adds up, takes each note once, keeps to the caps and pays the fee that it must", () => {
    let planned = 0;
    fc.assert(
      fc.property(wallets, amounts(3n * COIN, 60), floors, ([notes, policy], paid, floor) => {
        const state = walletOfOneBlock(notes);
        const payees = paid.map((value, index) => payeeOf(value, { memo: `0${index % 10}` }));
        const made = planOrNull(() => transfer(state, payees, { floor, policy }));
        if (made === null) return;
        planned += 1;
        checkSums(made, floor, policy.maxSpends);
        expect(paidInAll(made)).toEqual(payees.map(({ value, memo }) => ({ value, memo })));
        expect(transfer(state, payees, { floor, policy })).toEqual(made);
      }),
      SEED,
    );
    expect(planned).toBeGreaterThan(50);
  });

  it("is that of a single payment wherever one transaction is enough", () => {
    let planned = 0;
    fc.assert(
      fc.property(wallets, amounts(9n * COIN, 8), floors, ([notes, policy], paid, floor) => {
        const state = walletWith(notes.slice(0, 20), notes.slice(20));
        const payees = paid.map((value) => payeeOf(value));
        const single = planOrNull(() =>
          planPayment(state, policy, payees, { feeFloor: asSompi(floor) }),
        );
        if (single === null) return;
        planned += 1;
        expect(transfer(state, payees, { floor, policy })).toEqual([single]);
      }),
      SEED,
    );
    expect(planned).toBeGreaterThan(50);
  });

  it("sends the maximum and not a sompi more", () => {
    fc.assert(
      fc.property(wallets, floors, ([notes, policy], floor) => {
        const state = walletOfOneBlock(notes);
        const most = maxSendableTransfer(state, policy, asSompi(floor));
        if (most.amount > 0n) {
          const made = transfer(state, [payeeOf(most.amount)], { floor, policy });
          const { transactions, fee, notes: spent } = estimateTransfer(made, 1);
          expect({ transactions, fee, notes: spent, amount: most.amount }).toEqual(most);
        }
        const more = [payeeOf(most.amount + 1n)];
        const error = errorOf(() => transfer(state, more, { floor, policy }));
        expect(error.code).toBe("wallet/insufficient-funds");
        expect(coinsOf(error.data["needed"])).toBeGreaterThan(coinsOf(error.data["spendable"]));
      }),
      SEED,
    );
  });

  it("can pay the payees that a refusal for too few notes counts", () => {
    let refused = 0;
    const few = fc.array(fc.bigInt({ min: COIN, max: 99n * COIN }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(few, fc.integer({ min: 30, max: 120 }), (notes, count) => {
        const state = walletOfOneBlock(notes);
        const payees = coins(count, COIN / 4n).map((value) => payeeOf(value));
        try {
          transfer(state, payees);
        } catch (error) {
          if (!SvcError.is(error, "wallet/too-few-notes")) return;
          refused += 1;
          const payable = Number(error.data["payable"]);
          expect(payable).toBeLessThan(count);
          expect(paidInAll(transfer(state, payees.slice(0, payable)))).toHaveLength(payable);
        }
      }),
      SEED,
    );
    expect(refused).toBeGreaterThan(5);
  });

  it("of a wallet with 62,000 notes is made in one go", () => {
    const state = walletOfOneBlock(coins(62_000));
    const most = maxSendableTransfer(state, POLICY, NO_FLOOR);
    const planned = transfer(state, [payeeOf(most.amount)]);
    expect(planned).toHaveLength(Math.ceil(62_000 / 38));
    checkSums(planned, 0n, 38);
  });
});

function planOrNull<T>(plan: () => T): T | null {
  try {
    return plan();
  } catch (error) {
    expect(String(error)).toMatch(/wallet\/(insufficient-funds|too-|funds-maturing)/);
    return null;
  }
}

function checkSums(planned: readonly PlannedPayment[], floor: bigint, maxSpends: number): void {
  const [anchor] = planned.map((part) => part.anchor);
  for (const part of planned) {
    const outputs = part.payees.length + (part.change > 0n ? 1 : 0);
    const demanded = walletFee(actionCount(part.notes.length, outputs));
    expect(sumOfNotes(part.notes)).toBe(paymentAmount(part) + part.fee + part.change);
    expect(part.fee).toBe(floor > demanded ? floor : demanded);
    expect(part.notes.length).toBeLessThanOrEqual(maxSpends);
    expect(part.payees.length).toBeGreaterThan(0);
    expect(part.payees.length).toBeLessThanOrEqual(37);
    expect(part.anchor).toBe(anchor);
    expect(part.notes.every((note) => isUnder(note, part.anchor))).toBe(true);
  }
  const spent = planned.flatMap(({ notes }) => notes);
  expect(new Set(spent).size).toBe(spent.length);
}

/** The payments as the payees see them: the parts of one, which follow each other and have no memo, added up. */
function paidInAll(planned: readonly PlannedPayment[]): { value: bigint; memo: string }[] {
  const paid: { value: bigint; memo: string }[] = [];
  for (const { value, memo } of planned.flatMap(({ payees }) => payees)) {
    const last = paid.at(-1);
    if (memo === "" && last !== undefined && last.memo !== "") last.value += value;
    else paid.push({ value, memo });
  }
  return paid;
}

function errorOf(run: () => unknown): SvcError {
  try {
    run();
  } catch (error) {
    return SvcError.from(error);
  }
  return raise();
}

function raise(): never {
  throw new Error("nothing was thrown");
}

function coinsOf(text = ""): number {
  return Number(text);
}

describe("payeesLeft", () => {
  const [a, b] = [payeeOf(5n, { memo: "61" }), payeeOf(7n, { memo: "62" })];

  it("keeps all of what nobody was paid of", () => {
    expect(payeesLeft([a, b], [])).toEqual([a, b]);
  });

  it("leaves the rest of a payee without its memo", () => {
    expect(payeesLeft([a, b], [{ ...a, value: asSompi(2n) }])).toEqual([
      { ...a, value: 3n, memo: "" },
      b,
    ]);
    expect(payeesLeft([a, b], [a, { ...b, value: asSompi(6n) }])).toEqual([
      { ...b, value: 1n, memo: "" },
    ]);
  });

  it("leaves nothing when all is paid, in however many parts", () => {
    const parts = [{ ...a, value: asSompi(1n) }, { ...a, value: asSompi(4n), memo: "" }, b];
    expect(payeesLeft([a, b], parts)).toEqual([]);
  });
});
