/**
 * Start of a restored wallet with recent blocks: where its birthday lies far back, it begins like a new wallet and can pay early; the
 * older blocks are read behind it (decision 59).
 *
 * The place follows from the node's tip and the birthday alone.
 */
import { SvcError } from "../../base/svcError.ts";
import {
  birthdayIndex,
  firstStart,
  startAt,
  type Birthday,
  type FoundStart,
  type StartParts,
} from "./birthday.ts";
import type { NodeTip } from "../state/ports.ts";
import type { WalletAccount } from "../state/walletState.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";

/**
 * Finds the block at which a restored wallet begins: a recent one where the birthday lies far below the tip, and that it is late is in the
 * answer (`historyMissing`); else as `firstStart`. Rejects with the node's errors.
 */
export async function recentStart(
  parts: StartParts,
  birthday: Birthday,
  tip: NodeTip,
  signal: AbortSignal,
): Promise<FoundStart> {
  const index = recentIndex(parts.policy, birthdayIndex(parts, birthday, tip), tip);
  const recent = index === null ? null : await startAtOrNull(parts, index, signal);
  if (recent !== null && recent.block.chainIndex === index) {
    return { ...recent, historyMissing: true };
  }
  return firstStart(parts, birthday, tip, signal);
}

/** Whether a wallet began to scan after its birthday: what it knows is "at least", and there may be older blocks to read. */
export function startsLate({
  birthday,
  historyMissing,
}: Pick<WalletAccount, "birthday" | "historyMissing">): boolean {
  return historyMissing && birthday.chainIndex > 0n;
}

/** A multiple that many wallets share; null where the birthday is not far below the tip. */
function recentIndex(
  { maxAnchorAge, grid }: WalletPolicy,
  birthday: bigint,
  { chainIndex }: NodeTip,
): bigint | null {
  const first = birthday > 0n ? birthday : 0n;
  if (chainIndex - first < WALLET_LIMITS.walletOlderAges * maxAnchorAge) return null;
  const below = chainIndex - WALLET_LIMITS.walletRecentAges * maxAnchorAge;
  return (below / grid) * grid;
}

/** Null where the node has no such block: its tip, or its tree there, was a word alone. */
async function startAtOrNull(
  parts: StartParts,
  index: bigint,
  signal: AbortSignal,
): Promise<FoundStart | null> {
  try {
    return await startAt(parts, index, signal);
  } catch (error) {
    if (SvcError.is(error, "chain/unknown-block", "chain/pruned")) return null;
    throw error;
  }
}
