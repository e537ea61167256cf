/** Defaults of a daemon that nobody has told anything else, by the cores and the free memory of the machine. */
import { WALLETD_LIMITS } from "./walletdLimits.ts";
import { residentDefault } from "./residentDefault.ts";
import { proversFor } from "./spend/proofQueue.ts";
import type { WalletdParts } from "./startWalletd.ts";

/** A machine, as far as defaults follow from it. */
export type Machine = {
  readonly cores: number;
  /** Bytes of memory that are free; null where the system does not tell. */
  readonly freeBytes: number | null;
};

/** What a daemon does at once unless its owner says otherwise. `cacheFolder` keeps the prover's tables for the next start. */
export function daemonDefaults(
  { cores, freeBytes }: Machine,
  cacheFolder: string | null,
): Pick<WalletdParts, "settings" | "proofs" | "scanThreads" | "consolidateAbove"> {
  const lanes = within(cores - 1, 1, WALLETD_LIMITS.lanesMost);
  return {
    settings: {
      lanes,
      opening: within(cores - 2, 1, WALLETD_LIMITS.openingUsual),
      most: residentDefault(freeBytes),
      idleMs: WALLETD_LIMITS.idleDropMs,
    },
    proofs: { atOnce: proversFor(cores), threads: null, cacheFolder },
    scanThreads: Math.max(1, cores - 1),
    consolidateAbove: WALLETD_LIMITS.consolidateAbove,
  };
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
