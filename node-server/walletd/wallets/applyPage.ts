/**
 * Applies a scanned page to the state of one wallet of many. Most pages hold nothing for most wallets: for those it takes the
 * same time however many notes and payments they have.
 */
import type { Nullifier } from "@svc/shared/base/brand.ts";
import { applyFacts } from "@svc/shared/wallet/reduce/applyFacts.ts";
import { forgetBelow } from "@svc/shared/wallet/reduce/rollback.ts";
import type { ChainView } from "@svc/shared/wallet/state/chainView.ts";
import { isSettledForGood, mayStillApply } from "@svc/shared/wallet/state/payment.ts";
import type { ScanFacts } from "@svc/shared/wallet/state/scanFacts.ts";
import { cursorOf, type WalletState } from "@svc/shared/wallet/state/walletState.ts";
import type { WalletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";

/** A page that continues a lane, as every wallet of the lane sees it. */
export type LanePage = {
  readonly firstIndex: bigint;
  /** Its blocks without notes. */
  readonly common: ScanFacts;
  /** Every nullifier in it. */
  readonly nullifiers: ReadonlySet<Nullifier>;
  /** A minted output in it was served falsely. */
  readonly isFalse: boolean;
  /** The remembered blocks after it. */
  readonly view: ChainView;
};

/** A state, and the nullifiers whose appearance changes it. */
export type WatchedWallet = {
  readonly state: WalletState;
  readonly watched: ReadonlySet<Nullifier>;
};

/** Gathers what is common to a page. */
export function lanePage(firstIndex: bigint, common: ScanFacts, view: ChainView): LanePage {
  const spent = common.blocks.flatMap(({ txs }) => txs.flatMap(({ nullifiers }) => nullifiers));
  const isFalse = common.blocks.some(({ refused }) => refused > 0);
  return { firstIndex, common, nullifiers: new Set(spent), isFalse, view };
}

/** The nullifiers whose appearance changes a wallet: those of its unspent notes and of its payments. */
export function watchedNullifiers(state: WalletState): ReadonlySet<Nullifier> {
  const watched = new Set<Nullifier>();
  for (const { nullifier, spentBy } of state.notes) if (spentBy === null) watched.add(nullifier);
  for (const { reserved } of state.outbox) {
    for (const { nullifier } of reserved) watched.add(nullifier);
  }
  return watched;
}

/**
 * Returns the state after the page. `own` are the facts of the wallet's key where it found something, else null. Only the blocks
 * differ in a wallet that the page does not touch. Throws `wallet/bad-page`.
 */
export function applyPage(
  { state, watched }: WatchedWallet,
  page: LanePage,
  own: ScanFacts | null,
  policy: WalletPolicy,
): WalletState {
  const isTouched =
    own !== null || page.isFalse || isHit(watched, page.nullifiers) || waitsForBlocks(state);
  const next = isTouched ? touched(state, page, own, policy) : state;
  const done = { ...next, blocks: page.view };
  const [oldest] = page.view;
  const isDue = isTouched || passes(state, page, WALLETD_LIMITS.forgetEveryBlocks);
  return isDue && oldest !== undefined
    ? withoutOldPayments(state, forgetBelow(done, oldest))
    : done;
}

/**
 * The state without settled payments beyond the bound, oldest first. One that has just become settled for good stays once more:
 * the store puts away what it was before this change.
 */
function withoutOldPayments(before: WalletState, after: WalletState): WalletState {
  const settled = after.outbox.filter((payment) => isSettledForGood(payment));
  const excess = settled.slice(0, Math.max(0, settled.length - WALLETD_LIMITS.spendSettledKept));
  if (excess.length === 0) return after;
  const known = new Set(before.outbox);
  const gone = new Set(excess.filter((payment) => known.has(payment)));
  return { ...after, outbox: after.outbox.filter((payment) => !gone.has(payment)) };
}

function touched(
  state: WalletState,
  { firstIndex, common }: LanePage,
  own: ScanFacts | null,
  policy: WalletPolicy,
): WalletState {
  // The reducer needs no block but the last; the view is the lane's.
  const alone = { ...state, blocks: [cursorOf(state)] };
  return applyFacts(alone, { firstIndex, facts: own ?? common }, policy);
}

function isHit(watched: ReadonlySet<Nullifier>, seen: ReadonlySet<Nullifier>): boolean {
  const [few, many] = watched.size < seen.size ? [watched, seen] : [seen, watched];
  for (const nullifier of few) if (many.has(nullifier)) return true;
  return false;
}

/** Each block may settle a payment, or be the one that makes it too old. */
function waitsForBlocks({ outbox }: WalletState): boolean {
  return outbox.some((payment) => payment.status.state === "accepted" || mayStillApply(payment));
}

/** Whether the chain index comes past a multiple of `every` with this page. */
function passes(state: WalletState, { view }: LanePage, every: number): boolean {
  const [from, to] = [cursorOf(state).chainIndex, view.at(-1)?.chainIndex ?? 0n];
  return from / BigInt(every) !== to / BigInt(every);
}
