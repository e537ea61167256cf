/**
 * Birthday of a wallet: finds the block at which a scan begins, from a day that the owner knows, rounded down to the start of
 * an epoch of blocks (decision 23).
 *
 * What is kept for good is the day and a chain index, never a hash that one node once named: an honest node always finds
 * the block anew.
 */
import { asChainIndex, asLeafPosition, type DaaScore, type TimestampMs } from "../../base/brand.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { SvcError } from "../../base/svcError.ts";
import type { NoteTree } from "../state/noteTree.ts";
import type { NodePort, NodeTip } from "../state/ports.ts";
import type { ChainBlock, WalletAccount } from "../state/walletState.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";

/**
 * The birthday of a wallet: with the chain, or on a day. A `fresh` wallet was made a moment ago, by this program; what is
 * restored begins some days earlier than the day named.
 */
export type Birthday = "genesis" | { readonly day: number; readonly fresh: boolean };

const DAY_MS = 86_400_000n;

/** The day of a time: days since 1970, UTC. */
export function dayOf(ms: bigint): number {
  return Number(ms / DAY_MS);
}

/** Dependencies of the search for a start. */
export type StartParts = {
  readonly node: Pick<NodePort, "start">;
  readonly policy: WalletPolicy;
  readonly makeTree: (bytes: Uint8Array) => NoteTree;
  /** The wallet's own clock; a node's word about the time is not taken. */
  readonly nowMs: TimestampMs;
};

/** A block to begin at, its tree in the form that a `NoteTree` is made from, and how it compares with what was wanted. */
export type FoundStart = {
  readonly block: ChainBlock;
  readonly tree: Uint8Array;
  /** The node's history began only after the block that was wanted. */
  readonly historyMissing: boolean;
};

/** Finds the block at which a new wallet begins to scan. Rejects with the node's errors. */
export async function firstStart(
  parts: StartParts,
  birthday: Birthday,
  tip: NodeTip,
  signal: AbortSignal,
): Promise<FoundStart> {
  if (birthday === "genesis") return startAt(parts, 0n, signal);
  const index = birthdayIndex(parts, birthday, tip);
  return checkedStart(parts, { index, day: birthday.day }, tip, signal);
}

/** The chain index at which a wallet of this birthday begins, before it is rounded down; 0 and less is genesis. */
export function birthdayIndex(
  parts: Pick<StartParts, "policy" | "nowMs">,
  birthday: Birthday,
  tip: Pick<NodeTip, "chainIndex">,
): bigint {
  if (birthday === "genesis") return 0n;
  const isToday = birthday.day === dayOf(parts.nowMs);
  return birthday.fresh && isToday
    ? tip.chainIndex - parts.policy.settleDepth
    : indexOfDay(parts, birthday.day, tip);
}

/**
 * Finds the block at which a wallet begins whose birthday is a DAA score: the last beginning of a row of epochs below it, by
 * halving. Where the node's history begins later, the first block that it has. Rejects with the node's errors.
 */
export async function startBelow(
  parts: Omit<StartParts, "nowMs">,
  daaScore: DaaScore,
  tip: NodeTip,
  signal: AbortSignal,
): Promise<FoundStart> {
  const step = parts.policy.epochBlocks * parts.policy.birthdayEpochs;
  // A chain block has at least the DAA score of its index.
  const settled = tip.chainIndex - parts.policy.settleDepth;
  const highest = daaScore < settled ? daaScore : settled;
  let best = await startAt(parts, 0n, signal);
  let [low, high] = [best.block.chainIndex / step, highest / step];
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    const found = await startAt(parts, middle * step, signal);
    if (found.block.daaScore < daaScore) {
      low = middle;
      best = { ...found, historyMissing: false };
    } else high = middle - 1n;
  }
  return best.block.daaScore < daaScore ? { ...best, historyMissing: false } : best;
}

