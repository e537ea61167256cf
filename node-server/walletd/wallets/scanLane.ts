/**
 * A lane: one scan of the chain for all wallets that stand at the same block.
 *
 * One lane stays at the tip and holds the shared note tree. Others bring wallets up to it that lie behind. All wallets of a lane
 * remember the same blocks, the lane's view; a change of the chain is committed for all of them at once, or for none.
 */
import type { LeafPosition } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { rollback } from "@svc/shared/wallet/reduce/rollback.ts";
import {
  badPage,
  cutTo,
  extended,
  followingBlock,
  pageSlice,
  tipOf,
  type ChainView,
} from "@svc/shared/wallet/state/chainView.ts";
import { Mutex } from "@svc/shared/wallet/state/mutex.ts";
import type { NoteTree } from "@svc/shared/wallet/state/noteTree.ts";
import type { ClockPort, NodePort, NodeTip, RecordPage } from "@svc/shared/wallet/state/ports.ts";
import {
  withMemosOf,
  type KeyedFacts,
  type ScanFacts,
} from "@svc/shared/wallet/state/scanFacts.ts";
import type { ChainBlock, WalletState } from "@svc/shared/wallet/state/walletState.ts";
import type { WalletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import type { FoundStart } from "@svc/shared/wallet/sync/birthday.ts";
import { ChainFeed } from "@svc/shared/wallet/sync/chainFeed.ts";
import type { ChainChange } from "@svc/shared/wallet/sync/chainFollower.ts";
import type { KeyScanPort } from "../../scanning/scanThreads.ts";
import { walletKeySets } from "../keys/walletKeySets.ts";
import { lanePage } from "./applyPage.ts";
import { LaneTree, type TreeStart } from "./laneTree.ts";
import type { LoadedWallet } from "./loadedWallet.ts";

/** What a change of the chain did to a lane. */
export type LaneChange = {
  readonly view: ChainView;
  /** Null where the lane has no tree, or it stayed as it was. */
  readonly tree: LaneTreeChange | null;
  readonly moved: readonly MovedWallet[];
};

/** A change of a lane's tree: another one, or none; then cut, then extended. */
export type LaneTreeChange = {
  /** What the tree begins with from now on; null for the same as before. */
  readonly start: TreeStart | null;
  /** Leaves from this position on are gone; null when none were cut. */
  readonly truncatedTo: LeafPosition | null;
  /** New leaves, n × 32 bytes. */
  readonly appended: Uint8Array;
};

/** The state of one wallet before and after a change. */
export type MovedWallet = {
  readonly wallet: LoadedWallet;
  readonly before: WalletState;
  readonly after: WalletState;
};

/** Dependencies of a lane. */
export type LaneParts = {
  readonly policy: WalletPolicy;
  readonly node: Pick<NodePort, "blocks">;
  readonly clock: ClockPort;
  readonly scan: KeyScanPort;
  readonly makeTree: (bytes: Uint8Array) => NoteTree;
  /** Chain blocks a page; the longest the node serves unless a test wants less. */
  readonly pageBlocks?: number;
  /** Asks for the tip and checks its network. */
  readonly askTip: (signal: AbortSignal) => Promise<NodeTip>;
  /** Where the lane begins anew when the node knows none of its blocks. */
  readonly startAgain: (tip: NodeTip, signal: AbortSignal) => Promise<FoundStart>;
  /** Makes a change durable, before any of it is visible. Throws the store's error, and then nothing has happened. */
  readonly commit: (change: LaneChange) => void;
  /** Wallets that wait for a lane to come past the block at which they stand. */
  readonly waiting: () => ReadonlySet<LoadedWallet>;
  /** Wallets have joined that were waiting. */
  readonly onJoined: (wallets: readonly LoadedWallet[]) => void;
  /** The lane begins anew: these wallets are no longer in it, and must find their own place. */
  readonly onLost: (wallets: readonly LoadedWallet[]) => void;
  /** All pages up to what the node said about its tip were taken. Throws to stop behind a fault of the node. */
  readonly onTip: (tip: NodeTip) => Promise<void>;
};

/** Where a lane begins: the blocks it remembers, and the tree after the last of them where it has one. */
export type LanePlace = {
  readonly view: ChainView;
  readonly tree: LaneTree | null;
};

/** A lane's place, and whether it makes a tree when it has to begin anew. */
export type LaneBeginning = LanePlace & { readonly makesTree: boolean };

/** One scan for many wallets. */
export class ScanLane {
  readonly #parts: LaneParts;
  readonly #feed: ChainFeed;
  readonly #wallets = new Set<LoadedWallet>();
  readonly #keys = walletKeySets<LoadedWallet>();
  /** Who joins or leaves waits for the change at hand: nobody misses half of a page. */
  readonly #changes = new Mutex();
  readonly #life = new AbortController();
  readonly #makesTree: boolean;
  #view: ChainView;
  #tree: LaneTree | null;

  constructor(parts: LaneParts, { view, tree, makesTree }: LaneBeginning) {
    this.#parts = parts;
    this.#makesTree = makesTree;
    this.#view = view;
    this.#tree = tree;
    const take = (change: ChainChange) => this.#changes.run(() => this.#take(change));
    this.#feed = new ChainFeed({ ...parts, take, applied: () => this.#view }, view);
  }

  /** The remembered blocks, the same for every wallet of the lane. */
  get view(): ChainView {
    return this.#view;
  }

  /** The last block that the lane has scanned. */
  get tip(): ChainBlock {
    return tipOf(this.#view);
  }

  /** The note tree after that block; null for a lane without one. */
  get tree(): LaneTree | null {
    return this.#tree;
  }

  /** The wallets that it scans for. */
  get wallets(): ReadonlySet<LoadedWallet> {
    return this.#wallets;
  }

  /** What stands between the pages that came and the wallets; null for nothing. */
  get fault(): SvcError | null {
    return this.#feed.fault;
  }

  /** Begins anew where `startAgain` says, with no wallets. Rejects with the node's errors. */
  async beginAnew(signal: AbortSignal): Promise<void> {
    const { askTip, startAgain } = this.#parts;
    await this.#feed.restart(async () => startAgain(await askTip(signal), signal), signal);
    await this.#feed.finish(signal);
  }

  /** Asks the node for everything new; see `ChainFeed.follow`. */
  follow(signal: AbortSignal): Promise<void> {
    return this.#feed.follow(signal);
  }

  /** Resolves when everything that came is scanned and kept, or `fault` stands in the way. */
  settled(): Promise<void> {
    return this.#feed.settled();
  }

  /** Takes in those of the waiting wallets that stand at the lane's last block when it is between two changes. */
  join(): Promise<void> {
    return this.#changes.run(async () => this.#admitWaiting());
  }

  /** Lets wallets go. Resolves when no change of the lane is under way that would still move them. */
  leave(wallets: readonly LoadedWallet[]): Promise<void> {
    return this.#changes.run(async () => this.#release(wallets));
  }

  /**
   * Takes over the wallets of another lane, and its tree where that one knows more leaves, if both stand at the same block;
   * resolves with whether they do. The other one is between two changes for as long as this lasts: its `onTip` calls it.
   */
  takeOver(other: ScanLane): Promise<boolean> {
    return this.#changes.run(async () => {
      if (other.tip.hash !== this.tip.hash) return false;
      this.#adoptTree(other);
      const wallets = [...other.#wallets];
      other.#release(wallets);
      this.#admit(wallets);
      return true;
    });
  }

  /** Stops, waits for the change at hand and gives the tree's memory back. */
  async close(): Promise<void> {
    this.#life.abort();
    await this.#feed.close();
    await this.#changes.run(async () => {
      this.#tree?.tree.free();
      this.#tree = null;
    });
  }

  /** A tree that begins earlier takes the place of ours. Throws `wallet/tree-mismatch` when the two differ. */
  #adoptTree(other: ScanLane): void {
    const [ours, theirs] = [this.#tree, other.#tree];
    if (ours === null || theirs === null || theirs.base >= ours.base) return;
    const { leafEnd } = this.tip;
    const expected = encodeHex(ours.tree.root(leafEnd));
    const found = encodeHex(theirs.tree.root(leafEnd));
    if (expected !== found) throw new SvcError("wallet/tree-mismatch", { expected, found });
    const tree = { start: theirs.start, truncatedTo: null, appended: theirs.unstoredLeaves() };
    this.#parts.commit({ view: this.#view, tree, moved: [] });
    theirs.leavesAreStored();
    this.#tree = theirs;
    other.#tree = null;
    ours.tree.free();
  }

  #admit(wallets: Iterable<LoadedWallet>): readonly LoadedWallet[] {
    const { hash } = this.tip;
    const here = [...wallets].filter(({ state }) => tipOf(state.blocks).hash === hash);
    for (const wallet of here) {
      this.#wallets.add(wallet);
      wallet.put({ ...wallet.state, blocks: this.#view });
    }
    if (here.length > 0) this.#keys.add(here);
    return here;
  }

  #release(wallets: readonly LoadedWallet[]): void {
    const gone = new Set(wallets.filter((wallet) => this.#wallets.delete(wallet)));
    if (gone.size > 0) this.#keys.remove(gone);
  }

  async #take(change: ChainChange): Promise<void> {
    switch (change.type) {
      case "page":
        return this.#takePage(change.page);
      case "rollback":
        return this.#rollback(change.to);
      case "restart":
        return this.#restart(change.found);
      case "evidence":
      case "second":
        // A daemon asks the node of its operator, and for no evidence of it.
        return undefined;
      case "tip":
        this.#checkTree(change.tip);
        return this.#parts.onTip(change.tip);
    }
  }

  /** A page is taken in parts, so that wallets which stand in the middle of it join there. */
  async #takePage(page: RecordPage): Promise<void> {
    const stops = [...this.#parts.waiting()].map(({ state }) => tipOf(state.blocks).chainIndex);
    for (const part of pageParts(page, stops)) {
      await this.#takePart(part);
      this.#admitWaiting();
    }
  }

  /** Nobody waits any more in the moment in which he joins: another lane that asks then does not take him in, too. */
  #admitWaiting(): void {
    const joined = this.#admit(this.#parts.waiting());
    if (joined.length > 0) this.#parts.onJoined(joined);
  }

  async #takePart(page: RecordPage): Promise<void> {
    const sets = this.#keys.all;
    const answers = await this.#parts.scan.scan(page, sets, this.#life.signal);
    const [first] = answers;
    if (first === undefined || first.common.blocks.length !== page.count) {
      throw badPage("blocks are missing from the scan");
    }
    const view = this.#viewAfter(page, first.common);
    const moved = sets.flatMap(({ owners }, place) =>
      moves(owners, answers[place] ?? first, { page, view, policy: this.#parts.policy }),
    );
    const appended = decodeHex(first.common.cmx);
    const size = this.tip.leafEnd;
    this.#tree?.append(appended);
    try {
      this.#commit({ view, tree: this.#treeChange(null, appended), moved });
    } catch (error) {
      this.#tree?.truncate(size);
      throw error;
    }
  }

  #viewAfter(page: RecordPage, { blocks }: ScanFacts): ChainView {
    const added: ChainBlock[] = [];
    let last = this.tip;
    for (const [offset, block] of blocks.entries()) {
      last = followingBlock(last, block, page.firstIndex + BigInt(offset));
      added.push(last);
    }
    return extended(this.#view, added, this.#parts.policy.recentBlocks);
  }

  #rollback(to: ChainBlock): void {
    const view = cutTo(this.#view, to);
    const moved = [...this.#wallets].map((wallet) => {
      const before = wallet.state;
      return { wallet, before, after: { ...rollback(before, to.hash), blocks: view } };
    });
    this.#commit({ view, tree: this.#treeChange(to.leafEnd, new Uint8Array()), moved });
    this.#tree?.truncate(to.leafEnd);
  }

  #restart({ block, tree }: FoundStart): void {
    const view = [block];
    const old = this.#tree;
    const start = { bytes: tree, base: block.leafEnd };
    const made = this.#makesTree ? new LaneTree(this.#parts.makeTree(tree), start, false) : null;
    const change = { start, truncatedTo: null, appended: new Uint8Array() };
    this.#commit({ view, tree: made === null ? null : change, moved: [] });
    this.#tree = made;
    old?.tree.free();
    const lost = [...this.#wallets];
    this.#release(lost);
    this.#parts.onLost(lost);
  }

  /** After the same block the same tree: anything else means a lying node or a damaged store. */
  #checkTree(tip: NodeTip): void {
    const held = this.#tree;
    const block = this.#view.findLast(({ hash }) => hash === tip.sink);
    if (held === null || block === undefined || block.leafEnd < held.base) return;
    const found = encodeHex(held.tree.root(block.leafEnd));
    if (block.leafEnd !== tip.treeSize || found !== tip.treeRoot) {
      throw new SvcError("wallet/tree-mismatch", { expected: tip.treeRoot, found });
    }
  }

  #treeChange(truncatedTo: LeafPosition | null, appended: Uint8Array): LaneTreeChange | null {
    return this.#tree === null ? null : { start: null, truncatedTo, appended };
  }

  #commit(change: LaneChange): void {
    this.#parts.commit(change);
    this.#view = change.view;
    for (const { wallet, after } of change.moved) wallet.put(after);
  }
}

/** The page cut behind the blocks at these chain indexes. */
function pageParts(page: RecordPage, stops: readonly bigint[]): readonly RecordPage[] {
  const { firstIndex, count } = page;
  const inside = stops
    .map((index) => Number(index - firstIndex) + 1)
    .filter((blocks) => blocks > 0 && blocks < count);
  const cuts = [0, ...new Set(inside.toSorted((a, b) => a - b)), count];
  return cuts.slice(1).map((to, part) => pageSlice(page, cuts[part] ?? 0, to));
}

/** What a page does to the wallets of one set. */
function moves(
  owners: readonly (readonly LoadedWallet[])[],
  { common, found }: KeyedFacts,
  run: { readonly page: RecordPage; readonly view: ChainView; readonly policy: WalletPolicy },
): readonly MovedWallet[] {
  const page = lanePage(run.page.firstIndex, common, run.view);
  return owners.flatMap((wallets, key) => {
    const own = found.get(key);
    const facts = own === undefined ? null : withMemosOf(run.page, own);
    return wallets.map((wallet) => {
      return { wallet, before: wallet.state, after: wallet.after(page, facts, run.policy) };
    });
  });
}
