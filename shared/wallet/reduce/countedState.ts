/** The part of a wallet's state that counts: what a node told above the last proved block is worth nothing once it was found lying. */
import type { ChainIndex } from "../../base/brand.ts";
import { lastProved, type ProvedBlock } from "../proof/chainProof.ts";
import type { WalletState } from "../state/walletState.ts";
import { restart, rollback } from "./rollback.ts";

/**
 * The state up to the last proved block; where nothing is proved, or that block is no longer remembered, that at the birthday. Pages are
 * read again and again while a lie stands, and what they tell is not shown for the moment until it is taken back. A false record above
 * that block is gone with it. `below`: the block of a payment that is false, and lies where everything else was proved; its page has to come
 * again, too.
 */
export function countedState(state: WalletState, below: ChainIndex | null = null): WalletState {
  const proved = rememberedProof(state);
  const isUnder = proved !== null && below !== null && proved.chainIndex >= below;
  const last = isUnder ? state.blocks.findLast(({ chainIndex }) => chainIndex < below) : proved;
  if (last !== null && last !== undefined) return withoutRecords(rollback(state, last.hash), last);
  const { birthday, historyMissing } = state.account;
  return restart(state, birthday, historyMissing);
}

/** The last proved block, where it is still remembered: what lies above it can be asked for anew from there. */
export function rememberedProof({ proof, blocks }: WalletState): ProvedBlock | null {
  const proved = lastProved(proof);
  return blocks.some(({ hash }) => hash === proved?.hash) ? proved : null;
}

function withoutRecords(
  state: WalletState,
  { chainIndex }: Pick<ProvedBlock, "chainIndex">,
): WalletState {
  const { contradiction } = state;
  if (contradiction === null || contradiction.chainIndex <= chainIndex) return state;
  return { ...state, contradiction: null };
}
