import { expect, it } from "vitest";
import { asLeafPosition } from "../../base/brand.ts";
import { applyFacts } from "./applyFacts.ts";
import { giveNoteIndex, placeOfNote, takeNoteIndex } from "./noteIndex.ts";
import { rollback } from "./rollback.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";
import { unspentNotes, type OwnNote, type WalletState } from "../state/walletState.ts";

const POLICY = { ...TEST_POLICY, recentBlocks: 6 };

/** Lookups over an index of notes. */
function indexed(notes: readonly OwnNote[]) {
  const index = takeNoteIndex(notes);
  giveNoteIndex(notes, index);
  const unspent = [...index.unspent].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { unspent, known: [...index.known].toSorted(), worth: index.worth };
}

/** The same, made anew from a copy that nobody gave one back for. */
function expectIndexed({ notes }: WalletState): void {
  expect(indexed(notes)).toEqual(indexed([...notes]));
}

it("is that of the notes after every block, however many spend, bring and forget notes", () => {
  const model = new ChainModel();
  let state = freshWallet();
  for (let turn = 1; turn <= 40; turn += 1) {
    const spent = turn % 3 === 0 ? unspentNotes(state).slice(1, 3) : [];
    const spends = spent.map(({ nullifier }) => nullifier);
    model.add({ mined: [1n, BigInt(turn)], txs: [{ txid: model.txid(), spends }] });
    state = applyFacts(state, model.page(turn), POLICY);
    expectIndexed(state);
  }
  expect(state.notes.some(({ spentBy }) => spentBy !== null)).toBe(true);
  expect(state.notes.length).toBeLessThan(80);
});

it("is of no use to a state that it was not given back for", () => {
  const model = new ChainModel();
  model.add({ mined: [5n, 6n] });
  const first = applyFacts(freshWallet(), model.page(1), POLICY);
  const nullifier = first.notes[0]?.nullifier;
  model.add({ txs: [{ txid: model.txid(), spends: nullifier === undefined ? [] : [nullifier] }] });
  const second = applyFacts(first, model.page(2), POLICY);
  const common = first.blocks.at(-1)?.hash;
  if (common === undefined) throw new Error("no block");
  // The same block again, from the state before it and from the one that was rolled back to it.
  for (const state of [first, rollback(second, common)]) {
    const again = applyFacts(state, model.page(2), POLICY);
    expect(again.notes).toEqual(second.notes);
    expectIndexed(again);
  }
});

it("is not spoiled by a page that is refused in its middle", () => {
  const model = new ChainModel();
  model.add({ mined: [5n] });
  const state = applyFacts(freshWallet(), model.page(1), POLICY);
  model.add({ mined: [6n] });
  model.add({ mined: [7n] });
  const page = model.page(2);
  const [good, bad] = page.facts.blocks;
  if (good === undefined || bad === undefined) throw new Error("no blocks");
  const blocks = [good, { ...bad, firstLeaf: asLeafPosition(99n) }];
  const broken = { ...page, facts: { ...page.facts, blocks } };
  expect(() => applyFacts(state, broken, POLICY)).toThrow("leaf");
  expectIndexed(state);
  expectIndexed(applyFacts(state, page, POLICY));
});

it("finds the place of a note by its position", () => {
  const model = new ChainModel();
  for (let block = 0; block < 5; block += 1) model.add({ mined: [1n, 2n] });
  const { notes } = applyFacts(freshWallet(), model.page(1), POLICY);
  expect(notes.map(({ position }) => placeOfNote(notes, position))).toEqual([...notes.keys()]);
  for (const position of [2n, 100n]) expect(placeOfNote(notes, position)).toBe(-1);
  expect(placeOfNote([], 0n)).toBe(-1);
});
