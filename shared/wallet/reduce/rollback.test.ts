import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TxId } from "../../base/brand.ts";
import { applyFacts } from "./applyFacts.ts";
import { planPayment } from "../plan/planner.ts";
import { reviewPayment } from "../plan/reviewPayment.ts";
import { restart, rollback } from "./rollback.ts";
import { ChainModel, freshWallet, OWN_SECOND, type ModelTx } from "../testkit/chainModel.ts";
import { TEST_POLICY } from "../testkit/chainModel.ts";
import { advance, eventsToMempool, payeeOf, withPlanned } from "../testkit/payments.ts";
import { spendability } from "../plan/spendability.ts";
import { cursorOf, unspentNotes, type WalletState } from "../state/walletState.ts";
import { encodeWalletState } from "../state/walletStateCodec.ts";

/** Shallow rules, so that short chains see maturity, settling, expiry and forgetting. */
const policy = {
  ...TEST_POLICY,
  anchorDepth: 3n,
  slack: 1n,
  grid: 2n,
  settleDepth: 2n,
  maxAnchorAge: 9n,
  recentBlocks: 20,
};

type Step = {
  readonly mined: readonly number[];
  readonly received: number;
  readonly foreignLeaves: number;
  readonly blue: number;
  readonly act: "nothing" | "pay" | "payAndForget" | "stolen" | "toSelf";
};

const step: fc.Arbitrary<Step> = fc.record({
  mined: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 2 }),
  received: fc.integer({ min: 0, max: 3 }),
  foreignLeaves: fc.integer({ min: 0, max: 3 }),
  blue: fc.integer({ min: 1, max: 3 }),
  act: fc.constantFrom("nothing", "nothing", "pay", "payAndForget", "stolen", "toSelf"),
});

/** Plays the steps: pays when it can, mines what was paid one block later. */
class Story {
  readonly model = new ChainModel();
  state: WalletState = freshWallet();
  #due: ModelTx[] = [];

  play({ mined, received, foreignLeaves, blue, act }: Step): void {
    const unit = 100_000_000n;
    const txs = this.#stillValid(this.#due);
    this.#due = [];
    if (received > 0) {
      txs.push({ txid: this.model.txid(), outputs: [{ value: BigInt(received) * unit }] });
    }
    if (act === "stolen") txs.push(...this.#stolen(txs));
    else if (act !== "nothing") this.#pay(act);
    this.model.add({
      mined: mined.map((coins) => BigInt(coins) * unit),
      txs,
      foreignLeaves,
      blue: BigInt(blue),
    });
    const last = this.model.length;
    this.state = applyFacts(this.state, this.model.page(last), policy);
  }

  #pay(act: Step["act"]): void {
    const id = `payment ${this.model.length}`;
    const recipient = act === "toSelf" ? { recipient: OWN_SECOND } : {};
    const payee = payeeOf(150_000_000n, recipient);
    const txid = this.model.txid();
    try {
      this.state = withPlanned(this.state, policy, { id, payees: [payee] });
    } catch {
      return;
    }
    this.state = advance(this.state, id, eventsToMempool(txid));
    const payment = this.state.outbox.at(-1);
    if (payment === undefined || act === "payAndForget") return;
    const outputs = [{ value: payment.change }, ...(payee.own ? [payee] : [])];
    this.#due.push({ txid, spends: payment.reserved.map(({ nullifier }) => nullifier), outputs });
  }

  #stolen(others: readonly ModelTx[]): ModelTx[] {
    const taken = new Set(others.flatMap(({ spends }) => spends ?? []));
    const note = unspentNotes(this.state).find(({ nullifier }) => !taken.has(nullifier));
    return note === undefined ? [] : [{ txid: this.model.txid(), spends: [note.nullifier] }];
  }

  #stillValid(txs: readonly ModelTx[]): ModelTx[] {
    const unspent = new Set(unspentNotes(this.state).map(({ nullifier }) => nullifier));
    return txs.filter(({ spends = [] }) => spends.every((nullifier) => unspent.has(nullifier)));
  }
}

