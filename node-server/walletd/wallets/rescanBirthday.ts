/**
 * From where a wallet is scanned again: never from above a block that brought or took something
 * of it, however late a birthday its owner or its file names.
 */
import type { DaaScore } from "@svc/shared/base/brand.ts";
import { cursorOf } from "@svc/shared/wallet/state/walletState.ts";
import type { OpenWallet } from "./openWallet.ts";

/** What is asked of an open wallet. */
type Scanned = Pick<OpenWallet, "facts" | "isAtTip"> & {
  readonly wallet: Pick<OpenWallet["wallet"], "isBegun" | "state">;
};

/**
 * The birthday of a rescan, as a DAA score: the wish, or without one what the file says, but no later than the oldest note and
 * history row. A wish above the file's birthday counts only where the wallet was scanned from there to the tip: before that nobody
 * knows what lies between, and it never lies above the last scanned block.
 */
export function rescanBirthday(open: Scanned, wish: DaaScore | null): DaaScore {
  const { facts, wallet } = open;
  const present = facts.birthday;
  if (!wallet.isBegun) return wish === null ? present : earlier(wish, present);
  const { state } = wallet;
  const isWhole = open.isAtTip && !state.account.historyMissing;
  const latest = isWhole ? later(cursorOf(state).daaScore, present) : present;
  const wanted = earlier(wish ?? present, latest);
  const withNotes = state.notes.reduce((oldest, { daaScore }) => earlier(oldest, daaScore), wanted);
  return state.history.reduce((oldest, { daaScore }) => earlier(oldest, daaScore), withNotes);
}

function earlier(a: DaaScore, b: DaaScore): DaaScore {
  return a < b ? a : b;
}

function later(a: DaaScore, b: DaaScore): DaaScore {
  return a > b ? a : b;
}
