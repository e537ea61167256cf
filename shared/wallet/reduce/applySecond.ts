/** The reducer of a second node's differing pages and tip (docs/light-client.md). Nothing that this node says stops the wallet. */
import { SvcError } from "../../base/svcError.ts";
import type { Multiply } from "../proof/walletLedger.ts";
import type { ScanFacts } from "../state/scanFacts.ts";
import type { ChainBlock, WalletState } from "../state/walletState.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";
import { applyFacts } from "./applyFacts.ts";
import { rollback } from "./rollback.ts";

/** What a second node said, where it is no page to scan. */
export type SecondWord =
  | { readonly type: "same"; readonly to: ChainBlock }
  | { readonly type: "other"; readonly to: ChainBlock }
  | { readonly type: "tip"; readonly found: bigint; readonly other: bigint | null };

/** Blocks that a second node tells with other ciphertexts, and what the scan of its page found; null where it cannot be read. */
export type OtherPage = {
  readonly from: ChainBlock;
  readonly to: ChainBlock;
  readonly facts: ScanFacts | null;
};

/** The state after pages that a second node has, too, after one that it tells otherwise, or after a look at its tip. */
export function applySecond(state: WalletState, word: SecondWord): WalletState {
  switch (word.type) {
    case "same":
      return withSecond(state, { page: null, compared: word.to.chainIndex });
    case "other": {
      const { hash: block, chainIndex: compared } = word.to;
      const error = new SvcError("evidence/other-page", { block });
      return withSecond(state, { page: error.toJSON(), compared });
    }
    case "tip": {
      const { found, other } = word;
      if (other === null) return withSecond(state, { tip: null });
      const error = new SvcError("evidence/behind-other", { found, other });
      return withSecond(state, { tip: error.toJSON() });
    }
  }
}

/**
 * The state at the end of the page, with the notes of whichever of the two shows more of them. What the chain commits to is the same in
 * both, so a note that either shows is there. The blocks above come again.
 */
export function applyOtherPage(
  state: WalletState,
  { from, to, facts }: OtherPage,
  policy: WalletPolicy,
  multiply: Multiply | null = null,
): WalletState {
  const own = applySecond(rollback(state, to.hash), { type: "other", to });
  if (facts === null || !state.blocks.some(({ hash }) => hash === from.hash)) return own;
  const page = { firstIndex: from.chainIndex + 1n, facts };
  const other = applyFacts(rollback(state, from.hash), page, policy, multiply);
  const more = shownAbove(other, from) > shownAbove(own, from) ? other : own;
  return { ...more, blocks: own.blocks, ledger: own.ledger, proof: own.proof };
}

/** The state without what a second node said: it is no longer asked. */
export function unclaimed(state: WalletState): WalletState {
  return withSecond(state, { page: null, tip: null, compared: null });
}

function withSecond(
  state: WalletState,
  change: Partial<WalletState["proof"]["second"]>,
): WalletState {
  const { second } = state.proof;
  const next = { ...second, ...change };
  const isSame =
    next.page === second.page && next.tip === second.tip && next.compared === second.compared;
  if (isSame) return state;
  return { ...state, proof: { ...state.proof, second: next } };
}

/** How many notes, and how many memos are known above a block. A note may be read without its memo, where only that was changed. */
function shownAbove({ notes }: WalletState, { chainIndex }: ChainBlock): number {
  const above = notes.filter((note) => note.chainIndex > chainIndex);
  return above.length + above.filter(({ memo }) => memo !== "").length;
}
