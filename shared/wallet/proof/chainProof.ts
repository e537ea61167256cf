/**
 * Proof of the chain, as a wallet stores it: proved states with the work above them, the floor of work, when evidence is due again, and the
 * last contradiction (docs/light-client.md). All of it is public: every wallet that follows the same node has the same.
 */
import {
  asBlueScore,
  type BlockHash,
  type BlueScore,
  type ChainIndex,
  type TimestampMs,
} from "../../base/brand.ts";
import type { Code } from "../../base/generated/codes.ts";
import { SvcError, type ErrorJson } from "../../base/svcError.ts";
import type { WorkCheckpoint } from "../../light/checkpointOf.ts";

/** A state of the chain and the work that was recomputed above it. */
export type ProvedBlock = {
  readonly hash: BlockHash;
  readonly chainIndex: ChainIndex;
  /** The last header of the run. */
  readonly tip: BlockHash;
  readonly tipBlueScore: BlueScore;
  readonly tipTimestamp: TimestampMs;
  /** Work above the state in blocks of the tip's difficulty: target block times of the whole network. 0 where there is no work. */
  readonly blocks: bigint;
};

/** How much work evidence shows: that of many minutes, or of the last blocks. */
export type ProofReach = "far" | "near";

/** What was proved. */
export type ChainProof = {
  readonly far: ProvedBlock | null;
  readonly near: ProvedBlock | null;
  /** The blue score of the tip from which evidence of each reach is due again. */
  readonly due: { readonly [R in ProofReach]: BlueScore };
  /** Bits of the last header that was proved, and its time: no node goes far below. They outlive every rescan. */
  readonly floor: WorkCheckpoint | null;
  /** The last contradiction between what a node told and what the chain commits to; null once a node showed its work again. */
  readonly fault: ErrorJson | null;
  readonly second: SecondView;
};

/** What a second node tells otherwise, null for nothing. It is a claim that stops nothing: either of the two may be wrong. */
export type SecondView = {
  /** It has a page of the chain with other bytes. */
  readonly page: ErrorJson | null;
  /** Its tip is far above. */
  readonly tip: ErrorJson | null;
  /** The last block whose page was compared with it; null for none. */
  readonly compared: ChainIndex | null;
};

const CONTRADICTIONS: ReadonlySet<Code> = new Set<Code>([
  "evidence/other-coins",
  "evidence/other-notes",
  "evidence/other-nullifiers",
  "evidence/other-payload",
  "evidence/other-scores",
]);

/** The chain commits to something else than pages of a node told. */
export function isContradicted(code: Code): boolean {
  return CONTRADICTIONS.has(code);
}

/** Nothing is proved yet, and evidence is due at once. */
export function unproved(floor: ChainProof["floor"]): ChainProof {
  const atOnce = asBlueScore(0n);
  const second = { page: null, tip: null, compared: null };
  return { far: null, near: null, due: { far: atOnce, near: atOnce }, floor, fault: null, second };
}

/** The proof without the states above a block that stays: another chain grew there, whose evidence is due at once. */
export function proofCut(proof: ChainProof, common: ChainIndex): ChainProof {
  const kept = (shown: ProvedBlock | null) =>
    shown !== null && shown.chainIndex > common ? null : shown;
  const [far, near] = [kept(proof.far), kept(proof.near)];
  const atOnce = asBlueScore(0n);
  const due = {
    far: far === proof.far ? proof.due.far : atOnce,
    near: near === proof.near ? proof.due.near : atOnce,
  };
  const { compared } = proof.second;
  const isGone = compared !== null && compared > common;
  const second = isGone ? { ...proof.second, compared: common } : proof.second;
  return { ...proof, far, near, due, second };
}

/**
 * The proof after the chain changed from what it was before: a node that left a block above which many minutes of work were shown is
 * named. A chain with more work may do that, too; what lies on the new one counts as claimed until it has shown as much.
 */
export function proofLeft(before: ChainProof, after: ChainProof): ChainProof {
  if (before.far === null || after.far !== null) return after;
  const fault = new SvcError("evidence/contradicted", { block: before.far.hash }).toJSON();
  return { ...after, fault };
}

/**
 * The fault that stays when work of a reach was shown: a false payment stays until one holds, and a block that was left until work of
 * many minutes is shown again. All else ends there.
 */
export function faultBeyond({ fault }: ChainProof, reach: ProofReach): ErrorJson | null {
  if (fault?.code === "evidence/other-payload") return fault;
  return fault?.code === "evidence/contradicted" && reach === "near" ? fault : null;
}

/** The work above a block: that of many minutes where it covers the block, else that of the last blocks; null for none. */
export function provedAbove(proof: ChainProof, chainIndex: ChainIndex): ProvedBlock | null {
  for (const shown of [proof.far, proof.near]) {
    if (shown !== null && chainIndex <= shown.chainIndex) return shown;
  }
  return null;
}

/** The newest block whose state was proved; null for none. */
export function lastProved({ far, near }: ChainProof): ProvedBlock | null {
  if (far === null || near === null) return far ?? near;
  return near.chainIndex >= far.chainIndex ? near : far;
}

/** When the newest header was made whose work was recomputed; null for none. */
export function lastJudgedMs({ far, near }: ChainProof): TimestampMs | null {
  if (far === null || near === null) return (far ?? near)?.tipTimestamp ?? null;
  return far.tipTimestamp > near.tipTimestamp ? far.tipTimestamp : near.tipTimestamp;
}
