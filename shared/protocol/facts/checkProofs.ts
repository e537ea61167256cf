/**
 * Schemas of what a node tells of a chain block for those who check it (docs/formats.md 3.11). Nothing in them is believed: all of it
 * together makes the commitments of headers, or does not. They are passed on as they are, so nothing is parsed further.
 */
import * as v from "valibot";
import { factsReader } from "./readFacts.ts";

const textOf = (description: string, form: RegExp) =>
  v.pipe(v.string(), v.regex(form), v.description(description));
const hashOf = (description: string) => textOf(description, /^[0-9a-f]{64}$/);
const hexOf = (description: string) => textOf(description, /^(?:[0-9a-f]{2})*$/);
const decimalOf = (description: string) => textOf(description, /^(?:0|[1-9]\d{0,38})$/);
const countOf = (description: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.description(description));

const state = v.object({
  treeRoot: hashOf("Root of the note tree."),
  nullifierRoot: hashOf("Finalised accumulator over all spent nullifiers."),
  cumulativeCoinbase: decimalOf(
    "Sompi that coinbases have minted, fees that they paid out again among them.",
  ),
  cumulativeFees: decimalOf("Sompi of fees that applied payments gave up."),
  burnRoot: hashOf("Root of the burn receipts: zero while there is no bridge."),
  devAccrued: decimalOf("Sompi of development fee that are carried on."),
  anchorCommitment: hashOf("Commitment of the anchor log."),
  slot: v.object({
    scriptVersion: countOf("Script version of the miner slot's holder."),
    script: hexOf("Script of the holder."),
    amount: decimalOf("Sompi that the slot holds."),
  }),
});

const frontier = v.object({
  size: decimalOf("Leaves of the note tree."),
  leaf: hashOf("The last of them; zero in an empty tree."),
  ommers: v.pipe(
    v.array(hashOf("A node.")),
    v.description("Complete left siblings, the lowest first."),
  ),
});

const lane = v.object({
  key: hashOf("Key of the lane."),
  tip: hashOf("Its newest tip."),
  blueScore: decimalOf("Blue score of the chain block that touched it last."),
});

/** What ties the effects of a chain block to its header and to the block above. */
export const acceptanceProof = v.object({
  block: hashOf("The chain block."),
  selectedParent: hashOf("Its selected parent."),
  child: v.nullable(hashOf("The chain block above it; null at the tip.")),
  accepted: v.array(
    v.object({
      txid: hashOf("An accepted transaction, dropped ones among them, in their order."),
      version: countOf("Its version."),
      lane: hexOf("Its subnetwork."),
      block: hashOf("The merged block that carries it."),
    }),
  ),
  merged: v.array(
    v.object({
      hash: hashOf("A merged block, in the order of acceptance."),
      blueWork: hexOf("Its blue work, as it is hashed."),
      payload: hexOf("Payload of its coinbase."),
    }),
  ),
  lanes: v.nullable(v.object({ extended: v.array(lane), untouched: v.array(lane) })),
  shortcut: hashOf("Sequencing commitment that lanes without activity are measured by."),
  frontier,
  applied: v.array(
    v.object({
      txid: hashOf("A payment that moved value, in their order."),
      block: hashOf("The merged block that carries it."),
      commitments: v.array(hashOf("Commitment of a note that it makes.")),
    }),
  ),
  dropped: v.array(
    v.object({
      txid: hashOf("A payment without effect."),
      block: hashOf("The merged block that carries it."),
      reason: v.pipe(v.string(), v.description("Code of the reason, by the node's word.")),
    }),
  ),
  before: state,
  after: state,
});

/** What ties the state after a chain block to the block above. */
export const supplyProof = v.object({
  block: hashOf("The chain block."),
  child: v.nullable(
    hashOf("The chain block above it, whose coinbase commits to the state; null at the tip."),
  ),
  daaScore: decimalOf("DAA score of the block."),
  blueScore: decimalOf("Blue score of the block."),
  state,
  frontier,
  nullifierCount: decimalOf("Nullifiers spent so far, by the node's word."),
});

/** An acceptance proof as it is told. */
export type AcceptanceProof = v.InferOutput<typeof acceptanceProof>;
/** A supply proof as it is told. */
export type SupplyProof = v.InferOutput<typeof supplyProof>;

/** Reads AcceptanceProof. Throws `codec/bad-json`. */
export const readAcceptanceProof = factsReader(acceptanceProof, "AcceptanceProof");
/** Reads SupplyProof. Throws `codec/bad-json`. */
export const readSupplyProof = factsReader(supplyProof, "SupplyProof");
