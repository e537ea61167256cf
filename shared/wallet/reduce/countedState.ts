/** The part of a wallet's state that counts: what a node told above the last proved block is worth nothing once it was found lying. */
import { lastProved, type ProvedBlock } from "../proof/chainProof.ts";
import type { WalletState } from "../state/walletState.ts";
import { restart, rollback } from "./rollback.ts";

/**
 * The state up to the last proved block; where nothing is proved, or that block is no longer remembered, that at the birthday. Pages are
 * read again and again while a lie stands, and what they tell is not shown for the moment until it is taken back. A false record above
 * that block is gone with it.
 */
export function countedState(state: WalletState): WalletState {
  const proved = rememberedProof(state);
  if (proved !== null) return withoutRecords(rollback(state, proved.hash), proved);
  const { birthday, historyMissing } = state.account;
  return restart(state, birthday, historyMissing);
}

/** The last proved block, where it is still remembered: what lies above it can be asked for anew from there. */
export function rememberedProof({ proof, blocks }: WalletState): ProvedBlock | null {
  const proved = lastProved(proof);
  return blocks.some(({ hash }) => hash === proved?.hash) ? proved : null;
}

function withoutRecords(state: WalletState, { chainIndex }: ProvedBlock): WalletState {
  const { contradiction } = state;
  if (contradiction === null || contradiction.chainIndex <= chainIndex) return state;
  return { ...state, contradiction: null };
}
