/**
 * Plan of evidence: which blocks a wallet asks about, and when it is due again (docs/light-client.md).
 *
 * All of it follows from the public chain and from the lengths of answers. No key, no note and no scan has a say in it (decision 23).
 */
import { asBlueScore, type BlockHash, type BlueScore } from "../../base/brand.ts";
import type { ChainView } from "../state/chainView.ts";
import type { ProofReach } from "../proof/chainProof.ts";
import type { ChainBlock } from "../state/walletState.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";

/** The blocks that evidence is about. */
export type EvidencePlan = {
  /** The block whose state is opened. */
  readonly block: ChainBlock;
  /** The one above it, which commits to that state. */
  readonly child: BlockHash;
  /** The last block of the run. */
  readonly tip: ChainBlock;
};

const DEPTH: { readonly [R in ProofReach]: bigint } = {
  far: WALLET_LIMITS.evidenceFarDepth,
  near: WALLET_LIMITS.evidenceNearDepth,
};

const DAY_BYTES: { readonly [R in ProofReach]: number } = {
  far: WALLET_LIMITS.evidenceFarDayBytes,
  near: WALLET_LIMITS.evidenceNearDayBytes,
};

const DAY_MS = 86_400_000n;

/**
 * The newest block so deep below the end of the view; in a young view its oldest one. Null where there is none above genesis with
 * another above it: everybody knows the state of genesis.
 */
export function evidencePlan(view: ChainView, reach: ProofReach): EvidencePlan | null {
  const tip = view.at(-1);
  if (tip === undefined) return null;
  const above = view.filter(({ chainIndex }) => chainIndex > 0n);
  // A header works on the one that commits to the state, except in the youngest view.
  const open = above.slice(0, -2);
  const deep = open.findLast(({ blueScore }) => blueScore + DEPTH[reach] <= tip.blueScore);
  const block = deep ?? open[0] ?? above.at(-2);
  if (block === undefined) return null;
  const child = view.find(({ chainIndex }) => chainIndex === block.chainIndex + 1n);
  return child === undefined ? null : { block, child: child.hash, tip };
}

/** The plan with a remembered block in the place of the first of its run, and the state below that; null where too little is remembered. */
export function planFrom(view: ChainView, base: ChainBlock, tip: ChainBlock): EvidencePlan | null {
  const block = view.find(({ chainIndex }) => chainIndex + 1n === base.chainIndex);
  const isHeld = view.some(({ hash }) => hash === base.hash);
  return block === undefined || !isHeld ? null : { block, child: base.hash, tip };
}

/** How much later than its share of a day evidence may be asked for: some of it at once, when a wallet is open for a while. */
const BURST: { readonly [R in ProofReach]: bigint } = {
  far: 0n,
  near: WALLET_LIMITS.evidenceNearBurst,
};

/** What one reach was asked for last. */
export type AskedBefore = {
  /** The blue score up to which the day's share is used. */
  readonly due: BlueScore;
  /** Blue score of the tip at that time; null for never. */
  readonly tip: BlueScore | null;
};

/** Whether evidence is due at this tip: there is as much new work as it shows, and the day's share is not used up. */
export function isDue(tip: BlueScore, reach: ProofReach, before: AskedBefore): boolean {
  const isNew = before.tip === null || tip >= before.tip + DEPTH[reach];
  return isNew && tip + BURST[reach] >= before.due;
}

/**
 * The blue score up to which the day's share is used after answers of so many bytes: a day of them stays below its budget. A block's
 * time is that of the network's profile.
 */
export function usedUntil(
  tip: BlueScore,
  reach: ProofReach,
  bytes: number,
  { due, blockTimeMs }: { readonly due: BlueScore; readonly blockTimeMs: bigint },
): BlueScore {
  const aDay = DAY_MS / (blockTimeMs > 0n ? blockTimeMs : 1n);
  const share = (BigInt(bytes) * aDay) / BigInt(DAY_BYTES[reach]);
  return asBlueScore((due > tip ? due : tip) + share + 1n);
}
