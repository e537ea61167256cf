/** Which states a scan asks to be proved at the end of its view: they follow from the public chain alone. */
import type { ChainIndex } from "@svc/shared/base/brand.ts";
import type { ChainView } from "@svc/shared/wallet/state/chainView.ts";
import { blockAt } from "@svc/shared/wallet/state/chainView.ts";
import type { ChainBlock } from "@svc/shared/wallet/state/walletState.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";

/** A state to prove. */
export type Rung = {
  readonly block: ChainBlock;
  /** The block above it, which commits to it. */
  readonly child: ChainBlock;
};

/**
 * The states below the end of the view, the lowest first: those whose child lies 0, 1, 2, 4, 8… blocks below it, above the base of the tree
 * and above what was proved (null for nothing). A scan that follows block by block has one; one that was away has a few more, so that
 * payments of different depths find a state near them.
 */
export function rungsOf(
  view: ChainView,
  base: ChainIndex,
  proved: ChainIndex | null,
): readonly Rung[] {
  const end = view.at(-1)?.chainIndex ?? 0n;
  const rungs: Rung[] = [];
  for (let depth: bigint = GATEWAY_LIMITS.proofRungDepth; ; depth /= 2n) {
    const child = blockAt(view, end - depth);
    const block = blockAt(view, end - depth - 1n);
    // Everybody knows the state of genesis.
    const least = base > 0n ? base : 1n;
    if (child !== undefined && block !== undefined && block.chainIndex >= least) {
      if (proved === null || block.chainIndex > proved) rungs.push({ block, child });
    }
    if (depth === 0n) return rungs;
  }
}
