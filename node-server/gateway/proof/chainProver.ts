/**
 * Holds the node of a scan to the work of the network: it fills the note tree with what the scan reads, asks for evidence where pages end,
 * and compares (docs/design/light-client.md). What is asked for depends on the public chain alone.
 */
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { EvidencePort, TipEvidence } from "@svc/shared/light/evidencePort.ts";
import type { EvidenceJudge } from "@svc/shared/light/coreJudge.ts";
import type { ChainDepth } from "@svc/shared/light/workLadder.ts";
import { blockAt, type ChainView } from "@svc/shared/wallet/state/chainView.ts";
import type { NoteTree } from "@svc/shared/wallet/state/noteTree.ts";
import type { ClockPort, NodePort } from "@svc/shared/wallet/state/ports.ts";
import type { ChainBlock } from "@svc/shared/wallet/state/walletState.ts";
import type { FoundStart } from "@svc/shared/wallet/sync/birthday.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { MadeReceipt } from "../receipts/paidNote.ts";
import type { ReceiptPress } from "../receipts/receiptPress.ts";
import { depthOf } from "./chainDepth.ts";
import { judgeRung, type ShownRung } from "./judgeRung.ts";
import type { NetworkWork } from "./networkWork.ts";
import { openTree, rebasedTree } from "./provedTree.ts";
import { rungsOf, type Rung } from "./rungs.ts";
import {
  begunAt,
  cutTo,
  floorAfter,
  scanYardstick,
  UNPROVED,
  withStep,
  type ProvedStep,
  type ScanProof,
} from "./scanProof.ts";

/** Dependencies. */
export type ChainProverParts = {
  readonly core: Pick<CoreGlue, "NoteTree">;
  readonly judge: Pick<EvidenceJudge, "tip" | "opened">;
  readonly node: Pick<EvidencePort, "opening" | "run"> & Pick<NodePort, "start">;
  readonly clock: Pick<ClockPort, "nowMs">;
  readonly network: NetworkWork;
  /** Chain blocks that the scan remembers. */
  readonly recentBlocks: number;
  /** What an earlier start wrote down. */
  readonly stored: StoredProof;
  /** Makes receipts of payments that a proved state covers; null where none are made. */
  readonly receipts: Pick<ReceiptPress, "made"> | null;
  /** Makes a proof durable, with the receipts that it gave. Throws the store's error, and then nothing has happened. */
  readonly commit: (proof: ScanProof, tip: ChainBlock, receipts: readonly MadeReceipt[]) => void;
};

/** What an earlier start wrote down. */
export type StoredProof = {
  readonly proof: ScanProof | undefined;
  readonly leaves: Iterable<Uint8Array>;
  /** The last block that was scanned; null for a scan that begins. */
  readonly tip: ChainBlock | null;
};

/** A state that was judged, and what it gives. */
type TakenRung = {
  readonly rung: Rung;
  /** The step at which its run began. */
  readonly from: ProvedStep | null;
  readonly step: ProvedStep;
  readonly receipts: readonly MadeReceipt[];
};

/** One chain that is being proved. */
export class ChainProver {
  readonly #parts: ChainProverParts;
  #proof: ScanProof;
  #tree: NoteTree | null = null;
  #fault: SvcError | null = null;
  #misses = 0;
  /** The last look ended with everything proved that was due. */
  #isShown = false;
  /** How often in a row a node showed a state, and no run to it. */
  #gaps = 0;
  /** The opening that was asked for last: the next run is judged with it. */
  #lastOpening: { readonly of: BlockHash; readonly opening: Uint8Array } | null = null;

