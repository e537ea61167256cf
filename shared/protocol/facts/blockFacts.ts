/** Schema of the engine's BlockFacts: one block's place in the graph, and on the selected chain. */
import * as v from "valibot";
import { fields } from "../../base/fields.ts";
import { factsReader } from "./readFacts.ts";

/** What a block may be to a node that has its header. */
export const BLOCK_STATUSES = [
  "headerOnly",
  "pending",
  "valid",
  "disqualified",
  "invalid",
] as const;

const blockFacts = v.object({
  hash: fields.blockHash,
  status: v.picklist(BLOCK_STATUSES),
  selectedParent: fields.blockHash,
  /** Blue blocks of the mergeset, the selected parent first. */
  blues: v.array(fields.blockHash),
  reds: v.array(fields.blockHash),
  parents: v.array(fields.blockHash),
  children: v.array(fields.blockHash),
  isChainBlock: v.boolean(),
  blueScore: fields.blueScore,
  daaScore: fields.daaScore,
  blueWork: fields.blueWork,
  timestamp: fields.timestampMs,
  /** For display only. */
  difficulty: v.number(),
  /** Ids of its transactions, none while only the header is known. */
  txids: v.array(fields.txId),
});

/** What the engine knows of a block of the graph. */
export type BlockFacts = v.InferOutput<typeof blockFacts>;

/** Reads BlockFacts. Throws `codec/bad-json`. */
export const readBlockFacts = factsReader(blockFacts, "BlockFacts");
