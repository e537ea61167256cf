import { expect, it } from "vitest";
import { asChainIndex, asSompi, asTxId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { payeeOf } from "@svc/shared/wallet/testkit/payments.ts";
import type { Payment } from "@svc/shared/wallet/state/payment.ts";
import { settledPayment } from "../testkit/settledPayment.ts";
import { payoutResults } from "./payoutResults.ts";
import type { SpendOrder } from "./spendOrder.ts";

const ORDER: SpendOrder = {
  kind: "payout",
  payees: [10n, 20n, 30n].map((value) => payeeOf(value)),
  lines: [
    { line: 2, reference: "a" },
    { line: 3, reference: null },
    { line: 5, reference: "c" },
  ],
  feeFloor: asSompi(0n),
  maxFee: null,
  order: "smallest",
};
const STOPPED = new SvcError("prove/failed", { reason: "x" }).toJSON();

/** The number of a transaction, and what it pays of each payee. */
function paymentOf(
  number: number,
  values: readonly bigint[],
  over: Partial<Payment> = {},
): Payment {
  const payees = values.map((value) => payeeOf(value));
  return { ...settledPayment(number), payees, ...over };
}

const lost = (number: number): Partial<Payment> => ({
  status: { state: "conflicted", at: asChainIndex(1n), previous: null, txid: txidOf(number) },
});
const txidOf = (number: number) => asTxId(`f${number.toString(16).padStart(63, "0")}`);

function told(payments: readonly Payment[], state: "running" | "failed" | "cancelled") {
  const error = state === "failed" ? STOPPED : null;
  return payoutResults(ORDER, payments, { state, error }).map(
    ({ row, status, sent, txids, error: why }) => [
      row.line,
      status,
      sent,
      txids.length,
      why?.code ?? null,
    ],
  );
}

it("a payout over several transactions has all of them", () => {
  const results = payoutResults(ORDER, [paymentOf(1, [10n, 5n]), paymentOf(2, [15n, 30n])], {
    state: "done",
    error: null,
  });
  expect(results.map(({ status, txids }) => [status, txids])).toEqual([
    ["sent", [txidOf(1)]],
    ["sent", [txidOf(1), txidOf(2)]],
    ["sent", [txidOf(2)]],
  ]);
});

it("what was not sent waits, or has failed, or was cancelled", () => {
  const payments = [paymentOf(1, [10n, 5n])];
  expect(told(payments, "running")).toEqual([
    [2, "sent", 10n, 1, null],
    [3, "waiting", 5n, 1, null],
    [5, "waiting", 0n, 0, null],
  ]);
  expect(told(payments, "failed")).toEqual([
    [2, "sent", 10n, 1, null],
    [3, "part", 5n, 1, "prove/failed"],
    [5, "failed", 0n, 0, "prove/failed"],
  ]);
  expect(told(payments, "cancelled").map(([, status]) => status)).toEqual([
    "sent",
    "part",
    "cancelled",
  ]);
});

it("a transaction that another one overtook paid nothing, and those behind it paid theirs", () => {
  const payments = [paymentOf(1, [10n]), paymentOf(2, [20n], lost(9)), paymentOf(3, [30n])];
  expect(told(payments, "failed")).toEqual([
    [2, "sent", 10n, 1, null],
    [3, "failed", 0n, 0, "tx/nullifier-spent"],
    [5, "sent", 30n, 1, null],
  ]);
});

it("a transaction that nobody signed counts for nothing", () => {
  const unsigned = paymentOf(2, [20n], { txid: null, status: { state: "planned" } });
  expect(told([paymentOf(1, [10n]), unsigned], "failed").map(([, status]) => status)).toEqual([
    "sent",
    "failed",
    "failed",
  ]);
});