describe("rollback", () => {
  it("undoes so that the same blocks give the same bytes again", () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 12, maxLength: 40 }),
        fc.nat(),
        fc.integer({ min: 1, max: 9 }),
        (steps, depthSeed, pageBlocks) => {
          const story = new Story();
          for (const each of steps) story.play(each);
          const { state, model } = story;
          const forward = encodeWalletState(state);
          const depth = depthSeed % state.blocks.length;
          const common = state.blocks[state.blocks.length - 1 - depth];
          if (common === undefined) throw new Error("no such block");
          let again = rollback(state, common.hash);
          expect(cursorOf(again)).toEqual(common);
          for (let from = Number(common.chainIndex) + 1; from <= model.length; from += pageBlocks) {
            const to = Math.min(from + pageBlocks - 1, model.length);
            again = applyFacts(again, model.page(from, to), policy);
          }
          expect(encodeWalletState(again)).toBe(forward);
          for (const { status } of state.outbox) reached.add(status.state);
        },
      ),
      { numRuns: 150 },
    );
    for (const end of ["accepted", "settled", "conflicted", "expired", "mempool"]) {
      expect(reached).toContain(end);
    }
  });

  it("gives back what the undone blocks took", () => {
    const model = new ChainModel();
    model.add({ mined: [500_000_000n] });
    model.addEmpty(14);
    let state = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
    const before = state;
    const [note] = state.notes;
    if (note === undefined) throw new Error("no note");
    const txid = model.txid();
    state = withPlanned(state, TEST_POLICY, { id: "p", payees: [payeeOf(100_000_000n)] });
    state = advance(state, "p", eventsToMempool(txid));
    const waiting = state.outbox[0]?.status;
    model.add({ txs: [{ txid, spends: [note.nullifier] }] });
    state = applyFacts(state, model.page(16), TEST_POLICY);
    expect(state.notes[0]?.spentBy?.txid).toBe<TxId>(txid);
    state = rollback(state, cursorOf(before).hash);
    expect(state.notes).toEqual(before.notes);
    expect(state.history).toEqual(before.history);
    expect(state.outbox[0]?.status).toEqual(waiting);
  });

  it("refuses to go below what it remembers", () => {
    const model = new ChainModel();
    model.addEmpty(30);
    const state = applyFacts(freshWallet(), model.page(1), policy);
    expect(state.blocks).toHaveLength(20);
    const forgotten = model.at(5);
    if (forgotten === undefined) throw new Error("no block");
    expect(() => rollback(state, forgotten.hash)).toThrow("wallet/reorg-too-deep");
  });

  it("keeps payments when everything is scanned again", () => {
    const model = new ChainModel();
    model.add({ mined: [500_000_000n] });
    model.addEmpty(14);
    let state = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
    const [note] = state.notes;
    if (note === undefined) throw new Error("no note");
    const txid = model.txid();
    state = withPlanned(state, TEST_POLICY, { id: "p", payees: [payeeOf(100_000_000n)] });
    state = advance(state, "p", eventsToMempool(txid));
    model.add({ txs: [{ txid, spends: [note.nullifier] }] });
    model.addEmpty(6);
    state = applyFacts(state, model.page(16), TEST_POLICY);
    expect(state.outbox[0]?.status.state).toBe("settled");
    const again = restart(state, state.account.birthday, false);
    expect(again.outbox[0]?.status.state).toBe("mempool");
    expect(applyFacts(again, model.page(1), TEST_POLICY)).toEqual(state);
  });

  /** A payment that settled on the chain of a node, beyond undoing. */
  function settledForGood() {
    const model = new ChainModel();
    model.add({ mined: [500_000_000n] });
    model.addEmpty(14);
    const scanned = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
    const spends = scanned.notes.map(({ nullifier }) => nullifier);
    const txid = model.txid();
    let state = withPlanned(scanned, TEST_POLICY, {
      id: "p",
      payees: [payeeOf(100_000_000n)],
    });
    state = advance(state, "p", eventsToMempool(txid));
    model.add({ txs: [{ txid, spends }] });
    model.addEmpty(TEST_POLICY.recentBlocks + 5);
    state = applyFacts(state, model.page(16), TEST_POLICY);
    expect(state.outbox[0]).toMatchObject({
      raw: null,
      status: { state: "settled", previous: null },
    });
    return { model, state, again: restart(state, state.account.birthday, false) };
  }

  it("frees the notes of a payment that the chain scanned anew does not have", () => {
    const { model, again } = settledForGood();
    const honest = model.retold((block) => ({
      ...block,
      txs: block.txs.map((tx) => ({ ...tx, nullifiers: [] })),
    }));
    const found = applyFacts(again, honest.page(1), TEST_POLICY);
    const { notes } = spendability(found, TEST_POLICY);
    expect(notes.map(({ standing }) => standing)).toEqual(["spendable"]);
    expect(planPayment(found, TEST_POLICY, [payeeOf(1n)]).notes).toHaveLength(1);
    const retry = reviewPayment(found, TEST_POLICY, [payeeOf(100_000_000n)]);
    expect(retry).toMatchObject({ shares: true, repeated: [{ id: "p" }] });
  });

  it("settles it again where the chain has it, even if the note that it spends was not found", () => {
    const { model, state, again } = settledForGood();
    expect(applyFacts(again, model.page(1), TEST_POLICY)).toEqual(state);
    const without = model.retold((block) => ({ ...block, notes: [] }));
    const found = applyFacts(again, without.page(1), TEST_POLICY);
    expect(found.notes).toEqual([]);
    expect(found.outbox).toEqual(state.outbox);
  });
});
