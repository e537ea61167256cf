/** Schemas of what evidence proved, as the core says it (docs/light-client.md): state, work, member, note; and of what to ask for. */
import * as v from "valibot";
import { fields } from "../../base/fields.ts";
import { factsReader } from "./readFacts.ts";

const stateFacts = v.object({
  block: fields.blockHash,
  /** The block above, whose coinbase commits to the state. */
  child: fields.blockHash,
  treeRoot: fields.anchor,
  nullifierRoot: fields.hash32,
  /** Sompi minted, fees that were paid out again among them. */
  cumulativeCoinbase: fields.total,
  /** Sompi of fees. */
  cumulativeFees: fields.total,
  /** Chain blocks in the anchor log; null before the security fork. */
  logCount: v.nullable(fields.u64),
  /** Blue score of the block, as the log has it; null before the security fork. */
  blueScore: v.nullable(fields.blueScore),
});

const workFacts = v.object({
  base: fields.blockHash,
  tip: fields.blockHash,
  /** Chain blocks above the base. */
  blocks: fields.u64,
  /** Hashes that they took on average, hexadecimal. */
  work: v.pipe(v.string(), v.regex(/^(?:0|[1-9a-f][0-9a-f]{0,63})$/)),
  /** The same in blocks of the tip's difficulty. */
  blocksOfTip: fields.u64,
  bits: fields.u32,
  timestamp: fields.timestampMs,
  daaScore: fields.daaScore,
  blueScore: fields.blueScore,
});

const memberFacts = v.object({
  /** Place in the log. */
  index: fields.u64,
  block: fields.blockHash,
  parent: fields.blockHash,
  treeRoot: fields.anchor,
  blueScore: fields.blueScore,
});

const noteFacts = v.object({
  recipient: fields.rawAddress,
  value: fields.sompi,
  position: fields.u32,
});

const evidenceTipFacts = v.object({
  /** The block whose state to open. */
  block: fields.blockHash,
  /** The block above it, at which its run begins. */
  child: fields.blockHash,
  /** Where its run ends. */
  sink: fields.blockHash,
  /** Of `block`. */
  blueScore: fields.blueScore,
  sinkBlueScore: fields.blueScore,
  sinkDaaScore: fields.daaScore,
  sinkTimestamp: fields.timestampMs,
  /** Chain blocks above `child`. */
  blocks: fields.u64,
  /** Chain blocks in the anchor log after `block`; null before the security fork. */
  logCount: v.nullable(fields.u64),
  /** From which chain blocks are in the log; null where the network has no security fork. */
  securityFork: v.nullable(fields.daaScore),
});

/** The state after a chain block. */
export type StateFacts = v.InferOutput<typeof stateFacts>;
/** Work above a state; scores and time are the tip's. */
export type WorkFacts = v.InferOutput<typeof workFacts>;
/** A block in the anchor log. */
export type MemberFacts = v.InferOutput<typeof memberFacts>;
/** A note in the note tree. */
export type NoteFacts = v.InferOutput<typeof noteFacts>;

/** Which blocks to ask evidence of, by the node's word. */
export type EvidenceTipFacts = v.InferOutput<typeof evidenceTipFacts>;

/** Reads StateFacts. Throws `codec/bad-json`. */
export const readStateFacts = factsReader(stateFacts, "StateFacts");
/** Reads WorkFacts. Throws `codec/bad-json`. */
export const readWorkFacts = factsReader(workFacts, "WorkFacts");
/** Reads MemberFacts. Throws `codec/bad-json`. */
export const readMemberFacts = factsReader(memberFacts, "MemberFacts");
/** Reads NoteFacts. Throws `codec/bad-json`. */
export const readNoteFacts = factsReader(noteFacts, "NoteFacts");
/** Reads EvidenceTipFacts. Throws `codec/bad-json`. */
export const readEvidenceTipFacts = factsReader(evidenceTipFacts, "EvidenceTipFacts");
