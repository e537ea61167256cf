/** Judges the evidence that came and compares it with the wallet's own count: one pure step from state to state, beside the core's. */
import type { ChainIndex } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import { equalBytes } from "../../base/bytes.ts";
import { encodeHex } from "../../base/hex.ts";
import { yardstickOf, type Yardstick } from "../../light/yardstick.ts";
import { applyStartEvidence, applyTipEvidence, headOfRun } from "../reduce/applyEvidence.ts";
import type { ChainProof } from "../proof/chainProof.ts";
import { isNoLie } from "../proof/isNoLie.ts";
import type { NoteTree } from "../state/noteTree.ts";
import type { EvidenceParts } from "../state/ports.ts";
import type { WalletState } from "../state/walletState.ts";
import type { AskedTip, EvidenceAnswer } from "./evidenceAsker.ts";
import type { AskedPayload } from "./payloadDrawer.ts";

/** Codes that say nothing of what a node showed. */
const OWN_FAULTS = /^(?:engine|internal|run|store)\//;

/** A state and the tree that belongs to it. */
export type StateAndTree = { readonly state: WalletState; readonly tree: NoteTree };

/**
 * The state after an answer. A node that shows nothing leaves what was proved. Throws what the judge and the reducer throw, all of it
 * faults of the node's bytes: `evidence/*`, `header/*`, `coinbase/*`, `codec/*`, `shielded/bad-anchor-log`.
 */
export function takeEvidence(
  parts: EvidenceParts,
  { state, tree }: StateAndTree,
  answer: EvidenceAnswer,
  nowMs: bigint,
): WalletState {
  switch (answer.type) {
    case "fault": {
      const before = state.proof.fault;
      // A lie that was found is not forgotten because the node then shows nothing.
      const isLie = before !== null && !isNoLie(before);
      const fault = isLie ? before : answer.fault.toJSON();
      return { ...state, proof: { ...state.proof, fault } };
    }
    case "start": {
      const { floor } = walletYardstick(parts, state, nowMs);
      const shown = parts.judge.tip(floor, answer.shown);
      headOfRun(state, { block: answer.start, tip: answer.tip }, shown.work.tip);
      return applyStartEvidence(state, shown);
    }
    case "payload":
      checkPayload(parts, answer);
      return state;
    case "tip": {
      const { floor } = walletYardstick(parts, state, nowMs);
      checkDrawn(parts, floor, answer);
      const shown = takeDrawnTip(parts, { state, tree }, answer, nowMs);
      return answer.drawn.length > 0 ? paymentHeld(shown) : shown;
    }
  }
}

/** The block of the drawn payment that this fault of an answer is about; null for none. */
export function falseDrawn(answer: EvidenceAnswer, fault: SvcError): ChainIndex | null {
  if (!SvcError.is(fault, "evidence/other-payload")) return null;
  if (answer.type === "payload") return answer.block.chainIndex;
  if (answer.type !== "tip") return null;
  const drawn = answer.drawn.find(({ txid }) => txid === fault.data.txid);
  return drawn?.block.chainIndex ?? null;
}

/** The tip. A run that was asked to begin at a drawn payment's block and is about another one says that the payment is false. */
function takeDrawnTip(
  parts: EvidenceParts,
  held: StateAndTree,
  answer: AskedTip,
  nowMs: bigint,
): WalletState {
  try {
    return takeTip(parts, held, answer, nowMs);
  } catch (error) {
    const base = answer.drawn.find(({ membership }) => membership === null);
    if (base === undefined || !SvcError.is(error, "evidence/other-header")) throw error;
    throw new SvcError("evidence/other-payload", { txid: base.txid }, error);
  }
}

/**
 * Throws `evidence/other-payload` unless the payment in the page is the one that the block's header commits to, byte for byte. That says nothing
 * until `checkDrawn` finds the block on the chain.
 */
function checkPayload(
  { payloads }: EvidenceParts,
  { block, txid, told, shown }: AskedPayload,
): void {
  const differs = (cause?: unknown) => new SvcError("evidence/other-payload", { txid }, cause);
  if (payloads === undefined) return;
  let accepted: Uint8Array;
  try {
    accepted = payloads.check(block.hash, shown);
  } catch (error) {
    // A fault of this machine is none of the bytes.
    throw OWN_FAULTS.test(SvcError.from(error).code) ? error : differs(error);
  }
  if (!equalBytes(accepted, told)) throw differs();
}

/**
 * Throws `evidence/other-payload` for a drawn payment whose block is not one of the chain below this tip, `evidence/other-scores` where its page
 * has another score. The first block of the run is on it, or the rest of the evidence is refused.
 */
function checkDrawn(
  { judge }: EvidenceParts,
  floor: Yardstick["floor"],
  { shown, drawn }: AskedTip,
): void {
  const logged = drawn.flatMap(({ block, txid, membership }) =>
    membership === null ? [] : [{ block, txid, membership }],
  );
  if (logged.length === 0) return;
  const paths = logged.map(({ membership }) => membership);
  for (const [place, found] of judge.members(floor, shown, paths).entries()) {
    const drawing = logged[place];
    if (drawing === undefined) break;
    const { block, txid } = drawing;
    if (found instanceof SvcError) throw new SvcError("evidence/other-payload", { txid }, found);
    if (found.block !== block.hash) throw new SvcError("evidence/other-payload", { txid });
    if (found.blueScore === block.blueScore) continue;
    const scores = { expected: found.blueScore, found: block.blueScore };
    throw new SvcError("evidence/other-scores", { block: block.hash, ...scores });
  }
}

/** A node one of whose payments is shown to stand on the chain is no longer doubted for one that did not hold. */
function paymentHeld(state: WalletState): WalletState {
  if (state.proof.fault?.code !== "evidence/other-payload") return state;
  return { ...state, proof: { ...state.proof, fault: null } };
}

function takeTip(
  parts: EvidenceParts,
  { state, tree }: StateAndTree,
  { reach, plan, shown, start, due }: AskedTip,
  nowMs: bigint,
): WalletState {
  const { floor, unit } = walletYardstick(parts, state, nowMs);
  const { block, child, tip } = plan;
  const counted = {
    treeRoot: encodeHex(tree.root(block.leafEnd)),
    multiply: parts.multiply,
    digest: parts.digest,
  };
  const asked = { reach, block, child, tip, due, unit };
  // The youngest view has no work to show, and gets none for it: its state is compared all the same.
  if (child === tip.hash) {
    return applyTipEvidence(state, asked, parts.judge.opened(floor, shown), counted);
  }
  if (start === null) {
    const proved = parts.judge.tip(floor, shown);
    const isStart = proved.state.block === state.ledger?.start.hash;
    const begun = isStart ? applyStartEvidence(state, proved) : state;
    return applyTipEvidence(begun, asked, proved, counted);
  }
  const proved = parts.judge.older(floor, shown, start);
  return applyTipEvidence(applyStartEvidence(state, proved.older), asked, proved.tip, counted);
}

/** By the checkpoint and by what the wallet proved itself. */
export function walletYardstick(
  { checkpoint }: Pick<EvidenceParts, "checkpoint">,
  { proof }: { readonly proof: Pick<ChainProof, "floor"> },
  nowMs: bigint,
): Yardstick {
  return yardstickOf(proof.floor, checkpoint, nowMs);
}
