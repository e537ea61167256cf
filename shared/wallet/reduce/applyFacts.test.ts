import { describe, expect, it } from "vitest";
import { asSompi, asTimestampMs, asAddressText } from "../../base/brand.ts";
import { MAX_SOMPI } from "../../base/money.ts";
import { applyFacts } from "./applyFacts.ts";
import { walletFee } from "../state/fee.ts";
import { encodeMemo } from "../state/memo.ts";
import { addPayment, reduceOutbox } from "./outbox.ts";
import { draftPayment, type Payee } from "../state/payment.ts";
import {
  ChainModel,
  FOREIGN_ADDRESS,
  freshWallet,
  OWN_SECOND,
  TEST_POLICY,
} from "../testkit/chainModel.ts";
import { cursorOf, unspentNotes, type WalletState } from "../state/walletState.ts";

const COIN = 100_000_000n;

function scanAll(model: ChainModel, state = freshWallet()): WalletState {
  const from = Number(cursorOf(state).chainIndex) + 1;
  return applyFacts(state, model.page(from), TEST_POLICY);
}

describe("applyFacts", () => {
  it("owns mined notes and writes a row for each", () => {
    const model = new ChainModel();
    model.add({ mined: [57n * COIN, 2n * COIN] });
    const state = scanAll(model);
    expect(state.notes.map(({ kind, value }) => [kind, value])).toEqual([
      ["coinbase", 57n * COIN],
      ["coinbase", 2n * COIN],
    ]);
    expect(state.history.map(({ kind }) => kind)).toEqual(["mined", "mined"]);
    expect(cursorOf(state).leafEnd).toBe(3n);
  });

  it("adds up the outputs of one receipt and keeps its memo and address", () => {
    const model = new ChainModel();
    const memo = encodeMemo("order 17");
    const outputs = [{ value: 1n }, { value: 4n, recipient: OWN_SECOND, memo }];
    model.add({ txs: [{ txid: model.txid(), outputs }] });
    const state = scanAll(model);
    expect(state.history).toMatchObject([
      { kind: "received", amount: 5n, fee: null, memo, addressIndex: 0 },
    ]);
    expect(state.account.nextAddressIndex).toBe(8);
  });

  it.each([
    [2 ** 31 - 1, 2 ** 31],
    [2 ** 31, 1],
    [2 ** 32 - 1, 1],
  ])("a receipt at index %i makes the next own address %i", (addressIndex, next) => {
    const model = new ChainModel();
    model.add({ txs: [{ txid: model.txid(), outputs: [{ value: 1n }] }] });
    const page = model.page(1);
    const blocks = page.facts.blocks.map((block) => ({
      ...block,
      notes: block.notes.map((note) => ({ ...note, addressIndex })),
    }));
    const facts = { ...page.facts, blocks };
    const state = applyFacts(freshWallet(), { ...page, facts }, TEST_POLICY);
    expect(state.account.nextAddressIndex).toBe(next);
  });

  it("credits a note once, however often a page holds it, and says so", () => {
    const model = new ChainModel();
    model.add({ mined: [1n, 2n] });
    model.add({ mined: [4n] });
    const page = model.page(1);
    const nullifier = page.facts.blocks[0]?.notes[0]?.nullifier;
    if (nullifier === undefined) throw new Error("no note");
    const blocks = page.facts.blocks.map((block) => ({
      ...block,
      notes: block.notes.map((note) => ({ ...note, nullifier })),
    }));
    const facts = { ...page.facts, blocks };
    const state = applyFacts(freshWallet(), { ...page, facts }, TEST_POLICY);
    expect(state.notes.map(({ value }) => value)).toEqual([1n]);
    expect(state.contradiction).toEqual({
      chainIndex: 1n,
      reason: "the note at position 1 is there a second time",
    });
    expect(cursorOf(state).chainIndex).toBe(2n);
  });

  it("believes neither a falsely minted note nor more coins than there are", () => {
    const model = new ChainModel();
    model.add({ mined: [MAX_SOMPI, 1n] });
    const rich = scanAll(model);
    expect(rich.notes.map(({ value }) => value)).toEqual([MAX_SOMPI]);
    expect(rich.contradiction?.reason).toBe("more coins than there are");
    const page = model.page(1);
    const blocks = page.facts.blocks.map((block) => ({ ...block, notes: [], refused: 1 }));
    const facts = { ...page.facts, blocks };
    const state = applyFacts(freshWallet(), { ...page, facts }, TEST_POLICY);
    expect(state.contradiction?.reason).toBe("a mined note has another commitment");
    expect(cursorOf(state).leafEnd).toBe(3n);
  });

  it("recognises its own payment by the outbox, and the change as change", () => {
    const model = new ChainModel();
    model.add({ mined: [57n * COIN] });
    const [note] = unspentNotes(scanAll(model));
    if (note === undefined) throw new Error("no note");
    const txid = model.txid();
    const memo = encodeMemo("rent");
    const payee = payeeOf(12n * COIN, memo);
    let state = addPayment(scanAll(model), draftPayment("p", asTimestampMs(5n), [payee]));
    const reserved = [note];
    const fee = walletFee(2);
    const plan = { fee, change: asSompi(45n * COIN - fee), anchor: null, reserved };
    state = reduceOutbox(state, "p", { type: "plan", plan });
    state = reduceOutbox(state, "p", { type: "prove" });
    state = reduceOutbox(state, "p", { type: "sign" });
    state = reduceOutbox(state, "p", { type: "signed", txid, raw: "00" });
    const change = { value: 45n * COIN - fee };
    model.add({ txs: [{ txid, spends: [note.nullifier], outputs: [change] }] });
    state = scanAll(model, state);
    expect(state.history.at(-1)).toMatchObject({
      kind: "sent",
      amount: 12n * COIN,
      fee,
      memo,
      counterparty: "test:payee",
    });
    expect(state.notes.at(-1)?.kind).toBe("change");
    expect(state.notes[0]?.spentBy).toEqual({ txid, chainIndex: 2n });
    expect(state.outbox[0]?.status).toMatchObject({ state: "accepted", at: 2n });
  });

  it("tells payments it has no record of from moves within the wallet", () => {
    const model = new ChainModel();
    model.add({ mined: [57n * COIN, 30n * COIN] });
    const [first, second] = scanAll(model).notes;
    if (first === undefined || second === undefined) throw new Error("no notes");
    const fee = walletFee(2);
    const moved = { value: 57n * COIN - fee };
    const left = { value: 10n * COIN };
    model.add({
      txs: [
        { txid: model.txid(), spends: [first.nullifier], outputs: [moved] },
        { txid: model.txid(), spends: [second.nullifier], outputs: [left] },
      ],
    });
    expect(scanAll(model).history.slice(-2)).toMatchObject([
      { kind: "self", amount: 0n, fee },
      { kind: "sent", amount: 20n * COIN, fee: null, counterparty: null },
    ]);
  });

  it("gives the same state however the blocks are cut into pages", () => {
    const model = new ChainModel();
    for (let i = 0; i < 12; i += 1) model.add({ mined: [BigInt(i + 1)], foreignLeaves: i % 3 });
    const whole = scanAll(model);
    let state = freshWallet();
    for (let i = 1; i <= 12; i += 1) state = applyFacts(state, model.page(i, i), TEST_POLICY);
    expect(state).toEqual(whole);
  });

  it.each([
    ["skips a block", 2, (p: ReturnType<ChainModel["page"]>) => p],
    ["lies about the index", 1, (p: ReturnType<ChainModel["page"]>) => ({ ...p, firstIndex: 2n })],
    [
      "lacks leaves",
      1,
      (p: ReturnType<ChainModel["page"]>) => ({ ...p, facts: { ...p.facts, cmx: "" } }),
    ],
  ])("refuses a page that %s and leaves the state alone", (_, from, damage) => {
    const model = new ChainModel();
    model.add({ mined: [1n] });
    model.add({ mined: [2n] });
    const state = freshWallet();
    const before = structuredClone(state);
    expect(() => applyFacts(state, damage(model.page(from)), TEST_POLICY)).toThrow(
      "wallet/bad-page",
    );
    expect(state).toEqual(before);
  });
});

function payeeOf(value: bigint, memo: string): Payee {
  return {
    address: asAddressText("test:payee"),
    recipient: FOREIGN_ADDRESS,
    value: asSompi(value),
    memo,
    own: false,
  };
}
