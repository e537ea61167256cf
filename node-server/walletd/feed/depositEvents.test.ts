import { describe, expect, it } from "vitest";
import { applyFacts } from "@svc/shared/wallet/reduce/applyFacts.ts";
import { rollback } from "@svc/shared/wallet/reduce/rollback.ts";
import { cursorOf, type WalletState } from "@svc/shared/wallet/state/walletState.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "@svc/shared/wallet/testkit/chainModel.ts";
import { depositEvents } from "./depositEvents.ts";

const page = (state: WalletState, model: ChainModel): WalletState =>
  applyFacts(state, model.page(Number(cursorOf(state).chainIndex) + 1), TEST_POLICY);

const short = (before: WalletState, after: WalletState) =>
  depositEvents(before, after, TEST_POLICY).map(({ kind, amount, chainIndex }) => [
    kind,
    amount,
    chainIndex,
  ]);

describe("events of a change", () => {
  it("credit what blocks bring, announcements of no value too, but not change", () => {
    const model = new ChainModel();
    model.add({ mined: [9n] });
    const first = page(freshWallet(), model);
    const spends = first.notes.map(({ nullifier }) => nullifier);
    model.add({ txs: [{ txid: model.txid(), outputs: [{ value: 0n, memo: "6869" }] }] });
    model.add({ txs: [{ txid: model.txid(), spends, outputs: [{ value: 4n }] }] });
    const second = page(first, model);
    expect(short(freshWallet(), first)).toEqual([["credited", 9n, 1n]]);
    expect(short(first, second)).toEqual([["credited", 0n, 2n]]);
    const [event] = depositEvents(first, second, TEST_POLICY);
    expect(event).toMatchObject({ blockHash: model.at(2)?.hash, memo: "6869", addressIndex: 0 });
  });

  it("say what is final once it is deep enough, in the page that brought it where that is long", () => {
    const model = new ChainModel();
    model.add({ mined: [9n] });
    const first = page(freshWallet(), model);
    model.addEmpty(4);
    const second = page(first, model);
    expect(short(first, second)).toEqual([]);
    model.add();
    const third = page(second, model);
    expect(short(second, third)).toEqual([["final", 9n, 1n]]);
    model.add({ mined: [7n] });
    model.addEmpty(5);
    expect(short(third, page(third, model))).toEqual([
      ["credited", 7n, 7n],
      ["final", 7n, 7n],
    ]);
  });

  it("reverse what was in blocks that are undone", () => {
    const model = new ChainModel();
    for (const value of [1n, 2n, 3n]) model.add({ mined: [value] });
    const before = page(freshWallet(), model);
    const common = model.at(1)?.hash ?? expect.unreachable();
    const [, second] = depositEvents(freshWallet(), before, TEST_POLICY);
    const events = depositEvents(before, rollback(before, common), TEST_POLICY);
    expect(events.map(({ kind, amount }) => [kind, amount])).toEqual([
      ["reversed", 2n],
      ["reversed", 3n],
    ]);
    expect(events[0]).toEqual({ ...second, kind: "reversed" });
  });
});
