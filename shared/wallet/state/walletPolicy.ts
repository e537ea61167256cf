/**
 * Parameters of a wallet's planning: the network's rules and the wallet's own preferences.
 *
 * All depths are distances in blue score and come from the network profile.
 */
import { WALLET_LIMITS } from "../walletLimits.ts";

/** The part of a network profile that a wallet reads. */
export type PolicyProfile = {
  /** Prefix of addresses. */
  readonly hrp: string;
  /** Age from which a block's tree root may be spent against (specification shielded 8). */
  readonly shieldedAnchorDepth: number;
  /** Age up to which it may be. */
  readonly maxShieldedAnchorAge: number;
  readonly targetTimePerBlockMs: number;
  /** Whether blocks take no work. */
  readonly skipProofOfWork: boolean;
  readonly wallet: {
    /** Distance kept from the youngest possible anchor. */
    readonly slack: number;
    /** Preferred anchors lie on multiples of this, so that many wallets use the same one. */
    readonly grid: number;
    /** Depth at which a payment is called settled. */
    readonly settleDepth: number;
  };
};

/**
 * What work on a network is measured by. `none`: blocks take no work, which only the profile says, since evidence without work says nothing.
 * `unknown`: the program has no checkpoint of the network, and work that a node shows settles nothing. `known`: it has one.
 */
export type WorkMeasure = "none" | "unknown" | "known";

/** The parameters as exact numbers, with the bounds of this wallet. */
export type WalletPolicy = {
  readonly hrp: string;
  readonly anchorDepth: bigint;
  readonly maxAnchorAge: bigint;
  readonly slack: bigint;
  readonly grid: bigint;
  readonly settleDepth: bigint;
  /** Milliseconds between blocks, for estimates of time. */
  readonly blockTimeMs: bigint;
  readonly work: WorkMeasure;
  /** Chain blocks remembered: enough to undo, and enough to hold every anchor. */
  readonly recentBlocks: number;
  /** Chain blocks of an epoch: what a wallet asks for begins where one begins (decision 23). */
  readonly epochBlocks: bigint;
  /** Epochs that a birthday is rounded down to. */
  readonly birthdayEpochs: bigint;
  /** Most notes one transaction may spend. */
  readonly maxSpends: number;
};

/** What a wallet adds to the profile of its network. */
export type PolicyWish = {
  /** What one transaction can hold where nothing is said, and never more. */
  readonly maxSpends?: number | undefined;
  /** Whether the program has a checkpoint of the network; false where nothing is said. */
  readonly knowsWork?: boolean;
};

/** Derives the parameters. */
export function walletPolicy(
  profile: PolicyProfile,
  { maxSpends = WALLET_LIMITS.walletActionsMax, knowsWork = false }: PolicyWish = {},
): WalletPolicy {
  const { slack, grid, settleDepth } = profile.wallet;
  const anchorReach = profile.shieldedAnchorDepth + slack + grid + 1;
  return {
    hrp: profile.hrp,
    anchorDepth: BigInt(profile.shieldedAnchorDepth),
    maxAnchorAge: BigInt(profile.maxShieldedAnchorAge),
    slack: BigInt(slack),
    grid: BigInt(Math.max(1, grid)),
    settleDepth: BigInt(settleDepth),
    blockTimeMs: BigInt(profile.targetTimePerBlockMs),
    work: workMeasure(profile, knowsWork),
    recentBlocks: Math.max(WALLET_LIMITS.walletRecentBlocks, anchorReach),
    epochBlocks: WALLET_LIMITS.walletEpochBlocks,
    birthdayEpochs: WALLET_LIMITS.walletBirthdayEpochs,
    maxSpends: Math.min(WALLET_LIMITS.walletActionsMax, Math.max(1, maxSpends)),
  };
}

function workMeasure(
  { skipProofOfWork }: Pick<PolicyProfile, "skipProofOfWork">,
  knowsWork: boolean,
): WorkMeasure {
  if (skipProofOfWork) return "none";
  return knowsWork ? "known" : "unknown";
}
