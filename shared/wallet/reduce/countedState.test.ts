import { asChainIndex } from "../../base/brand.ts";
import { describe, expect, it } from "vitest";
import { applyFacts } from "./applyFacts.ts";
import { countedState } from "./countedState.ts";
import { cursorOf, sumOfNotes, unspentNotes, type WalletState } from "../state/walletState.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";

const COIN = 100_000_000n;

/** A chain that mined 5 coins in block 1 and 7 in block 4. */
function scanned(): WalletState {
  const chain = new ChainModel();
  chain.add({ mined: [5n * COIN] });
  chain.addEmpty(2);
  chain.add({ mined: [7n * COIN] });
  return applyFacts(freshWallet(), chain.page(1), TEST_POLICY);
}

function provedAt(state: WalletState, place: number): WalletState {
  const block = state.blocks.at(place);
  if (block === undefined) throw new Error("the chain is longer");
  const { hash, chainIndex, blueScore: tipBlueScore, timestamp: tipTimestamp } = block;
  const near = { hash, chainIndex, tip: hash, tipBlueScore, tipTimestamp, blocks: 1n };
  return { ...state, proof: { ...state.proof, near } };
}

const total = (state: WalletState): bigint => sumOfNotes(unspentNotes(state)) / COIN;

describe("what counts of a wallet whose node lies", () => {
  it("is the state at the last proved block", () => {
    const state = provedAt(scanned(), -3);
    const counted = countedState(state);
    expect([total(state), total(counted)]).toEqual([12n, 5n]);
    expect(cursorOf(counted).hash).toBe(state.proof.near?.hash);
    expect(countedState(counted)).toBe(counted);
  });

  it("holds no false record that a liar told above that block", () => {
    const proved = provedAt(scanned(), -3);
    const above = cursorOf(proved).chainIndex;
    const below = asChainIndex(1n);
    const told = (chainIndex: typeof above) =>
      countedState({ ...proved, contradiction: { chainIndex, reason: "more coins" } });
    expect(told(above).contradiction).toBeNull();
    expect(told(below).contradiction?.chainIndex).toBe(below);
  });

  it("is nothing where nothing is proved", () => {
    expect(total(countedState(scanned()))).toBe(0n);
  });

  it("is nothing where the proved block is forgotten", () => {
    const state = provedAt(scanned(), 1);
    expect(total(countedState({ ...state, blocks: state.blocks.slice(2) }))).toBe(0n);
  });
});
