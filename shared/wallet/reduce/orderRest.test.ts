/** The rest of a stopped payment: whatever became of its transactions, it is exactly what is missing. */
import { describe, expect, it } from "vitest";
import { asRawAddress, asSompi, asTimestampMs, asTxId } from "../../base/brand.ts";
import { freshWallet } from "../testkit/chainModel.ts";
import { payeeOf } from "../testkit/payments.ts";
import {
  draftPayment,
  PAYMENT_ORDER_VERSION,
  type Payee,
  type Payment,
  type PaymentOrder,
  type PaymentStatus,
} from "../state/payment.ts";
import { orderRest } from "./orderRest.ts";
import { partId } from "./paymentParts.ts";

const [ANNA, BERT, CARL] = ["a1", "b2", "c3"].map((byte) => asRawAddress(byte.repeat(43)));
const REFUSED: PaymentStatus = { state: "failed", error: { code: "wallet/cancelled", data: {} } };
const SENT: PaymentStatus = { state: "signed" };

function to(recipient: typeof ANNA, value: bigint, memo = ""): Payee {
  if (recipient === undefined) throw new TypeError("no such payee");
  return payeeOf(value, { recipient, memo });
}

function orderOf(payees: readonly Payee[], id = "whole"): PaymentOrder {
  return {
    version: PAYMENT_ORDER_VERSION,
    id,
    createdMs: asTimestampMs(5n),
    payees,
    maxFee: asSompi(1n),
    separate: false,
    recoverable: false,
    stopped: { code: "wallet/cancelled", data: {} },
  };
}

function payment(id: string, payees: readonly Payee[], status: PaymentStatus): Payment {
  return {
    ...draftPayment(id, asTimestampMs(9n), payees),
    txid: asTxId("77".repeat(32)),
    status,
  };
}

type Part = readonly [payees: readonly Payee[], status: PaymentStatus];

function restOf(order: PaymentOrder, parts: readonly Part[], later: readonly Payment[] = []) {
  const outbox = parts.map(([payees, status], number) =>
    payment(partId(order.id, number), payees, status),
  );
  return orderRest({ ...freshWallet(), orders: [order], outbox: [...outbox, ...later] }, order);
}

describe("the rest of a payment", () => {
  const whole = [to(ANNA, 10n, "aa"), to(BERT, 20n, "bb"), to(CARL, 5n, "cc")];

  it("is all that no transaction paid, the last payee in part and without its memo", () => {
    const parts = [[[to(ANNA, 10n, "aa"), to(BERT, 8n, "bb")], SENT]] as const;
    expect(restOf(orderOf(whole), parts)).toEqual([to(BERT, 12n), to(CARL, 5n, "cc")]);
  });

  it("is what a lost transaction in the middle paid, and not what came after it", () => {
    const parts = [
      [[to(ANNA, 10n, "aa")], SENT],
      [[to(BERT, 20n, "bb")], REFUSED],
      [[to(CARL, 5n, "cc")], SENT],
    ] as const;
    expect(restOf(orderOf(whole), parts)).toEqual([to(BERT, 20n, "bb")]);
  });

  it("keeps the memo where the part that had it was lost", () => {
    const parts = [
      [[to(ANNA, 10n, "aa"), to(BERT, 8n, "bb")], REFUSED],
      [[to(BERT, 12n), to(CARL, 5n, "cc")], SENT],
    ] as const;
    expect(restOf(orderOf(whole), parts)).toEqual([to(ANNA, 10n, "aa"), to(BERT, 8n, "bb")]);
  });

  it("counts what is planned and not signed as paid: it may still be sent", () => {
    const parts = [
      [[to(ANNA, 10n, "aa")], SENT],
      [[to(BERT, 20n, "bb")], { state: "planned" }],
    ] as const;
    expect(restOf(orderOf(whole), parts)).toEqual([to(CARL, 5n, "cc")]);
  });

  it("is nothing where all is paid, and where the stored transactions pay somebody else or more", () => {
    expect(restOf(orderOf(whole), [[whole, SENT]])).toEqual([]);
    expect(restOf(orderOf(whole), [[[to(CARL, 10n)], SENT]])).toEqual([]);
    expect(restOf(orderOf(whole), [[[to(ANNA, 11n)], SENT]])).toEqual([]);
    expect(restOf(orderOf(whole), [[[...whole, to(ANNA, 1n)], SENT]])).toEqual([]);
  });

  it("and what was paid are the whole, for every fate of every transaction", () => {
    const cuts = [
      [to(ANNA, 10n, "aa"), to(BERT, 1n, "bb")],
      [to(BERT, 7n)],
      [to(BERT, 12n), to(CARL, 2n, "cc")],
    ];
    for (let fate = 0; fate < 2 ** cuts.length; fate += 1) {
      const parts = cuts.map(
        (payees, bit) => [payees, fate & (1 << bit) ? SENT : REFUSED] as const,
      );
      const rest = restOf(orderOf(whole), parts);
      const paid = parts.flatMap(([payees, status]) => (status === SENT ? payees : []));
      const sumOf = (payees: readonly Payee[], who: Payee) =>
        payees.reduce((sum, one) => (one.recipient === who.recipient ? sum + one.value : sum), 0n);
      for (const payee of whole) {
        expect(sumOf(rest, payee) + sumOf(paid, payee)).toBe(payee.value);
      }
      // Each memo is delivered once: it went out, or it goes with the rest.
      const memos = [...rest, ...paid].flatMap(({ memo }) => (memo === "" ? [] : [memo]));
      expect(memos.toSorted()).toEqual(["aa", "bb", "cc"]);
    }
  });

  it("is paid once: a later payment of exactly the rest leaves none, one that failed does", () => {
    const parts = [[[to(ANNA, 10n, "aa"), to(BERT, 20n, "bb")], SENT]] as const;
    const rest = [to(CARL, 5n, "cc")];
    const order = orderOf(whole);
    expect(restOf(order, parts, [payment("later", rest, SENT)])).toEqual([]);
    expect(restOf(order, parts, [payment("later", rest, REFUSED)])).toEqual(rest);
    expect(restOf(order, parts, [payment("later", [to(CARL, 4n)], SENT)])).toEqual(rest);
    const before = { ...payment("before", rest, SENT), createdMs: asTimestampMs(1n) };
    expect(restOf(order, parts, [before])).toEqual(rest);
  });
});
