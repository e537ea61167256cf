/**
 * Schemas of the engine's answers about the selected chain: merged blocks, minted notes, applied and dropped payments of its
 * blocks.
 */
import * as v from "valibot";
import { fields } from "../../base/fields.ts";
import { factsReader } from "./readFacts.ts";

const chainFacts = v.object({
  hash: fields.blockHash,
  index: fields.chainIndex,
  blueScore: fields.blueScore,
  daaScore: fields.daaScore,
  timestamp: fields.timestampMs,
  selectedParent: fields.blockHash,
  coinbaseTxid: fields.txId,
  coinbase: v.array(v.object({ recipient: fields.hex, value: fields.sompi })),
  merged: v.array(
    v.object({
      hash: fields.blockHash,
      color: v.picklist(["blue", "red"]),
      txCount: fields.u32,
    }),
  ),
  /** Payments whose effects hold, in order, each with the merged block that carried it. */
  applied: v.array(v.object({ txid: fields.txId, block: fields.blockHash })),
  /** Carried payments without effect, and why. */
  dropped: v.array(v.object({ txid: fields.txId, block: fields.blockHash, reason: v.string() })),
});

const chainRows = v.object({ rows: v.array(chainFacts) });

const chainPlace = v.object({ hash: fields.blockHash, chainIndex: fields.chainIndex });

const virtualChain = v.object({
  removed: v.array(fields.blockHash),
  added: v.array(v.object({ hash: fields.blockHash, acceptedTxids: v.array(fields.txId) })),
});

const blockHashes = v.array(fields.blockHash);

/** What a chain block did. */
export type ChainFacts = v.InferOutput<typeof chainFacts>;
/** A place on the selected chain. */
export type ChainPlace = v.InferOutput<typeof chainPlace>;
/** Chain blocks left and joined between a block and the sink. */
export type VirtualChain = v.InferOutput<typeof virtualChain>;

/** Reads ChainFacts. Throws `codec/bad-json`. */
export const readChainFacts = factsReader(chainFacts, "ChainFacts");
/** Reads the answer of `GET /v1/chain`. Throws `codec/bad-json`. */
export const readChainRows = factsReader(chainRows, "chain rows");
/** Reads the answer of `POST /v1/locate`. Throws `codec/bad-json`. */
export const readChainPlace = factsReader(chainPlace, "chain place");
/** Reads the engine's answer to `virtualChainFrom`. Throws `codec/bad-json`. */
export const readVirtualChain = factsReader(virtualChain, "virtual chain");
/** Reads a list of block hashes. Throws `codec/bad-json`. */
export const readBlockHashes = factsReader(blockHashes, "block hashes");
