/**
 * The wallet's chain follower: asks the node for the tip and for pages of blocks, and hands on what changed.
 *
 * The follower knows the public chain and the clock, and nothing of what a key finds. Two wallets that began alike send the
 * same bytes in the same order at the same times, whoever owns the notes in them (decision 23).
 */
import { throwIfAborted } from "../../base/abort.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { PROTOCOL_LIMITS } from "../../protocol/protocolLimits.ts";
import { SvcError } from "../../base/svcError.ts";
import type { FoundStart } from "./birthday.ts";
import type { EvidenceAnswer, EvidenceAsker } from "./evidenceAsker.ts";
import type { PayloadDrawer } from "./payloadDrawer.ts";
import type { RecordComparer, SecondFinding } from "./recordComparer.ts";
import {
  alignPage,
  badPage,
  cutTo,
  epochStarts,
  extended,
  tipOf,
  type AlignedPage,
  type ChainView,
} from "../state/chainView.ts";
import type { ClockPort, NodePort, NodeTip, RecordPage } from "../state/ports.ts";
import type { ChainBlock } from "../state/walletState.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";

/** A change of the chain, in the order in which a wallet must apply it. */
export type ChainChange =
  /** Blocks that continue the chain, still to be scanned. */
  | { readonly type: "page"; readonly page: RecordPage }
  /** The blocks above this one are gone. `again`: the wallet asks for them once more, the node has not left them. */
  | { readonly type: "rollback"; readonly to: ChainBlock; readonly again?: true }
  /** Nothing remembered holds; the scan begins anew. `left`: the node says that its chain holds none of it. */
  | { readonly type: "restart"; readonly found: FoundStart; readonly left?: true }
  /** What the node showed of the work and the state of the blocks so far. */
  | { readonly type: "evidence"; readonly answer: EvidenceAnswer }
  /** What a second node says otherwise. */
  | { readonly type: "second"; readonly finding: SecondFinding }
  /** All pages up to what the node said about its tip were handed on. */
  | { readonly type: "tip"; readonly tip: NodeTip };

/** Dependencies of a follower. */
export type FollowerParts = {
  readonly policy: WalletPolicy;
  readonly node: Pick<NodePort, "blocks">;
  readonly clock: ClockPort;
  /** Chain blocks a page; the longest the node serves unless a test wants less. */
  readonly pageBlocks?: number;
  /** Asks for the tip and checks its network. */
  readonly askTip: (signal: AbortSignal) => Promise<NodeTip>;
  /** Asks for evidence; without it all is the node's word. */
  readonly evidence?: EvidenceAsker;
  /** Draws payments to look at whole. */
  readonly payloads?: PayloadDrawer;
  /** Compares pages and tip with a second node. */
  readonly second?: RecordComparer;
  /** Finds where to begin anew. */
  readonly startAgain: (tip: NodeTip, signal: AbortSignal) => Promise<FoundStart>;
  /** Takes a change; resolves when there is room for the next one. */
  readonly hand: (change: ChainChange, signal: AbortSignal) => Promise<void>;
};

/** Where the next page is asked for, and how often the node took its chain back since the walk last came further. */
type Walk = { from: ChainBlock; highest: bigint; retreats: number; readonly tip: NodeTip };

/** Follows a node's chain from the blocks that a wallet remembers. */
export class ChainFollower {
  readonly #parts: FollowerParts;
  #view: ChainView;
  /** The node has shown in this session that it has the end of the view. */
  #resumed = false;
  /** The lowest place after which this node was asked: what lies above it is no secret from it. */
  #lowest: bigint | null = null;

  constructor(parts: FollowerParts, view: ChainView) {
    this.#parts = parts;
    this.#view = view;
  }

  /** The last block of all that was asked for, whether or not it is scanned. */
  get asked(): ChainBlock {
    return tipOf(this.#view);
  }

  /** Forgets what was asked for and not taken in; the next page is asked for as after a new start of the program. */
  reset(view: ChainView): void {
    this.#view = view;
    this.#resumed = false;
    this.#lowest = null;
    this.#parts.second?.reset();
  }

  /** Begins anew from a found start. */
  async restart(found: FoundStart, signal: AbortSignal): Promise<void> {
    await this.#begin(found, {}, signal);
  }

  async #begin(
    found: FoundStart,
    why: { readonly left?: true },
    signal: AbortSignal,
  ): Promise<void> {
    this.reset([found.block]);
    this.#parts.evidence?.beginAt(found.block);
    this.#parts.second?.beginAt(found.block);
    this.#resumed = true;
    await this.#parts.hand({ type: "restart", found, ...why }, signal);
  }

