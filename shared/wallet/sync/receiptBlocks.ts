/**
 * Which blocks a wallet names to a node when it makes a receipt: such as follow from the remembered chain, never the block that paid
 * (docs/privacy.md, "Who asks for evidence"). The receipt then says that the payment is in this block or before.
 */
import { asChainIndex, type ChainIndex } from "../../base/brand.ts";
import { LIGHT_LIMITS } from "../../light/lightLimits.ts";
import { blockAt, epochStarts, tipOf, type ChainView } from "../state/chainView.ts";
import type { ChainBlock } from "../state/walletState.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";

const { receiptSureBlocks: SURE } = LIGHT_LIMITS;
const { receiptGridBlocks: GRID } = WALLET_LIMITS;

/** The blocks of a receipt, as `ReceiptOrder` takes them. */
export type ReceiptBlocks = {
  readonly block: ChainBlock;
  /** The receipt's header lies above the first of these and at most at the second. */
  readonly from: ChainBlock;
  readonly to: ChainBlock;
};

/**
 * The blocks for a payment at a chain index: the oldest start of an epoch that every wallet of the same epoch remembers, where it covers
 * the payment; else the newest block of the grid that lies deep enough. A node learns from it whether the payment is older than
 * that epoch, and no more. Null for a payment that is too young for both.
 */
export function receiptBlocks(
  view: ChainView,
  paid: ChainIndex,
  policy: Pick<WalletPolicy, "epochBlocks" | "recentBlocks">,
): ReceiptBlocks | null {
  const tip = tipOf(view).chainIndex;
  const newest = tip - blocksAbove();
  const young = newest < 0n ? undefined : blockAt(view, newest - (newest % GRID));
  const old = epochStarts(view, policy).at(-1);
  const isCommon = old !== undefined && old.chainIndex % policy.epochBlocks === 0n;
  const block = [isCommon ? old : undefined, young].find(
    (one) => one !== undefined && one.chainIndex >= paid && one.chainIndex <= newest,
  );
  if (block === undefined) return null;
  const [from, to] = [blockAt(view, block.chainIndex + SURE), blockAt(view, tip - SURE)];
  return from === undefined || to === undefined ? null : { block, from, to };
}

/** The chain index of the tip from which a payment can have a receipt. */
export function receiptFrom(paid: ChainIndex): ChainIndex {
  const onGrid = ((paid + GRID - 1n) / GRID) * GRID;
  return asChainIndex(onGrid + blocksAbove());
}

/** Below the header and above it are enough blocks to be sure of its branch; between are those that it is chosen from. */
function blocksAbove(): bigint {
  return 2n * SURE + GRID;
}
