/**
 * Asks a node for evidence when it is due: of the last blocks, of many minutes of work, and of the state where the wallet began.
 *
 * It knows the public chain and what the node answered, never what was scanned, nor whether an answer held (decision 23).
 */
import { asChainIndex, type BlockHash, type BlueScore, type ChainIndex } from "../../base/brand.ts";
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
import type { DrawnBlock, DrawnBlocks } from "./drawnBlocks.ts";
import { evidencePlan, isDue, planFrom, usedUntil, type EvidencePlan } from "./evidencePlan.ts";
import type { AskedPayload } from "./payloadDrawer.ts";

/** Evidence of a tip, as deep as was due. */
export type AskedTip = {
  readonly type: "tip";
  readonly reach: ProofReach;
  readonly plan: EvidencePlan;
  readonly shown: TipEvidence;
  /** The state where the wallet began, by the log of this tip; null where that is proved, or cannot be shown. */
  readonly start: MemberEvidence | null;
  /** Drawn payments whose blocks this tip covers. */
  readonly drawn: readonly ShownDrawn[];
  readonly due: BlueScore;
};

/** A drawn payment, and where its block stands. */
export type ShownDrawn = Pick<DrawnBlock, "block" | "txid"> & {
  /** The path in the log of the opened state; null for a block from before the log, which is the first of the run. */
  readonly membership: Uint8Array | null;
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
  /** Drawn payments that wait for evidence; null where none are drawn. */
  readonly drawn: DrawnBlocks | null;
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
  cut(common: ChainBlock): void {
    const { chainIndex } = common;
    this.#parts.drawn?.cut(common);
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
    this.#parts.drawn?.clear();
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
    const { drawn } = this.#parts;
    drawn?.beginLook();
    const answers: EvidenceAnswer[] = [...(await this.#startByWork(tipOf(view), signal))];
    for (const reach of ["far", "near"] as const) {
      const newest = evidencePlan(view, reach);
      if (newest === null || !this.#isDue(newest.tip, reach)) continue;
      const plan = reach === "far" ? this.#fromDrawn(view, newest) : newest;
      // oxlint-disable-next-line no-await-in-loop -- one question after another, as every wallet asks
      const answer = await this.#askFor(reach, plan, signal);
      if (answer !== null) answers.push(answer);
      if (answer?.type !== "tip") return answers;
    }
    const missing = drawn?.takeMissing(answers.some(({ type }) => type === "tip")) ?? null;
    if (missing !== null) answers.push({ type: "fault", fault: missing });
    return answers;
  }

  /** The plan, begun at a drawn payment's block from before the log where one lies in what was not shown yet. */
  #fromDrawn(view: ChainView, plan: EvidencePlan): EvidencePlan {
    const lowest = this.#shown.far?.chainIndex ?? 0n;
    const { tip } = plan;
    const fits = ({ block }: DrawnBlock): boolean =>
      block.chainIndex > lowest + 1n &&
      block.chainIndex <= plan.block.chainIndex + 1n &&
      !this.#hasPath(block, tip) &&
      planFrom(view, block, tip) !== null;
    const base = this.#parts.drawn?.oneOf(fits) ?? null;
    return base === null ? plan : (planFrom(view, base.block, tip) ?? plan);
  }

  /** A drawn block stands in the anchor log: its page says so, or a tip so far above the first entry that the page cannot say otherwise. */
  #hasPath({ daaScore }: ChainBlock, tip: ChainBlock): boolean {
    const { logFrom } = this.#parts;
    if (logFrom === null) return false;
    return daaScore >= logFrom || tip.daaScore >= logFrom + WALLET_LIMITS.evidenceLogSettled;
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
      const drawn = await this.#drawnUnder(plan, reach, signal);
      const { blueScore } = plan.tip;
      const before = { due: this.#due[reach], blockTimeMs };
      const bytes = opening.length + run.length + lengthOf(drawn);
      const due = usedUntil(blueScore, reach, bytes, before);
      this.#due = { ...this.#due, [reach]: due };
      const shown = { chainIndex: plan.block.chainIndex, tip: blueScore };
      this.#shown = { ...this.#shown, [reach]: shown };
      this.#misses = 0;
      return { type: "tip", reach, plan, shown: { opening, run }, start, drawn, due };
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

  /**
   * Where the blocks of drawn payments stand that this evidence covers, a few of them. A header has to work on it: without work nothing is
   * bound. A node that is away is not asked for more.
   */
  async #drawnUnder(
    { block, child, tip }: EvidencePlan,
    reach: ProofReach,
    signal: AbortSignal,
  ): Promise<readonly ShownDrawn[]> {
    const { drawn } = this.#parts;
    const shown: ShownDrawn[] = [];
    if (drawn === null || child === tip.hash) return shown;
    let asked = 0;
    for (const one of drawn.upTo(asChainIndex(block.chainIndex + 1n))) {
      if (asked === WALLET_LIMITS.evidenceDrawnPerLook) break;
      const isBase = one.block.hash === child;
      if (!isBase && !this.#hasPath(one.block, tip)) {
        // No later run of many minutes begins so low.
        if (reach === "far") drawn.drop(one);
        continue;
      }
      // oxlint-disable-next-line no-await-in-loop -- one question after another, as every wallet asks
      const path = isBase ? null : await this.#pathOf(one, { block, tip }, signal);
      asked += 1;
      if (path === "away") break;
      if (path === "refused") continue;
      shown.push({ block: one.block, txid: one.txid, membership: path });
      drawn.shown(one, tip.blueScore);
    }
    return shown;
  }

  /** The path of a drawn payment's block in the log after a block, or why it did not come. */
  async #pathOf(
    one: DrawnBlock,
    { block, tip }: Pick<EvidencePlan, "block" | "tip">,
    signal: AbortSignal,
  ): Promise<Uint8Array | "away" | "refused"> {
    try {
      return await this.#parts.source.membership(one.block.hash, block.hash, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      this.#parts.drawn?.missed(one, tip.blueScore, SvcError.from(error));
      return SvcError.is(error, "wallet/node-unreachable") ? "away" : "refused";
    }
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

function lengthOf(drawn: readonly ShownDrawn[]): number {
  return drawn.reduce((sum, { membership }) => sum + (membership?.length ?? 0), 0);
}

function shownBefore({ chainIndex, tipBlueScore }: ProvedBlock): ShownBefore {
  return { chainIndex, tip: tipBlueScore };
}
