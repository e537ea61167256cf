import { describe, expect, it } from "vitest";
import { asChainIndex, type Nullifier } from "@svc/shared/base/brand.ts";
import { applyFacts } from "@svc/shared/wallet/reduce/applyFacts.ts";
import { alignPage, extended, tipOf, type ChainView } from "@svc/shared/wallet/state/chainView.ts";
import type { WalletState } from "@svc/shared/wallet/state/walletState.ts";
import { encodeWalletState } from "@svc/shared/wallet/state/walletStateCodec.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "@svc/shared/wallet/testkit/chainModel.ts";
import {
  advance,
  eventsToMempool,
  payeeOf,
  withPlanned,
} from "@svc/shared/wallet/testkit/payments.ts";
import { applyPage, lanePage, watchedNullifiers } from "./applyPage.ts";

const policy = { ...TEST_POLICY, recentBlocks: 40 };

/** The view of a lane after the model's blocks from an index on. */
function viewAfter(view: ChainView, model: ChainModel, from: number): ChainView {
  const { firstIndex, facts } = model.page(from);
  const body = model.body(from, model.length);
  const page = { firstIndex: asChainIndex(firstIndex), count: facts.blocks.length, body };
  const { blocks } = alignPage(view, tipOf(view), page);
  return extended(view, blocks, policy.recentBlocks);
}

/** Applies blocks from `from` on as a lane does, and as a wallet alone does. */
function both(lane: WalletState, alone: WalletState, model: ChainModel, from: number) {
  const { firstIndex, facts } = model.page(from);
  const common = { ...facts, blocks: facts.blocks.map((block) => ({ ...block, notes: [] })) };
  const finds = facts.blocks.some(({ notes }) => notes.length > 0);
  const page = lanePage(firstIndex, common, viewAfter(lane.blocks, model, from));
  const watched = watchedNullifiers(lane);
  return {
    lane: applyPage({ state: lane, watched }, page, finds ? facts : null, policy),
    alone: applyFacts(alone, { firstIndex, facts }, policy),
  };
}

describe("a page of a lane", () => {
  it("does to a wallet what it does to one that is scanned alone", () => {
    const model = new ChainModel();
    let states = { lane: freshWallet(), alone: freshWallet() };
    const next = (blocks: () => void): void => {
      const from = model.length + 1;
      blocks();
      states = both(states.lane, states.alone, model, from);
      expect(encodeWalletState(states.lane)).toBe(encodeWalletState(states.alone));
    };
    next(() => model.add({ mined: [5_000_000n, 6_000_000n] }));
    next(() => model.addEmpty(30));
    const txid = model.txid();
    const paid = (state: WalletState): WalletState =>
      advance(
        withPlanned(state, policy, { id: "a", payees: [payeeOf(1_000_000n)] }),
        "a",
        eventsToMempool(txid),
      );
    states = { lane: paid(states.lane), alone: paid(states.alone) };
    next(() => model.add());
    const spends: Nullifier[] = states.lane.outbox.flatMap(({ reserved }) =>
      reserved.map(({ nullifier }) => nullifier),
    );
    next(() => model.add({ txs: [{ txid, spends, outputs: [{ value: 44_600n }] }] }));
    expect(states.lane.outbox[0]?.status.state).toBe("accepted");
    next(() => model.addEmpty(10));
    expect(states.lane.outbox[0]?.status.state).toBe("settled");
  });

  it("forgets what is beyond recall also where nothing happens", () => {
    const model = new ChainModel();
    let states = { lane: freshWallet(), alone: freshWallet() };
    model.add({ mined: [5_000_000n] });
    states = both(states.lane, states.alone, model, 1);
    const spends = states.lane.notes.map(({ nullifier }) => nullifier);
    model.add({ txs: [{ txid: model.txid(), spends }] });
    states = both(states.lane, states.alone, model, 2);
    expect(states.lane.notes).toHaveLength(1);
    for (let index = 3; index <= 130; index += 1) {
      model.add();
      states = both(states.lane, states.alone, model, index);
    }
    expect(states.lane.notes).toHaveLength(0);
    expect(encodeWalletState(states.lane)).toBe(encodeWalletState(states.alone));
  });

  it("leaves the notes and payments of a wallet that it does not touch as they are, the same objects", () => {
    const model = new ChainModel();
    model.add({ mined: [5_000_000n] });
    const { lane } = both(freshWallet(), freshWallet(), model, 1);
    model.add({ txs: [{ txid: model.txid() }] });
    const after = both(lane, lane, model, 2).lane;
    expect(after.notes).toBe(lane.notes);
    expect(after.blocks).not.toBe(lane.blocks);
  });
});
