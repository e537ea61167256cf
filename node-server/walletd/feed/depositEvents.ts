/**
 * What a change of the chain did to a wallet's receipts, told from its states before and after.
 *
 * Most changes do nothing: then it takes two searches, however many notes the wallet has.
 */
import type { BlockHash, ChainIndex } from "@svc/shared/base/brand.ts";
import { blockAt } from "@svc/shared/wallet/state/chainView.ts";
import { cursorOf, type OwnNote, type WalletState } from "@svc/shared/wallet/state/walletState.ts";
import type { WalletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import type { DepositEvent, DepositKind } from "../store/depositEvent.ts";

/** An event that was not written yet: nobody has said when. */
export type Deposit = Omit<DepositEvent, "createdMs">;

/**
 * The events of a change, in the order of the chain: `credited` and `final` when blocks came, `reversed` when blocks went. What
 * came back from a payment of the wallet's own is no receipt. A block that neither state remembers is null.
 */
export function depositEvents(
  before: WalletState,
  after: WalletState,
  policy: Pick<WalletPolicy, "settleDepth">,
): readonly Deposit[] {
  const [from, to] = [cursorOf(before), cursorOf(after)];
  if (to.chainIndex < from.chainIndex) {
    return told("reversed", notesAbove(before, to.chainIndex), before);
  }
  const fresh = notesAbove(after, from.chainIndex);
  const settled = to.blueScore - policy.settleDepth;
  const old = before.notes.slice(
    firstAt(before.notes, ({ blueScore }) => blueScore > from.blueScore - policy.settleDepth),
    firstAt(before.notes, ({ blueScore }) => blueScore > settled),
  );
  const deep = fresh.filter(({ blueScore }) => blueScore <= settled);
  const final = told("final", [...old, ...deep], after, before);
  return [...told("credited", fresh, after), ...final];
}

/** The notes of blocks above a chain index. */
export function notesAbove({ notes }: WalletState, index: ChainIndex): readonly OwnNote[] {
  return notes.slice(firstAt(notes, ({ chainIndex }) => chainIndex > index));
}

/** The events of notes, of those that are receipts. `states` know the hashes of their blocks. */
export function told(
  kind: DepositKind,
  notes: readonly OwnNote[],
  ...states: readonly WalletState[]
): readonly Deposit[] {
  return notes
    .filter((note) => note.kind !== "change")
    .map((note) => ({
      kind,
      txid: note.txid,
      outputIndex: note.outputIndex,
      blockHash: hashAt(note.chainIndex, states),
      chainIndex: note.chainIndex,
      blueScore: note.blueScore,
      daaScore: note.daaScore,
      amount: note.value,
      recipient: note.recipient,
      addressIndex: note.addressIndex,
      memo: note.memoKnown === false ? null : note.memo,
    }));
}

function hashAt(index: ChainIndex, states: readonly WalletState[]): BlockHash | null {
  for (const { blocks } of states) {
    const block = blockAt(blocks, index);
    if (block !== undefined) return block.hash;
  }
  return null;
}

/** The first place from which on the notes, ordered by position, are as `isAbove` says. */
function firstAt(notes: readonly OwnNote[], isAbove: (note: OwnNote) => boolean): number {
  let [low, high] = [0, notes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const note = notes[middle];
    if (note === undefined || isAbove(note)) high = middle;
    else low = middle + 1;
  }
  return low;
}
