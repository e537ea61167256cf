/**
 * The network profile, a network's identity and parameters, read from the canonical JSON that the core gives out.
 *
 * The core checks values and fills defaults; this schema gives the result its types. Depths are blue
 * scores, heights DAA scores (`null` = never), amounts sompi.
 */
import * as v from "valibot";
import { fields } from "../base/fields.ts";
import { SvcError } from "../base/svcError.ts";

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const port = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535));
const height = v.nullable(count);

const networkProfile = v.object({
  networkName: v.string(),
  hrp: v.string(),
  personalisation: v.record(v.string(), v.string()),
  mergeMiningTags: v.object({ form0: v.string(), form1: v.string() }),
  genesis: v.object({
    timestampMs: count,
    bits: count,
    nonce: count,
    coinbaseText: v.string(),
    hash: fields.blockHash,
  }),
  ports: v.object({
    grpc: port,
    p2p: port,
    p2pDial: v.nullable(port),
    wrpcBorsh: port,
    wrpcJson: port,
    http: v.nullable(port),
  }),
  seeders: v.array(v.string()),
  targetTimePerBlockMs: v.pipe(count, v.minValue(1)),
  ghostdagK: count,
  pastMedianTimeSampleRate: count,
  pastMedianTimeWindowSize: count,
  difficultySampleRate: count,
  difficultyWindowSize: count,
  minDifficultyWindowSize: count,
  maxDifficultyTargetBits: count,
  fixedDifficulty: v.boolean(),
  timestampDeviationToleranceMs: count,
  maxBlockParents: count,
  mergesetSizeLimit: count,
  mergeDepth: count,
  finalityDepth: count,
  pruningDepth: count,
  coinbaseMaturity: count,
  shieldedAnchorDepth: count,
  maxShieldedAnchorAge: count,
  pruningProofM: count,
  maxBlockLevel: count,
  skipProofOfWork: v.boolean(),
  minimumWork: v.pipe(
    v.string(),
    v.regex(/^(0|[1-9][0-9]*)$/),
    v.transform((text) => BigInt(text)),
  ),
  massLimits: v.object({ compute: count, storage: count, transient: count }),
  emission: v.object({
    preDeflationarySubsidySompi: fields.sompi,
    deflationaryPhaseStartDaa: count,
  }),
  /** Heights from which rules hold, by the name of the rule; those of rules that this file does not know are kept. */
  activations: v.record(v.string(), height),
  enforceLockTime: v.boolean(),
  onlyVersion2: v.boolean(),
  outputBoundK4: v.boolean(),
  devFee: v.object({
    permille: count,
    payoutIntervalDaa: count,
    recipientHex: v.nullable(fields.rawAddress),
  }),
  minerSlotPayoutIntervalDaa: count,
  launchRamp: v.object({ lowDifficultyBlocks: count, rampBlocks: count }),
  wallet: v.object({ slack: count, grid: count, settleDepth: count }),
});

/** The profile of one network. */
export type NetworkProfile = v.InferOutput<typeof networkProfile>;

/** Reads canonical profile JSON. Throws `profile/invalid`. */
export function readProfile(json: string): NetworkProfile {
  try {
    return v.parse(networkProfile, JSON.parse(json));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SvcError("profile/invalid", { reason }, error);
  }
}

/** The network's name without the brand before its first hyphen, as RPC clients know it (`mainnet`, `testnet-10`). */
export function networkId(profile: Pick<NetworkProfile, "networkName">): string {
  return profile.networkName.slice(profile.networkName.indexOf("-") + 1);
}

/** The port of a peer that is named without one, and of those that seeders name (specification network 1.9). */
export function dialPort({ ports }: Pick<NetworkProfile, "ports">): number {
  return ports.p2pDial ?? ports.p2p;
}
