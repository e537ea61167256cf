import { describe, expect, it } from "vitest";
import { asSompi, asTimestampMs } from "../../base/brand.ts";
import { applyFacts } from "../reduce/applyFacts.ts";
import { forgetPayment } from "../reduce/forgetPayment.ts";
import { historyRows } from "./history.ts";
import { addIncoming, dropIncoming } from "../reduce/incoming.ts";
import { encodeMemo } from "../state/memo.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";
import { advance, eventsToMempool, payeeOf, withPlanned } from "../testkit/payments.ts";

const COIN = 100_000_000n;

describe("history", () => {
  it("shows what waits, what arrives and what has settled, newest first", () => {
    const model = new ChainModel();
    model.add({ mined: [5n * COIN] });
    model.addEmpty(10);
    let state = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
    const payees = [payeeOf(COIN, { memo: encodeMemo("rent") })];
    state = withPlanned(state, TEST_POLICY, { id: "p", payees });
    const rows = (from: typeof state) =>
      historyRows(from, TEST_POLICY, []).map((row) => [row.kind, row.state, row.confirmations]);
    const mined = ["mined", "settled", 11n];
    expect(rows(state)).toEqual([["sent", "working", 0n], mined]);
    const txid = model.txid();
    state = advance(state, "p", eventsToMempool(txid));
    expect(rows(state)).toEqual([["sent", "waiting", 0n], mined]);
    const spends = state.outbox[0]?.reserved.map(({ nullifier }) => nullifier) ?? [];
    model.add({ txs: [{ txid, spends }] });
    state = applyFacts(state, model.page(12), TEST_POLICY);
    expect(rows(state)).toEqual([
      ["sent", "arriving", 1n],
      ["mined", "settled", 12n],
    ]);
    model.addEmpty(5);
    state = applyFacts(state, model.page(13), TEST_POLICY);
    expect(historyRows(state, TEST_POLICY, [])[0]).toMatchObject({
      id: txid,
      state: "settled",
      paymentId: "p",
      paymentStatus: { state: "settled" },
      counterparty: "test:payee",
      memo: { kind: "text", text: "rent" },
      fee: 1_855_400n,
      confirmations: 6n,
    });
  });

  it("calls a payment to oneself by its name and shows a failed one as failed", () => {
    const model = new ChainModel();
    model.add({ mined: [5n * COIN] });
    model.addEmpty(10);
    let state = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
    const own = { ...payeeOf(COIN), own: true };
    state = withPlanned(state, TEST_POLICY, { id: "p", payees: [own] });
    state = advance(state, "p", [{ type: "cancel" }]);
    expect(historyRows(state, TEST_POLICY, []).at(-1)).toMatchObject({
      kind: "self",
      state: "failed",
    });
  });
});

describe("payments that ended", () => {
  it("stand among the rows of the chain by their time, below what came later", () => {
    const model = new ChainModel();
    model.add({ mined: [5n * COIN] });
    model.addEmpty(10);
    let state = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
    state = withPlanned(state, TEST_POLICY, { id: "p", payees: [payeeOf(COIN)] });
    state = advance(state, "p", [{ type: "cancel" }]);
    const kinds = () => historyRows(state, TEST_POLICY, []).map(({ kind }) => kind);
    // The payment was made at time 0, before every block.
    expect(kinds()).toEqual(["mined", "sent"]);
    const [payment] = state.outbox;
    if (payment === undefined) throw new Error("no payment");
    const later = (model.at(1)?.timestamp ?? asTimestampMs(0n)) + 1n;
    state = { ...state, outbox: [{ ...payment, createdMs: asTimestampMs(later) }] };
    expect(kinds()).toEqual(["sent", "mined"]);
    model.add({ mined: [7n * COIN] });
    state = applyFacts(state, model.page(12), TEST_POLICY);
    expect(kinds()).toEqual(["mined", "sent", "mined"]);
  });

  it("are taken out of the history, and only when no block can apply them", () => {
    const model = new ChainModel();
    model.add({ mined: [5n * COIN] });
    model.addEmpty(10);
    const fresh = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
    const planned = withPlanned(fresh, TEST_POLICY, { id: "p", payees: [payeeOf(COIN)] });
    const cancelled = advance(planned, "p", [{ type: "cancel" }]);
    expect(forgetPayment(cancelled, "p").outbox).toEqual([]);
    expect(forgetPayment(cancelled, "another")).toBe(cancelled);
    const out = advance(planned, "p", eventsToMempool(model.txid()));
    expect(() => forgetPayment(out, "p")).toThrow(
      expect.objectContaining({ code: "wallet/payment-pending" }),
    );
  });
});

describe("incoming payments", () => {
  it("show until a block or the pool takes them away, and are never our own change", () => {
    const model = new ChainModel();
    model.add({ mined: [5n * COIN] });
    let state = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
    const [note] = state.notes;
    if (note === undefined) throw new Error("no note");
    const pool = new ChainModel();
    const [txid, change, later] = [model.txid(), model.txid(), model.txid()];
    const outputs = [{ value: COIN }, { value: 2n * COIN, memo: encodeMemo("hi") }];
    pool.add({
      txs: [
        { txid, outputs },
        { txid: change, spends: [note.nullifier], outputs: [{ value: 4n * COIN }] },
        { txid: later, outputs: [{ value: 9n }] },
      ],
    });
    let incoming = addIncoming([], pool.page(1).facts, state);
    expect(incoming).toMatchObject([
      { txid, amount: 3n * COIN },
      { txid: later, amount: 9n },
    ]);
    expect(addIncoming(incoming, pool.page(1).facts, state)).toEqual(incoming);
    incoming = dropIncoming(incoming, [later]);
    expect(historyRows(state, TEST_POLICY, incoming)[0]).toMatchObject({
      kind: "received",
      state: "waiting",
      amount: asSompi(3n * COIN),
      memo: { text: "hi" },
    });
    model.add({ txs: [{ txid, outputs }] });
    state = applyFacts(state, model.page(2), TEST_POLICY);
    expect(
      historyRows(state, TEST_POLICY, incoming).filter((row) => row.txid === txid),
    ).toHaveLength(1);
    expect(addIncoming([], pool.page(1).facts, state).map((entry) => entry.txid)).toEqual([later]);
  });
});
