/**
 * Compares the pages of a wallet's node, and its tip, with a second node (docs/light-client.md).
 *
 * Everything here is public: the pages that came, and what either node answers. No key, no note and no scan has a say in what is asked
 * for or when (decision 23). A second node that is away, behind or pruned says nothing.
 */
import { asChainIndex, type BlueScore, type ChainIndex } from "../../base/brand.ts";
import { encodeHex } from "../../base/hex.ts";
import { digestOf, recordHash } from "../../protocol/http/recordDigest.ts";
import { bytesIn, committedPart, recordLayouts } from "../../protocol/http/recordLayout.ts";
import { PROTOCOL_LIMITS } from "../../protocol/protocolLimits.ts";
import { blockAt, tipOf, type ChainView } from "../state/chainView.ts";
import type { ClockPort, NodeTip, RecordPage, SecondNode } from "../state/ports.ts";
import type { ChainBlock } from "../state/walletState.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";

/** What a comparison found. */
export type SecondFinding =
  /** The second node has the same bytes. */
  | { readonly type: "same"; readonly to: ChainBlock }
  /**
   * It has others for the blocks above `from` up to `to`. `page` is its page where everything that the chain commits to is the same in
   * both; null for one that tells another chain.
   */
  | {
      readonly type: "other";
      readonly from: ChainBlock;
      readonly to: ChainBlock;
      readonly page: RecordPage | null;
    }
  /** Its tip: far above for several looks, or null. */
  | { readonly type: "tip"; readonly found: BlueScore; readonly other: BlueScore | null };

/** What a comparison of pages found. */
export type PageFinding = Exclude<SecondFinding, { readonly type: "tip" }>;

/** Hashes of one record: of all its bytes, and of those that the chain commits to. */
type Compared = {
  readonly block: ChainBlock;
  readonly whole: Uint8Array;
  readonly committed: string;
};

/** Dependencies. */
export type ComparerParts = { readonly second: SecondNode; readonly clock: ClockPort };

/** Compares along one walk of the chain. */
export class RecordComparer {
  readonly #parts: ComparerParts;
  /** The block below the first record that waits for a comparison; null before any. */
  #from: ChainBlock | null = null;
  /** At most a page of records waits; the oldest is let go. */
  #waiting: Compared[] = [];
  /** The last block that was compared, else the one below the first record that came. */
  #compared: ChainIndex | null;
  #due = 0n;
  #tipDueMs = 0n;
  /** Looks in a row that found the other tip far above. */
  #ahead = 0;

  /** `compared` is the last block that was compared in an earlier session. */
  constructor(parts: ComparerParts, compared: ChainIndex | null) {
    this.#parts = parts;
    this.#compared = compared;
  }

  /** Forgets what waits. */
  reset(): void {
    this.#from = null;
    this.#waiting = [];
    this.#due = 0n;
  }

  /** The scan begins anew after this block. */
  beginAt({ chainIndex }: ChainBlock): void {
    this.reset();
    this.#compared = chainIndex;
  }

