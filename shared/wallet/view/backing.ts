/** Read model of confirmations: recomputed work above a block, or a node's claim (docs/light-client.md). */
import type { ChainIndex } from "../../base/brand.ts";
import { SvcError, type ErrorJson } from "../../base/svcError.ts";
import { lastJudgedMs, lastProved, provedAbove, type ProvedBlock } from "../proof/chainProof.ts";
import type { WalletState } from "../state/walletState.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";

/** What stands behind a block of the chain. */
export type Backing =
  /** Work above it was recomputed: so many blocks' worth, and as much time of the whole network. */
  | { readonly kind: "work"; readonly blocks: bigint; readonly ms: bigint }
  /** Its state was checked, on a network that asks for no work. */
  | { readonly kind: "no-work" }
  /** Its state was checked under work whose worth nobody told this program: it has no checkpoint of the network. */
  | { readonly kind: "unmeasured" }
  /** No evidence covers it yet: it is what a node said. */
  | { readonly kind: "claimed" };

/** What work is measured by. */
export type MeasurePolicy = Pick<WalletPolicy, "blockTimeMs" | "work">;

/** What stands behind the block at a chain index. */
export function backingOf(
  { proof }: Pick<WalletState, "proof">,
  chainIndex: ChainIndex,
  policy: MeasurePolicy,
): Backing {
  return backingOfProof(provedAbove(proof, chainIndex), policy);
}

/** Backing of the blocks that a proof covers; null for no proof. Work of less than a block is told as none: it is no claim, and no time. */
export function backingOfProof(
  shown: Pick<ProvedBlock, "blocks"> | null,
  { blockTimeMs, work }: MeasurePolicy,
): Backing {
  if (shown === null) return { kind: "claimed" };
  if (work === "none") return { kind: "no-work" };
  if (work === "unknown") return { kind: "unmeasured" };
  return { kind: "work", blocks: shown.blocks, ms: shown.blocks * blockTimeMs };
}

/**
 * Whether depth can settle what the block at a chain index holds. Not where work has no measure, nor where the work that was shown above it, or
 * above the newest block that has any, is worth less than a block: a node with easy headers has as much depth as it likes.
 */
export function canSettle(
  { proof }: Pick<WalletState, "proof">,
  chainIndex: ChainIndex,
  { work }: MeasurePolicy,
): boolean {
  if (work !== "known") return work === "none";
  const shown = provedAbove(proof, chainIndex) ?? lastProved(proof);
  return shown === null || shown.blocks > 0n;
}

/**
 * What is wrong with the node as far as everybody can see: the chain contradicts it, it shows no work, or the newest header that it showed
 * is older than the clock allows; or that what it shows has no measure. Null for nothing. A network without work has no clock: nobody has to
 * mine there. The time of a page is the node's word, and does not count.
 */
export function nodeDoubt(
  { proof }: Pick<WalletState, "proof">,
  nowMs: bigint,
  { work }: MeasurePolicy,
): ErrorJson | null {
  if (proof.fault !== null) return proof.fault;
  const tipMs = lastJudgedMs(proof);
  if (work !== "none" && tipMs !== null && tipMs + WALLET_LIMITS.evidenceStaleMs < nowMs) {
    return new SvcError("evidence/stale-tip", { tipMs, nowMs }).toJSON();
  }
  return work === "unknown" ? new SvcError("evidence/unknown-work", {}).toJSON() : null;
}

/** What a second node tells otherwise, the higher tip first. It is a claim, to be shown and to stop nothing; null for none. */
export function secondClaim({ proof }: Pick<WalletState, "proof">): ErrorJson | null {
  return proof.second.tip ?? proof.second.page;
}
