/** Read model of the proved chain: how far it is proved, and by how much work (docs/light-client.md). */
import type { ChainIndex, TimestampMs } from "../../base/brand.ts";
import { lastProved, type ProvedBlock } from "../proof/chainProof.ts";
import type { WalletState } from "../state/walletState.ts";
import { backingOfProof, type Backing, type MeasurePolicy } from "./backing.ts";

/** A block whose state was checked, and what lies above it. */
export type ShownBlock = {
  readonly chainIndex: ChainIndex;
  /** When it was made; null where the wallet no longer remembers the block, or no time stands in it. */
  readonly timestamp: TimestampMs | null;
  /** When the last block of the work above it was made. */
  readonly tipTimestamp: TimestampMs;
  readonly backing: Backing;
};

/** The checked blocks: under many minutes of work, under the last blocks, and the newer of the two. Null for none. */
export type ShownChain = {
  readonly far: ShownBlock | null;
  readonly near: ShownBlock | null;
  readonly last: ShownBlock | null;
};

/** What was shown so far. A node that was found lying takes nothing of it away. */
export function shownChain(
  { proof, blocks }: Pick<WalletState, "proof" | "blocks">,
  policy: MeasurePolicy,
): ShownChain {
  const shown = (block: ProvedBlock | null): ShownBlock | null => {
    if (block === null) return null;
    const { hash, chainIndex, tipTimestamp } = block;
    const timestamp = blocks.findLast((known) => known.hash === hash)?.timestamp ?? 0n;
    return {
      chainIndex,
      timestamp: timestamp === 0n ? null : timestamp,
      tipTimestamp,
      backing: backingOfProof(block, policy),
    };
  };
  return { far: shown(proof.far), near: shown(proof.near), last: shown(lastProved(proof)) };
}
