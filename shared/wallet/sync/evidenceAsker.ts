/**
 * Asks a node for evidence when it is due: of the last blocks, of many minutes of work, and of the state where the wallet began.
 *
 * It knows the public chain and what the node answered, never what was scanned, nor whether an answer held (decision 23).
 */
import type { BlockHash, BlueScore, ChainIndex } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import type { EvidencePort, MemberEvidence, TipEvidence } from "../../light/evidencePort.ts";
import {
  unproved,
  type ChainProof,
  type ProofReach,
  type ProvedBlock,
} from "../proof/chainProof.ts";
import { tipOf, type ChainView } from "../state/chainView.ts";
import { newLedger, type LedgerStart, type WalletLedger } from "../proof/walletLedger.ts";
import type { ChainBlock } from "../state/walletState.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { evidencePlan, isDue, usedUntil, type EvidencePlan } from "./evidencePlan.ts";
import type { AskedPayload } from "./payloadDrawer.ts";

/** Evidence of a tip, as deep as was due. */
export type AskedTip = {
  readonly type: "tip";
  readonly reach: ProofReach;
  readonly plan: EvidencePlan;
  readonly shown: TipEvidence;
  /** The state where the wallet began, by the log of this tip; null where that is proved, or cannot be shown. */
  readonly start: MemberEvidence | null;
  readonly due: BlueScore;
};

/** Evidence of the state where the wallet began, by the work above it: there is no log that holds it. */
export type AskedStart = {
  readonly type: "start";
  readonly start: LedgerStart;
  readonly tip: ChainBlock;
  readonly shown: TipEvidence;
};

/** What came, or what the node said instead again and again. */
export type EvidenceAnswer =
  | AskedTip
  | AskedStart
  | AskedPayload
  | { readonly type: "fault"; readonly fault: SvcError };

/** Dependencies. */
export type AskerParts = {
  readonly source: EvidencePort;
  /** DAA score from which chain blocks stand in the anchor log; null for never. */
  readonly logFrom: bigint | null;
  readonly blockTimeMs: bigint;
};

/** The block whose state was shown, and the blue score of the tip above it. */
type ShownBefore = { readonly chainIndex: ChainIndex; readonly tip: BlueScore };

/** What was public of a wallet's proof when it last was applied. */
export type AskerState = { readonly ledger: WalletLedger | null; readonly proof: ChainProof };

/** Asks for evidence along one walk of the chain. */
export class EvidenceAsker {
  readonly #parts: AskerParts;
  #due = unproved(null).due;
  /** Where the wallet began to count; null where it counts nothing. */
  #start: LedgerStart | null = null;
  #child: BlockHash | null = null;
  #wantsStart = false;
  #shown: { readonly [R in ProofReach]: ShownBefore | null } = { far: null, near: null };
  /** Until then nothing is asked for: the node showed nothing. */
  #pausedUntil = 0n;
  #misses = 0;

  constructor(parts: AskerParts, state: AskerState) {
    this.#parts = parts;
    this.reset(state);
  }

