/** Schema of the state of the shielded pool after a block (specification shielded 11). */
import * as v from "valibot";
import { fields } from "../../base/fields.ts";
import { factsReader } from "./readFacts.ts";

const shieldedFacts = v.object({
  hash: fields.blockHash,
  blueScore: fields.blueScore,
  daaScore: fields.daaScore,
  /** Leaves of the note tree. */
  size: fields.leafPosition,
  /** Last leaf; zero for the empty tree. */
  leaf: fields.hash32,
  ommers: v.array(fields.hash32),
  root: fields.anchor,
  cumulativeCoinbase: fields.sompi,
  cumulativeFees: fields.sompi,
  cumulativeBurns: fields.sompi,
  /** Coinbase − fees − burns. */
  poolValue: fields.sompi,
  noteCount: fields.u64,
  /** Nullifiers spent so far. */
  nullifierCount: fields.u64,
  /** Development fee that is carried on. */
  devAccrued: fields.sompi,
  /** What the miner slot has accrued. */
  slotAmount: fields.sompi,
  stateRoot: fields.hash32,
});

/** The state of the shielded pool after a block. */
export type ShieldedFacts = v.InferOutput<typeof shieldedFacts>;

/** Reads ShieldedFacts. Throws `codec/bad-json`. */
export const readShieldedFacts = factsReader(shieldedFacts, "ShieldedFacts");