  /**
   * The block of a view from which on pages have to come again, since the hashes of those that came are forgotten; null for none. An
   * own node that changed them would not do so twice. After a time without a second node only the last of them do.
   */
  resumeAt(view: ChainView): ChainBlock | null {
    if (this.#from !== null || this.#compared === null) return null;
    const compared = blockAt(view, this.#compared);
    if (compared === undefined) return null;
    const tip = tipOf(view);
    const lowest = tip.blueScore - 2n * WALLET_LIMITS.evidenceCompareEvery;
    const block =
      compared.blueScore >= lowest ? compared : view.find(({ blueScore }) => blueScore >= lowest);
    return block === undefined || block === tip ? null : block;
  }

  /** The blocks above this one are gone. */
  cut(common: ChainBlock): void {
    const isGone = this.#compared !== null && this.#compared > common.chainIndex;
    if (isGone) this.#compared = common.chainIndex;
    this.#waiting = this.#waiting.filter(({ block }) => block.chainIndex <= common.chainIndex);
    if (this.#from !== null && this.#from.chainIndex > common.chainIndex) this.#from = common;
  }

  /** Records that continue the chain after a block. */
  add(after: ChainBlock, page: RecordPage, blocks: readonly ChainBlock[]): void {
    this.#from ??= after;
    this.#compared ??= after.chainIndex;
    this.#waiting.push(...comparedOf(page, blocks));
    const excess = this.#waiting.length - PROTOCOL_LIMITS.recordPageMax;
    if (excess <= 0) return;
    this.#from = this.#waiting[excess - 1]?.block ?? this.#from;
    this.#waiting = this.#waiting.slice(excess);
  }

  /**
   * Compares what is due below the last block that came: the newest ones may not have reached another node yet. Null for nothing that
   * can be said. Rejects with `run/aborted` alone.
   */
  async compare(signal: AbortSignal): Promise<PageFinding | null> {
    const newest = this.#waiting.at(-1)?.block.blueScore ?? 0n;
    const highest = newest - WALLET_LIMITS.evidenceNearDepth;
    const end = this.#waiting.findLastIndex(({ block }) => block.blueScore <= highest);
    const last = this.#waiting[end]?.block;
    const from = this.#from;
    if (last === undefined || from === null || last.blueScore < this.#due) return null;
    this.#due = last.blueScore + WALLET_LIMITS.evidenceCompareEvery;
    const range = this.#waiting.slice(0, end + 1);
    const finding = await this.#found(from, range, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return null;
    });
    if (finding === null) return null;
    this.#parts.second.note?.(finding.type);
    const { to } = finding;
    this.#from = to;
    this.#compared = to.chainIndex;
    this.#waiting = this.#waiting.filter(({ block }) => block.chainIndex > to.chainIndex);
    if (finding.type === "other") this.#due += 3n * WALLET_LIMITS.evidenceCompareEvery;
    return finding;
  }

  /** Looks at the second node's tip, where that is due. Rejects with `run/aborted` alone. */
  async compareTip(tip: NodeTip, signal: AbortSignal): Promise<SecondFinding | null> {
    const { second, clock } = this.#parts;
    const nowMs = clock.nowMs();
    if (nowMs < this.#tipDueMs) return null;
    this.#tipDueMs = nowMs + WALLET_LIMITS.evidenceTipEveryMs;
    const other = await second.tip(signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return null;
    });
    const isSame = other?.genesis === tip.genesis && other.profileDigest === tip.profileDigest;
    if (other === null || !isSame) return null;
    const found = tip.sinkBlueScore;
    const isAhead = other.sinkBlueScore > found + WALLET_LIMITS.walletSyncedWithin;
    this.#ahead = isAhead ? this.#ahead + 1 : 0;
    if (isAhead && this.#ahead < WALLET_LIMITS.evidenceTries) return null;
    return { type: "tip", found, other: isAhead ? other.sinkBlueScore : null };
  }

  async #found(
    from: ChainBlock,
    range: readonly Compared[],
    signal: AbortSignal,
  ): Promise<PageFinding | null> {
    const { second } = this.#parts;
    const last = range.at(-1)?.block;
    if (last === undefined) return null;
    const told = await second.recordDigest(from.hash, last.hash, signal);
    if (told.digest === digestOf(range.map(({ whole }) => whole)))
      return { type: "same", to: last };
    const page = await second.blocks(from.hash, range.length, signal, from);
    const count = Math.min(page.count, range.length);
    const to = range[count - 1]?.block;
    if (to === undefined) return null;
    const own = range.slice(0, count);
    return { type: "other", from, to, page: usable(from, page, own) };
  }
}

/** The second node's page, where it differs from ours in nothing that the chain commits to; null else. */
function usable(from: ChainBlock, page: RecordPage, own: readonly Compared[]): RecordPage | null {
  const isInPlace = page.firstIndex === asChainIndex(from.chainIndex + 1n);
  if (!isInPlace || page.count !== own.length) return null;
  const theirs = comparedOf(
    page,
    own.map(({ block }) => block),
  );
  const isSame = theirs.every(({ committed }, index) => committed === own[index]?.committed);
  return isSame ? page : null;
}

function comparedOf({ body, count }: RecordPage, blocks: readonly ChainBlock[]): Compared[] {
  return recordLayouts(body, count).flatMap((record, index) => {
    const block = blocks[index];
    if (block === undefined) return [];
    const whole = recordHash(bytesIn(body, record));
    const committed = encodeHex(recordHash(committedPart(body, record)));
    return [{ block, whole, committed }];
  });
}
