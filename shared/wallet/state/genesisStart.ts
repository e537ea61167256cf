/** The start of a scan of the whole chain, which is the same whoever is asked. */
import {
  asBlueScore,
  asChainIndex,
  asDaaScore,
  asTimestampMs,
  type BlockHash,
} from "../../base/brand.ts";
import { EMPTY_TREE } from "../../protocol/raw/treeState.ts";
import type { StartBlock } from "./ports.ts";

/** The genesis block as a start. It mints nothing, so its tree is known. */
export function genesisStart(hash: BlockHash): StartBlock {
  return {
    hash,
    chainIndex: asChainIndex(0n),
    blueScore: asBlueScore(0n),
    daaScore: asDaaScore(0n),
    timestamp: asTimestampMs(0n),
    tree: EMPTY_TREE,
  };
}