  /** Throws `codec/…`, `shielded/…` where what is stored is damaged. */
  constructor(parts: ChainProverParts) {
    this.#parts = parts;
    const { proof, leaves, tip } = parts.stored;
    this.#proof = proof ?? { ...UNPROVED, believedTo: tip?.blueScore ?? null };
    const { base } = this.#proof;
    if (base === null) return;
    this.#tree = openTree(parts.core, base.tree, leaves);
    if (this.#tree.size() === tip?.leafEnd) return;
    // A program that asks for no evidence has gone on with these blocks.
    this.#replace(null, { ...begunAt(this.#proof, null), believedTo: tip?.blueScore ?? null });
  }

  /**
   * Why nothing more is proved, or `evidence/stale-tip`, or `evidence/unknown-work` where what is proved has no measure; null while the node
   * shows what it is asked for.
   */
  get problem(): SvcError | null {
    const { clock, network } = this.#parts;
    const { end } = this;
    if (this.#fault !== null || !network.hasWork) return this.#fault;
    const nowMs = clock.nowMs();
    const tipMs = end?.child.timestamp ?? nowMs;
    if (nowMs - tipMs > GATEWAY_LIMITS.proofStaleMs) {
      return new SvcError("evidence/stale-tip", { tipMs, nowMs });
    }
    return network.checkpoint === null ? new SvcError("evidence/unknown-work", {}) : null;
  }

  /** `problem`, or undefined while it is not known whether there is one: before the first look, and where the node will be asked once more. */
  get verdict(): SvcError | null | undefined {
    return this.problem ?? (this.#isShown ? null : undefined);
  }

  /** Where payments are deep. */
  get depth(): ChainDepth {
    return depthOf(this.#proof, this.#parts.network, this.#parts.clock.nowMs());
  }

  /** The highest state that was proved; undefined for none. */
  get end(): ProvedStep | undefined {
    return this.#proof.steps.at(-1);
  }

  /** Begins anew behind a block; returns the proof to be written. Throws `codec/…`, `shielded/…`. */
  restart({ block, tree }: FoundStart): ScanProof {
    const base = { chainIndex: block.chainIndex, tree: encodeHex(tree) };
    const opened = openTree(this.#parts.core, base.tree, []);
    this.#replace(opened, begunAt(this.#proof, base));
    return this.#proof;
  }

  /** Asks for the tree after the last block that was scanned, where it is not known. Rejects with the node's errors. */
  async begin(tip: ChainBlock, signal: AbortSignal): Promise<void> {
    if (this.#tree !== null) return;
    const start = await this.#parts.node.start(tip.chainIndex, signal);
    const tree = openTree(this.#parts.core, encodeHex(start.tree), []);
    if (start.hash !== tip.hash || tree.size() !== tip.leafEnd) {
      tree.free();
      throw new SvcError("chain/unknown-block", { hash: tip.hash });
    }
    const base = { chainIndex: tip.chainIndex, tree: encodeHex(start.tree) };
    const { believedTo } = this.#proof;
    const lower = believedTo !== null && believedTo > tip.blueScore ? tip.blueScore : believedTo;
    const proof = { ...begunAt(this.#proof, base), believedTo: lower };
    this.#parts.commit(proof, tip, []);
    this.#replace(tree, proof);
  }

  /** Appends the leaves of blocks. Throws `codec/not-canonical`, `shielded/tree-full`; the tree is unchanged then. */
  append(leaves: readonly Uint8Array[]): void {
    const all = concatBytes(...leaves);
    if (all.length > 0) this.#tree?.append(all);
  }

  /** Goes back to a block: what the node told above it is not the chain's. All that was proved stays. */
  doubt(to: ChainBlock): null {
    if (this.#tree !== null && this.#tree.size() > to.leafEnd) this.#tree.truncate(to.leafEnd);
    return null;
  }

  /** Goes back to a block from which another chain grew; returns the proof to be written, null where it stays. */
  cut(to: ChainBlock): ScanProof | null {
    const before = this.#proof;
    this.doubt(to);
    this.#proof = cutTo(before, to.chainIndex);
    return this.#proof === before ? null : this.#proof;
  }

  /** The tree that the node told may be false: it is asked for anew. Returns the proof to be written. */
  forget(): ScanProof {
    const { believedTo } = this.#proof;
    this.#replace(null, { ...begunAt(this.#proof, null), believedTo });
    return this.#proof;
  }

  /** The last block of the view whose state was proved; null for none. */
  lastProved(view: ChainView): ChainBlock | null {
    const known = new Set(this.#proof.steps.map(({ hash }) => hash));
    return view.findLast(({ hash }) => known.has(hash)) ?? null;
  }

  /**
   * Asks for what is due at the end of the view and judges it. Evidence that does not come or does not hold becomes `fault`. Rejects with
   * `evidence/other-notes`, `evidence/other-scores` where the chain commits to something else than was scanned, with `run/aborted` and
   * with the store's errors.
   */
  async prove(view: ChainView, signal: AbortSignal): Promise<void> {
    this.#isShown = false;
    await this.#proveRungs(view, signal);
    // Behind the proof: what lies below the view has a path for its receipt until then.
    this.#rebase(view);
  }

  async #proveRungs(view: ChainView, signal: AbortSignal): Promise<void> {
    const tree = this.#tree;
    const base = this.#proof.base;
    if (tree === null || base === null) return;
    this.#leaveBranch(view);
    const rungs = rungsOf(view, base.chainIndex, this.end?.chainIndex ?? null);
    for (const rung of rungs) {
      const from = this.#runFrom(rung);
      // oxlint-disable-next-line no-await-in-loop -- each run begins where the one before it ends
      const shown = await this.#ask(rung, from, signal);
      const step = shown === null ? null : this.#judge(rung, from, shown, tree);
      if (shown === null || step === null) return;
      const { opening } = shown;
      const state = { block: rung.block, opening, tree };
      // oxlint-disable-next-line no-await-in-loop -- they are written with the state that gives them
      const receipts = (await this.#parts.receipts?.made(state, signal)) ?? [];
      this.#take({ rung, from, step, receipts }, view);
      this.#lastOpening = { of: rung.block.hash, opening };
      this.#gaps = 0;
    }
    this.#fault = null;
    this.#misses = 0;
    this.#isShown = true;
  }

  /** After a doubt the chain may go on with another block than the header that was judged last. */
  #leaveBranch(view: ChainView): void {
    const { end } = this;
    const child = end === undefined ? undefined : blockAt(view, end.chainIndex + 1n);
    if (end === undefined || child === undefined || child.hash === end.child.hash) return;
    this.#proof = cutTo(this.#proof, end.chainIndex);
  }

  /** The step at which the run to a rung begins; null where it lies too far below, and for the first one. */
  #runFrom({ block }: Rung): ProvedStep | null {
    const { end } = this;
    // A node that has not kept so much is asked for work from here on.
    if (end === undefined || this.#gaps >= GATEWAY_LIMITS.proofTries) return null;
    return block.chainIndex - end.chainIndex > GATEWAY_LIMITS.proofRunBlocks ? null : end;
  }

  async #ask(
    { block, child }: Rung,
    from: ProvedStep | null,
    signal: AbortSignal,
  ): Promise<ShownRung | null> {
    const { node } = this.#parts;
    try {
      const opening = await node.opening(block.hash, "digest", signal);
      const header = await node.run(child.hash, child.hash, signal);
      const since = from === null ? null : await this.#askSince(from, child, signal);
      return { opening, header, since };
    } catch (error) {
      throwIfAborted(signal);
      // A block that just left the chain has no evidence, and a busy node answers later.
      this.#misses += 1;
      const { code } = SvcError.from(error);
      if (this.#misses >= GATEWAY_LIMITS.proofTries) {
        this.#fault = new SvcError("evidence/not-shown", { reason: code }, error);
      }
      return null;
    }
  }

  /** The run from a step on, and the opening in its first header. */
  async #askSince(from: ProvedStep, to: ChainBlock, signal: AbortSignal): Promise<TipEvidence> {
    const { node } = this.#parts;
    this.#gaps += 1;
    const known = this.#lastOpening?.of === from.hash ? this.#lastOpening.opening : null;
    const opening = known ?? (await node.opening(from.hash, "digest", signal));
    const run = await node.run(from.child.hash, to.hash, signal);
    this.#gaps = 0;
    return { opening, run };
  }

  /** The step that the evidence shows; null where it does not hold. Throws where the chain commits to something else than was scanned. */
  #judge(rung: Rung, from: ProvedStep | null, shown: ShownRung, tree: NoteTree): ProvedStep | null {
    const { judge } = this.#parts;
    try {
      const { clock, network } = this.#parts;
      const { floor } = scanYardstick(this.#proof, network.checkpoint, clock.nowMs());
      const treeRoot = encodeHex(tree.root(rung.block.leafEnd));
      return judgeRung({ judge, floor }, { ...rung, treeRoot }, from, shown);
    } catch (error) {
      this.#fault = SvcError.from(error);
      if (SvcError.is(error, "evidence/other-notes", "evidence/other-scores")) throw error;
      return null;
    }
  }

  #take({ rung, from, step, receipts }: TakenRung, view: ChainView): void {
    // Work below a gap is not that of one row of headers.
    const before = from === null ? { ...this.#proof, steps: [] } : this.#proof;
    const floor = floorAfter(before.floor, step, this.#parts.clock.nowMs());
    const proof = { ...withStep(before, step), floor };
    this.#parts.commit(proof, view.at(-1) ?? rung.child, receipts);
    this.#proof = proof;
  }

  /** The base of the tree follows the view at a distance: what the scan cannot go back to is forgotten. */
  #rebase(view: ChainView): void {
    const { core, commit, recentBlocks } = this.#parts;
    const { base } = this.#proof;
    const [oldest] = view;
    const tip = view.at(-1);
    if (this.#tree === null || base === null || oldest === undefined || tip === undefined) {
      return;
    }
    if (oldest.chainIndex - base.chainIndex < BigInt(recentBlocks)) return;
    const { tree, frontier } = rebasedTree(core, this.#tree, oldest.leafEnd);
    const proof = { ...this.#proof, base: { chainIndex: oldest.chainIndex, tree: frontier } };
    commit(proof, tip, []);
    this.#replace(tree, proof);
  }

  #replace(tree: NoteTree | null, proof: ScanProof): void {
    this.#tree?.free();
    this.#tree = tree;
    this.#proof = proof;
  }
}
