/**
 * The reducer of evidence: compares what a wallet counted with what the chain commits to, and keeps what was proved
 * (docs/light-client.md). The judge has checked the work and the opening; here they are held against the node's own pages.
 */
import { SvcError } from "../../base/svcError.ts";
import type { ProvedStateFacts, ProvedTipFacts } from "../../light/coreJudge.ts";
import { blocksOfWork, workOfBits } from "../../light/workBlocks.ts";
import {
  faultBeyond,
  type ChainProof,
  type ProofReach,
  type ProvedBlock,
} from "../proof/chainProof.ts";
import { ledgerProved, sumsAt, type Multiply } from "../proof/walletLedger.ts";
import type { ChainBlock, WalletState } from "../state/walletState.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";

/** What was asked for: the blocks of the pages that the evidence has to be about. */
export type AskedBlocks = {
  readonly reach: ProofReach;
  readonly block: ChainBlock;
  readonly child: ChainBlock["hash"];
  readonly tip: ChainBlock;
  /** Blue score of the tip from which evidence of this reach is due again. */
  readonly due: ChainBlock["blueScore"];
  /** Hashes of a block of the network when this was judged; null where the program does not know them. */
  readonly unit: bigint | null;
};

/** What the wallet has counted, for comparison. */
export type Counted = {
  /** Root of its note tree after the block. */
  readonly treeRoot: string;
  readonly multiply: Multiply;
  /** The digest of a product of nullifiers, as a state root covers it. */
  readonly digest: (product: string) => string;
};

/**
 * The state with the proof of where the wallet began: the sums of the chain up to there. Throws `evidence/other-header` where the
 * evidence is about another block.
 */
export function applyStartEvidence(state: WalletState, facts: ProvedStateFacts): WalletState {
  if (state.ledger === null) return state;
  const { start, child } = state.ledger;
  const { block, child: above, cumulativeCoinbase } = facts.state;
  checkHeader(start.hash, block);
  if (child !== null) checkHeader(child, above);
  if (facts.product === null) return state;
  const before = { spent: facts.product, minted: cumulativeCoinbase };
  return { ...state, ledger: ledgerProved(state.ledger, before) };
}

/**
 * The state with the proof of a tip. Throws `evidence/other-header`, `evidence/other-scores`, `evidence/other-notes`,
 * `evidence/other-nullifiers`, `evidence/other-coins` where the node's pages are not what its evidence says.
 */
export function applyTipEvidence(
  state: WalletState,
  asked: AskedBlocks,
  facts: ProvedTipFacts,
  counted: Counted,
): WalletState {
  checkHeader(asked.block.hash, facts.state.block);
  checkHeader(asked.child, facts.state.child);
  checkScores(asked.block, headOfRun(state, asked, facts.work.tip), facts);
  checkCounted(state, asked.block, facts, counted);
  return { ...state, proof: withTip(state.proof, asked, facts) };
}

/**
 * The remembered block at which a run ends. One of a block level ends at its last header of that level, which may lie below the block that
 * was asked for. Throws `evidence/other-header` for a run that ends elsewhere.
 */
export function headOfRun(
  { blocks }: Pick<WalletState, "blocks">,
  { block, tip }: { readonly block: Pick<ChainBlock, "chainIndex">; readonly tip: ChainBlock },
  found: string,
): ChainBlock {
  const head = blocks.find(({ hash }) => hash === found);
  const isInRun =
    head !== undefined && head.chainIndex > block.chainIndex && head.chainIndex <= tip.chainIndex;
  if (!isInRun) throw new SvcError("evidence/other-header", { expected: tip.hash, found });
  return head;
}

function checkScores(block: ChainBlock, tip: ChainBlock, { state, work }: ProvedTipFacts): void {
  const pairs = [
    [block.hash, state.blueScore ?? block.blueScore, block.blueScore],
    [tip.hash, work.blueScore, tip.blueScore],
    [tip.hash, work.daaScore, tip.daaScore],
    [tip.hash, work.timestamp, tip.timestamp],
  ] as const;
  for (const [hash, expected, found] of pairs) {
    if (expected === found) continue;
    throw new SvcError("evidence/other-scores", { block: hash, expected, found });
  }
}

function checkCounted(
  state: WalletState,
  { hash: block, chainIndex }: ChainBlock,
  { state: facts }: ProvedTipFacts,
  { treeRoot, multiply, digest }: Counted,
): void {
  if (facts.treeRoot !== treeRoot) {
    const data = { block, expected: facts.treeRoot, found: treeRoot };
    throw new SvcError("evidence/other-notes", data);
  }
  const sums = state.ledger === null ? null : sumsAt(state.ledger, chainIndex, multiply);
  if (sums === null) return;
  const nullifiers = digest(sums.spent);
  if (facts.nullifierRoot !== nullifiers) {
    const data = { block, expected: facts.nullifierRoot, found: nullifiers };
    throw new SvcError("evidence/other-nullifiers", data);
  }
  if (facts.cumulativeCoinbase !== sums.minted) {
    const data = { block, expected: facts.cumulativeCoinbase, found: sums.minted };
    throw new SvcError("evidence/other-coins", data);
  }
}

function withTip(proof: ChainProof, asked: AskedBlocks, { work }: ProvedTipFacts): ChainProof {
  const { reach, block, due, unit } = asked;
  const shown: ProvedBlock = {
    hash: block.hash,
    chainIndex: block.chainIndex,
    tip: work.tip,
    tipBlueScore: work.blueScore,
    tipTimestamp: work.timestamp,
    blocks: unit === null ? 0n : blocksOfWork(work, unit),
  };
  // No work makes the measure easier: time does. And a few lucky headers make it no harder.
  const isLong = reach === "far" && shown.blocks * 4n >= WALLET_LIMITS.evidenceFarDepth;
  const isHarder = unit !== null && workOfBits(work.bits) >= unit;
  const floor = isLong && isHarder ? { bits: work.bits, timestamp: work.timestamp } : proof.floor;
  const fault = faultBeyond(proof, reach);
  return { ...proof, [reach]: shown, due: { ...proof.due, [reach]: due }, floor, fault };
}

function checkHeader(expected: string, found: string): void {
  if (expected !== found) throw new SvcError("evidence/other-header", { expected, found });
}