  /**
   * One turn: the tip, then pages until the tip is reached, the node has no more, or has sent as many as a turn may take:
   * no tip and no row of pages keeps a wallet from its next look. Rejects with
   * `wallet/node-unreachable`, `wallet/node-wrong-network`, `wallet/bad-page`, `wallet/reorg-too-deep` and `run/aborted`.
   */
  async follow(signal: AbortSignal): Promise<void> {
    const tip = await this.#parts.askTip(signal);
    await this.#resumeComparing(signal);
    const { hash, blueScore } = tipOf(this.#view);
    // The same block with another score: what is remembered, or this node, is false from somewhere on.
    if (hash === tip.sink && blueScore !== tip.sinkBlueScore) this.#resumed = false;
    const isAtTip = this.#resumed && hash === tip.sink;
    const isAtEnd = isAtTip || (await this.#walk(tip, signal));
    throwIfAborted(signal);
    // The tip is the node's word. Where its pages end below it, its work is asked for all the same.
    if (isAtEnd || this.#isSynced(tip)) {
      await this.#handEvidence((await this.#parts.evidence?.ask(this.#view, signal)) ?? [], signal);
      await this.#compareTip(tip, signal);
    }
    await this.#parts.hand({ type: "tip", tip }, signal);
  }

  /** Whether the node has no more pages; false where a turn took as many as it may. */
  async #walk(tip: NodeTip, signal: AbortSignal): Promise<boolean> {
    const from = this.#firstFrom();
    const walk: Walk = { from, highest: from.chainIndex, retreats: 0, tip };
    let pauseMs = 0;
    for (let pages = 0; pages < WALLET_LIMITS.walletWalkPages;) {
      throwIfAborted(signal);
      if (pauseMs > 0) await this.#parts.clock.sleep(pauseMs, signal);
      const { chainIndex } = walk.from;
      if (this.#lowest === null || chainIndex < this.#lowest) this.#lowest = chainIndex;
      const aligned = await this.#page(walk, signal);
      pauseMs = pauseAfter(aligned);
      if (aligned === null) continue;
      pages += 1;
      const isAhead = aligned.last.chainIndex > walk.from.chainIndex;
      await this.#take(aligned, isAhead, walk.tip, signal);
      walk.from = aligned.last;
      if (await this.#compare(signal)) {
        walk.from = tipOf(this.#view);
        continue;
      }
      if (walk.from.chainIndex > walk.highest) {
        walk.highest = walk.from.chainIndex;
        walk.retreats = 0;
      }
      const enough = walk.from.chainIndex >= tip.chainIndex + WALLET_LIMITS.walletSyncedWithin;
      if (!isAhead || enough || walk.from.hash === tip.sink) return true;
    }
    return false;
  }

  /** At the end of the chain that the node names; further down evidence would have to be asked for again. */
  #isSynced(tip: NodeTip): boolean {
    return tip.chainIndex - tipOf(this.#view).chainIndex <= WALLET_LIMITS.walletSyncedWithin;
  }

  async #handEvidence(answers: readonly EvidenceAnswer[], signal: AbortSignal): Promise<void> {
    for (const answer of answers) {
      // oxlint-disable-next-line no-await-in-loop -- changes keep their order
      await this.#parts.hand({ type: "evidence", answer }, signal);
    }
  }

  /**
   * A wallet that comes back asks from where an epoch begins below its last block, so that this one is compared with the
   * node's; a wallet that is at it goes on where it is.
   */
  #firstFrom(): ChainBlock {
    const tip = tipOf(this.#view);
    const starts = epochStarts(this.#view, this.#parts.policy);
    const start = starts.find(({ chainIndex }) => chainIndex < tip.chainIndex);
    return this.#resumed || start === undefined ? tip : start;
  }

  /** One page; null when the node has another chain and the walk goes on from an older block. */
  async #page(walk: Walk, signal: AbortSignal): Promise<AlignedPage | null> {
    const limit = this.#parts.pageBlocks ?? PROTOCOL_LIMITS.recordPageMax;
    try {
      const page = await this.#parts.node.blocks(walk.from.hash, limit, signal, walk.from);
      return alignPage(this.#view, walk.from, page);
    } catch (error) {
      const other = SvcError.is(error, "chain/not-on-chain", "chain/unknown-block", "chain/pruned");
      const bad = SvcError.is(error, "wallet/bad-page");
      const doubted = bad && !this.#resumed;
      // Next time from where an epoch begins: what is remembered may be what is false.
      if (bad) this.#resumed = false;
      if (!other && !doubted) throw error;
      await this.#retreat(walk, error, signal);
      return null;
    }
  }

  /**
   * Goes back to the block that the node itself names as common, if it is one that this node has served, else to the next
   * older start of an epoch, else to a new beginning. Pages that nobody can use are no reason to begin anew.
   */
  async #retreat(walk: Walk, error: SvcError, signal: AbortSignal): Promise<void> {
    const { from } = walk;
    const named = this.#servedBlock(error.data["commonHash"]);
    const starts = epochStarts(this.#view, this.#parts.policy);
    const start = starts.find(({ chainIndex }) => chainIndex < from.chainIndex);
    if (named !== undefined && named.chainIndex < from.chainIndex) {
      countRetreat(walk);
      walk.from = named;
    } else if (start !== undefined) walk.from = start;
    else if (error.code === "wallet/bad-page") throw error;
    else await this.#beginAnew(walk, error.code === "chain/pruned" ? {} : { left: true }, signal);
  }

  /** A block that this node itself has served. To follow it to an older one would say that the wallet remembers that. */
  #servedBlock(hash: unknown): ChainBlock | undefined {
    const lowest = this.#lowest;
    if (lowest === null) return undefined;
    return this.#view.find((block) => block.hash === hash && block.chainIndex >= lowest);
  }

  async #beginAnew(walk: Walk, why: { readonly left?: true }, signal: AbortSignal): Promise<void> {
    countRetreat(walk);
    const found = await this.#parts.startAgain(walk.tip, signal);
    await this.#begin(found, why, signal);
    walk.from = tipOf(this.#view);
  }

  /** Brings the view in step with a page and hands on what that means. An empty page ends the node's chain. */
  async #take(
    aligned: AlignedPage,
    isAhead: boolean,
    tip: NodeTip,
    signal: AbortSignal,
  ): Promise<void> {
    const { common, fresh, blocks } = aligned;
    const { policy, hand } = this.#parts;
    const cuts = fresh !== null || !isAhead;
    if (cuts && common.hash !== tipOf(this.#view).hash) {
      this.#cut(common);
      await hand({ type: "rollback", to: common }, signal);
    }
    if (fresh !== null) {
      this.#view = extended(this.#view, blocks, policy.recentBlocks);
      await hand({ type: "page", page: fresh }, signal);
      this.#parts.second?.add(common, fresh, blocks);
      const begun = await this.#parts.evidence?.begin(this.#view, signal);
      await this.#handEvidence(begun ?? [], signal);
      await this.#draw(fresh, blocks, tip, signal);
    }
    if (cuts || aligned.last.hash === tipOf(this.#view).hash) this.#resumed = true;
  }

  /** A payment of the page that came, whole. */
  async #draw(
    page: RecordPage,
    blocks: readonly ChainBlock[],
    tip: NodeTip,
    signal: AbortSignal,
  ): Promise<void> {
    const answer = await this.#parts.payloads?.draw(page, blocks, this.#isSynced(tip), signal);
    if (answer !== undefined && answer !== null) await this.#handEvidence([answer], signal);
  }

  /**
   * Compares with a second node. True when the blocks above the view have to be asked for again: the second one told a page with other
   * ciphertexts, and which of the two shows more to its owner must not show in what is asked for.
   */
  async #compare(signal: AbortSignal): Promise<boolean> {
    const finding = await this.#parts.second?.compare(signal);
    if (finding === undefined || finding === null) return false;
    const again = finding.type === "other" && finding.page !== null ? finding.to : null;
    if (again !== null) this.#cut(again);
    await this.#parts.hand({ type: "second", finding }, signal);
    return again !== null;
  }

  /** What came after the last comparison of an earlier session comes again, to be compared. */
  async #resumeComparing(signal: AbortSignal): Promise<void> {
    const to = this.#parts.second?.resumeAt(this.#view) ?? null;
    if (to === null) return;
    this.#cut(to);
    await this.#parts.hand({ type: "rollback", to, again: true }, signal);
  }

  #cut(to: ChainBlock): void {
    this.#view = cutTo(this.#view, to);
    this.#parts.evidence?.cut(to);
    this.#parts.second?.cut(to);
  }

  async #compareTip(tip: NodeTip, signal: AbortSignal): Promise<void> {
    // What the node's pages reach, not what it names.
    const { blueScore } = tipOf(this.#view);
    const reached = { ...tip, sinkBlueScore: blueScore };
    const finding = await this.#parts.second?.compareTip(reached, signal);
    if (finding === undefined || finding === null) return;
    await this.#parts.hand({ type: "second", finding }, signal);
  }
}

/** Milliseconds until the next page: they follow from the number of leaves, as if each were one's own. */
function pauseAfter(aligned: AlignedPage | null): number {
  const [first, last] = [aligned?.common.leafEnd ?? 0n, aligned?.last.leafEnd ?? 0n];
  const leaves = last > first ? Number(last - first) : 0;
  return (
    WALLET_LIMITS.walletPageEveryMs + Math.ceil((leaves * WALLET_LIMITS.walletLeafPaceUs) / 1_000)
  );
}

/** Throws `wallet/bad-page` when the node has taken back its chain too often without coming further. */
function countRetreat(walk: Walk): void {
  walk.retreats += 1;
  if (walk.retreats > WALLET_LIMITS.walletReorgsInARow)
    throw badPage("the node keeps changing its chain");
}