/**
 * Finds the block at which a wallet begins when the node knows none of its blocks: that chain may hold something for it from
 * the day on that the owner knows, whatever index the other chain had reached by then.
 */
export async function startElsewhere(
  parts: StartParts,
  account: Pick<WalletAccount, "birthday" | "bornOn">,
  tip: NodeTip,
  signal: AbortSignal,
): Promise<FoundStart> {
  const { birthday, bornOn: day } = account;
  const byDay = day === null ? 0n : indexOfDay(parts, day, tip);
  const index = byDay < birthday.chainIndex ? byDay : birthday.chainIndex;
  return checkedStart(parts, { index, day }, tip, signal);
}

/**
 * Finds the block at which a wallet begins to scan again: where it began before if this node has a block there that is not
 * younger than the wallet, else by the day, else genesis.
 */
export async function startAgain(
  parts: StartParts,
  account: Pick<WalletAccount, "birthday" | "bornOn">,
  tip: NodeTip,
  signal: AbortSignal,
): Promise<FoundStart> {
  const index = account.birthday.chainIndex;
  return checkedStart(parts, { index, day: account.bornOn }, tip, signal);
}

/** The chain index at and below which a scan finds everything that a wallet of this day can have. */
export function wholeIndex(
  parts: Pick<StartParts, "policy" | "nowMs">,
  { bornOn }: Pick<WalletAccount, "bornOn">,
  tip: Pick<NodeTip, "chainIndex">,
): bigint {
  return bornOn === null ? 0n : roundedDown(indexOfDay(parts, bornOn, tip), parts.policy);
}

async function checkedStart(
  parts: StartParts,
  wanted: { readonly index: bigint; readonly day: number | null },
  tip: NodeTip,
  signal: AbortSignal,
): Promise<FoundStart> {
  const { day } = wanted;
  const byDay = day === null ? 0n : indexOfDay(parts, day, tip);
  const indexes = [wanted.index, byDay].map((index) => roundedDown(index, parts.policy));
  for (const index of new Set(indexes)) {
    if (index === 0n) break;
    try {
      const found = await startAt(parts, index, signal);
      if (day === null || !isAfterDay(found.block, day)) return found;
    } catch (error) {
      // The block is not there: the place was another node's word.
      if (!SvcError.is(error, "chain/unknown-block")) throw error;
    }
  }
  return startAt(parts, 0n, signal);
}

/** A chain index that is surely not after the day: chain blocks come no faster than blocks. */
function indexOfDay(
  { policy, nowMs }: Pick<StartParts, "policy" | "nowMs">,
  day: number,
  tip: Pick<NodeTip, "chainIndex">,
): bigint {
  const age = nowMs - BigInt(day) * DAY_MS + WALLET_LIMITS.walletBirthdayMarginMs;
  return tip.chainIndex - (age > 0n ? age : 0n) / policy.blockTimeMs;
}

/** True when a wallet of that day may have received something before this block. */
function isAfterDay({ chainIndex, timestamp }: ChainBlock, day: number): boolean {
  return chainIndex > 0n && timestamp >= BigInt(day + 1) * DAY_MS;
}

/** The block at this index, or the one that the node gives in its place. Rejects with the node's errors. */
export async function startAt(
  { node, makeTree }: Pick<StartParts, "node" | "makeTree">,
  index: bigint,
  signal: AbortSignal,
): Promise<FoundStart> {
  const { tree, ...place } = await node.start(asChainIndex(index), signal);
  const made = makeTree(tree);
  const leafEnd = asLeafPosition(made.size());
  made.free();
  return { block: { ...place, leafEnd }, tree, historyMissing: place.chainIndex > index };
}

/** The birthday's share in what a node learns: the start of a row of epochs. */
function roundedDown(index: bigint, { epochBlocks, birthdayEpochs }: WalletPolicy): bigint {
  const step = epochBlocks * birthdayEpochs;
  return index <= 0n ? 0n : (index / step) * step;
}
