/**
 * Rollback: undoes chain blocks after a reorganisation (specification wallet 9).
 *
 * Everything that a block brought carries the block's chain index, so the state itself is the
 * undo log: scanning the undone blocks again gives the same bytes as never having undone them.
 */
import type { BlockHash } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import { withoutSpent } from "./noteIndex.ts";
import { compactOutbox, restartOutbox, revertOutbox } from "./outboxChain.ts";
import { proofCut, unproved } from "../proof/chainProof.ts";
import { ledgerCut, ledgerSettled, newLedger, type Multiply } from "../proof/walletLedger.ts";
import type { ChainBlock, WalletState } from "../state/walletState.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";

/**
 * Returns the state as of block `common`, whose tree then ends at the new cursor's `leafEnd`. Throws
 * `wallet/reorg-too-deep` when the wallet does not remember that block.
 */
export function rollback(state: WalletState, common: BlockHash): WalletState {
  const kept = state.blocks.findIndex(({ hash }) => hash === common);
  const block = state.blocks[kept];
  if (block === undefined) throw tooDeep(state);
  if (kept === state.blocks.length - 1) return state;
  const { chainIndex } = block;
  return {
    ...state,
    blocks: state.blocks.slice(0, kept + 1),
    notes: state.notes
      .filter((note) => note.chainIndex <= chainIndex)
      .map((note) =>
        note.spentBy !== null && note.spentBy.chainIndex > chainIndex
          ? { ...note, spentBy: null }
          : note,
      ),
    history: state.history.filter((row) => row.chainIndex <= chainIndex),
    outbox: revertOutbox(state.outbox, block),
    ledger: state.ledger === null ? null : ledgerCut(state.ledger, block),
    proof: proofCut(state.proof, chainIndex),
  };
}

/** Makes the error of a reorganisation below everything that the wallet remembers. */
export function tooDeep(state: WalletState): SvcError<"wallet/reorg-too-deep"> {
  const depth = state.blocks.length;
  return new SvcError("wallet/reorg-too-deep", { depth, max: depth - 1 });
}

/**
 * Forgets blocks beyond the policy's bound, and with them the notes that were spent too deep to
 * come back. The outcome depends on the remembered blocks alone, not on when this was called.
 */
export function forget(
  state: WalletState,
  policy: WalletPolicy,
  multiply: Multiply | null = null,
): WalletState {
  const excess = state.blocks.length - policy.recentBlocks;
  if (excess <= 0) return state;
  const blocks = state.blocks.slice(excess);
  const [oldest] = blocks;
  if (oldest === undefined) return state;
  const ledger =
    multiply === null || state.ledger === null
      ? null
      : ledgerSettled(state.ledger, oldest.chainIndex, multiply);
  return forgetBelow({ ...state, blocks, ledger }, oldest);
}

/** Forgets what can only be undone below `oldest`, the first block that is still remembered. */
export function forgetBelow(state: WalletState, oldest: ChainBlock): WalletState {
  return {
    ...state,
    notes: withoutSpent(state.notes, (note) => !isSpentFor(note, oldest)),
    outbox: compactOutbox(state.outbox, oldest),
  };
}

function isSpentFor(note: WalletState["notes"][number], oldest: ChainBlock): boolean {
  return note.spentBy !== null && note.spentBy.chainIndex <= oldest.chainIndex;
}

/**
 * Returns the state to scan again with from `birthday`, when nothing remembered can be trusted.
 * Payments are kept: their recipients and memos exist nowhere else. The effects of chain blocks on them
 * are rolled back, so that the scan decides them anew; see `restartOutbox`.
 */
export function restart(
  state: WalletState,
  birthday: ChainBlock,
  historyMissing: boolean,
): WalletState {
  return {
    ...state,
    account: { ...state.account, birthday, historyMissing },
    blocks: [birthday],
    notes: [],
    history: [],
    outbox: restartOutbox(state.outbox, birthday),
    contradiction: null,
    ledger: state.ledger === null ? null : newLedger(birthday),
    proof: {
      ...unproved(state.proof.floor),
      fault: state.proof.fault,
      second: { ...state.proof.second, compared: null },
    },
  };
}