  /** Takes up what was applied: what was asked for beyond it is asked for again. */
  reset({ ledger, proof }: AskerState): void {
    this.#due = proof.due;
    this.#shown = {
      far: proof.far && shownBefore(proof.far),
      near: proof.near && shownBefore(proof.near),
    };
    this.#start = ledger?.start ?? null;
    this.#child = ledger?.child ?? null;
    this.#wantsStart = ledger?.before === null;
    this.#pausedUntil = 0n;
  }

  /** The blocks above this one are gone, and what was shown of them: it is due again. */
  cut({ chainIndex }: ChainBlock): void {
    const isGone = (reach: ProofReach) => (this.#shown[reach]?.chainIndex ?? 0n) > chainIndex;
    const { due } = unproved(null);
    for (const reach of ["far", "near"] as const) {
      if (!isGone(reach)) continue;
      this.#shown = { ...this.#shown, [reach]: null };
      this.#due = { ...this.#due, [reach]: due[reach] };
    }
  }

  /** The scan begins anew after this block. */
  beginAt(block: ChainBlock): void {
    this.reset({ ledger: newLedger(block), proof: unproved(null) });
  }

  /**
   * After each page: learns which block commits to the state where the wallet began, and asks for its evidence where only the work
   * above it can show it. Rejects with `run/aborted` alone.
   */
  async begin(view: ChainView, signal: AbortSignal): Promise<readonly EvidenceAnswer[]> {
    if (this.#start === null) return [];
    const { chainIndex, blueScore } = this.#start;
    this.#child ??= view.find((block) => block.chainIndex === chainIndex + 1n)?.hash ?? null;
    const tip = tipOf(view);
    const isDeep = blueScore + WALLET_LIMITS.evidenceFarDepth <= tip.blueScore;
    return isDeep ? this.#startByWork(tip, signal) : [];
  }

  /** Everything that is due at the end of this view, the deepest first. Rejects with `run/aborted` alone. */
  async ask(view: ChainView, signal: AbortSignal): Promise<readonly EvidenceAnswer[]> {
    const answers: EvidenceAnswer[] = [...(await this.#startByWork(tipOf(view), signal))];
    for (const reach of ["far", "near"] as const) {
      const plan = evidencePlan(view, reach);
      if (plan === null || !this.#isDue(plan.tip, reach)) continue;
      // oxlint-disable-next-line no-await-in-loop -- one question after another, as every wallet asks
      const answer = await this.#askFor(reach, plan, signal);
      if (answer !== null) answers.push(answer);
      if (answer?.type !== "tip") return answers;
    }
    return answers;
  }

  #isDue({ blueScore }: ChainBlock, reach: ProofReach): boolean {
    const before = { due: this.#due[reach], tip: this.#shown[reach]?.tip ?? null };
    return blueScore >= this.#pausedUntil && isDue(blueScore, reach, before);
  }

  /** Null for evidence that did not come this time. */
  async #askFor(
    reach: ProofReach,
    plan: EvidencePlan,
    signal: AbortSignal,
  ): Promise<EvidenceAnswer | null> {
    const { source, blockTimeMs } = this.#parts;
    try {
      const isStart = this.#wantsStart && plan.block.hash === this.#start?.hash;
      const opening = await source.opening(plan.block.hash, isStart ? "product" : "digest", signal);
      const run = await source.run(plan.child, plan.tip.hash, signal);
      if (isStart) this.#wantsStart = false;
      const start = await this.#startByLog(plan, signal);
      const { blueScore } = plan.tip;
      const before = { due: this.#due[reach], blockTimeMs };
      const due = usedUntil(blueScore, reach, opening.length + run.length, before);
      this.#due = { ...this.#due, [reach]: due };
      const shown = { chainIndex: plan.block.chainIndex, tip: blueScore };
      this.#shown = { ...this.#shown, [reach]: shown };
      this.#misses = 0;
      return { type: "tip", reach, plan, shown: { opening, run }, start, due };
    } catch (error) {
      if (signal.aborted) throw error;
      return this.#missed(plan.tip, SvcError.from(error));
    }
  }

  async #startByLog({ block }: EvidencePlan, signal: AbortSignal): Promise<MemberEvidence | null> {
    const [start, child] = [this.#start, this.#child];
    if (!this.#wantsStart || start === null || child === null) return null;
    if (start.chainIndex >= block.chainIndex || !this.#isLogged(start)) return null;
    const { source } = this.#parts;
    this.#wantsStart = false;
    const shown = async () => {
      const opening = await source.opening(start.hash, "product", signal);
      const membership = await source.membership(child, block.hash, signal);
      return { membership, opening };
    };
    return shown().catch((error: unknown) => {
      if (signal.aborted) throw error;
      return null;
    });
  }

  /** One that the node cannot show stays unproved until the next session. */
  async #startByWork(tip: ChainBlock, signal: AbortSignal): Promise<readonly AskedStart[]> {
    const [start, child] = [this.#start, this.#child];
    if (!this.#wantsStart || start === null || child === null) return [];
    if (start.chainIndex + 1n >= tip.chainIndex || this.#isLogged(start)) return [];
    const { source } = this.#parts;
    this.#wantsStart = false;
    try {
      const opening = await source.opening(start.hash, "product", signal);
      const run = await source.run(child, tip.hash, signal);
      return [{ type: "start", start, tip, shown: { opening, run } }];
    } catch (error) {
      if (signal.aborted) throw error;
      return [];
    }
  }

  /** The block above the start stands in the anchor log. */
  #isLogged({ daaScore }: LedgerStart): boolean {
    const { logFrom } = this.#parts;
    return logFrom !== null && daaScore >= logFrom;
  }

  /** Counts an answer that did not come: a block that just left the chain has no evidence, and a busy node answers later. */
  #missed(tip: ChainBlock, error: SvcError): EvidenceAnswer | null {
    this.#misses += 1;
    if (this.#misses < WALLET_LIMITS.evidenceTries) return null;
    this.#misses = 0;
    this.#pausedUntil = tip.blueScore + WALLET_LIMITS.evidenceMissPause;
    const fault = new SvcError("evidence/not-shown", { reason: error.code }, error);
    return { type: "fault", fault };
  }
}

function shownBefore({ chainIndex, tipBlueScore }: ProvedBlock): ShownBefore {
  return { chainIndex, tip: tipBlueScore };
}
