/**
 * Keeps a wallet in step with a node (specification webwallet 5.8, 5.9).
 *
 * One change at a time: each reads the newest state, is committed, and only then becomes visible.
 * A stop at any moment loses nothing that was committed, and the next start goes on from there.
 */
import { throwIfAborted } from "../base/abort.ts";
import type { BlockHash } from "../base/brand.ts";
import { decodeHex, encodeHex } from "../base/hex.ts";
import { LIMITS } from "../base/limits.ts";
import { SvcError } from "../base/svcError.ts";
import { applyFacts } from "./applyFacts.ts";
import type { NoteTree } from "./noteTree.ts";
import type { NodePort, NodeTip, ScanPort, StorePort, StoredWallet, TreeChange } from "./ports.ts";
import { genesisBlock, locatorHashes, restart, rollback, tooDeep } from "./rollback.ts";
import { Turns } from "./turns.ts";
import { cursorOf, type ChainBlock, type WalletState } from "./walletState.ts";
import type { WalletPolicy } from "./walletPolicy.ts";

/** The parts a wallet works with. */
export type SyncParts = {
  readonly policy: WalletPolicy;
  readonly node: NodePort;
  readonly scan: ScanPort;
  readonly store: StorePort;
  /** Makes a tree from a node's tree state or from a snapshot. */
  readonly makeTree: (bytes: Uint8Array) => NoteTree;
  /** Chain blocks a page; the longest the node serves unless a test wants less. */
  readonly pageBlocks?: number;
};

/** The tree of a stored wallet. */
export function storedTree(parts: Pick<SyncParts, "makeTree">, stored: StoredWallet): NoteTree {
  const tree = parts.makeTree(stored.tree);
  if (stored.leaves.length > 0) tree.append(stored.leaves);
  return tree;
}

/** A wallet that is open. Make one with `openWallet`. */
export class WalletSync {
  readonly #parts: SyncParts;
  readonly #listeners = new Set<(state: WalletState) => void>();
  #state: WalletState;
  #tree: NoteTree;
  #tip: NodeTip | null = null;
  #everSynced = false;
  /** One scan at a time, and within it, beside it, one change of the state at a time. */
  readonly #scans = new Turns();
  readonly #changes = new Turns();

  constructor(parts: SyncParts, state: WalletState, tree: NoteTree) {
    this.#parts = parts;
    this.#state = state;
    this.#tree = tree;
  }

  /** The last committed state. */
  get state(): WalletState {
    return this.#state;
  }

  /** The tree of that state. Valid until the next change. */
  get tree(): NoteTree {
    return this.#tree;
  }

  /** What the node last said about its tip. */
  get tip(): NodeTip | null {
    return this.#tip;
  }

  /** The state has been near the node's tip since the scan last began anew. */
  get everSynced(): boolean {
    return this.#everSynced;
  }

  /** Calls `listener` after every commit; the answer stops it. */
  subscribe(listener: (state: WalletState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Changes the state alone, not the tree: addresses, payments. Rejects with what `change` throws, or `wallet/storage`. */
  update(change: (state: WalletState) => WalletState): Promise<WalletState> {
    return this.#changes.run(() => this.#commit(change(this.#state), null));
  }

  /**
   * Scans until the node has nothing more, undoing what a reorganisation took back.
   * Rejects with `wallet/node-unreachable`, `wallet/node-wrong-network`, `wallet/bad-page`,
   * `wallet/reorg-too-deep`, `wallet/tree-mismatch`, `wallet/storage` or `run/aborted`.
   */
  catchUp(signal: AbortSignal): Promise<void> {
    return this.#scans.run(() => this.#catchUp(signal));
  }

  /**
   * Scans everything again, from the birthday or from genesis, which then is the birthday. Payments are kept.
   * Rejects as `catchUp` does.
   */
  rescan(signal: AbortSignal, from: "birthday" | "genesis" = "birthday"): Promise<void> {
    return this.#scans.run(() => {
      const { birthday, genesis } = this.#state.account;
      return this.#rescan(from === "birthday" ? birthday : genesisBlock(genesis), signal);
    });
  }

  /** Waits for the running change and gives the tree's memory back. */
  async close(): Promise<void> {
    await this.#changes.run(async () => this.#tree.free());
  }

  async #catchUp(signal: AbortSignal): Promise<void> {
    const tip = await this.#askTip(signal);
    let reorgs = 0;
    while (cursorOf(this.#state).hash !== tip.sink) {
      throwIfAborted(signal);
      const outcome = await this.#step(signal);
      if (outcome === "done") break;
      reorgs = outcome === "reorg" ? reorgs + 1 : 0;
      if (reorgs > LIMITS.walletReorgsInARow) {
        throw new SvcError("wallet/bad-page", { reason: "the node keeps changing its chain" });
      }
    }
    throwIfAborted(signal);
    this.#checkTree(tip);
    const behind = tip.chainIndex - cursorOf(this.#state).chainIndex;
    if (behind <= LIMITS.walletSyncedWithin) this.#everSynced = true;
  }

  async #rescan(wanted: ChainBlock, signal: AbortSignal): Promise<void> {
    const { from, bytes } = await this.#startOf(wanted, signal);
    await this.#changes.run(async () => {
      this.#everSynced = false;
      const fresh = this.#parts.makeTree(bytes);
      this.#tree.free();
      this.#tree = fresh;
      const truncatedTo = fresh.size();
      const tree = { truncatedTo, appended: new Uint8Array(), snapshot: () => fresh.toBytes() };
      return this.#commit(restart(this.#state, from), tree);
    });
  }

  /** The tree at a block to scan from. A node that does not have the block has another chain: genesis is on all. */
  async #startOf(
    wanted: ChainBlock,
    signal: AbortSignal,
  ): Promise<{ readonly from: ChainBlock; readonly bytes: Uint8Array }> {
    const { node } = this.#parts;
    try {
      return { from: wanted, bytes: await node.treeState(wanted.hash, signal) };
    } catch (error) {
      if (!SvcError.is(error, "chain/unknown-block", "chain/not-on-chain")) throw error;
      const from = genesisBlock(this.#state.account.genesis);
      if (wanted.hash === from.hash) throw error;
      return { from, bytes: await node.treeState(from.hash, signal) };
    }
  }

  async #askTip(signal: AbortSignal): Promise<NodeTip> {
    const tip = await this.#parts.node.tip(signal);
    const { genesis, profileDigest } = this.#state.account;
    checkSame(genesis, tip.genesis);
    checkSame(profileDigest, tip.profileDigest);
    this.#tip = tip;
    return tip;
  }

  async #step(signal: AbortSignal): Promise<"page" | "reorg" | "done"> {
    const { node, scan, policy } = this.#parts;
    const limit = this.#parts.pageBlocks ?? LIMITS.recordPageMax;
    const cursor = cursorOf(this.#state);
    let page;
    try {
      page = await node.blocks(cursor.hash, limit, signal);
    } catch (error) {
      if (!SvcError.is(error, "chain/not-on-chain", "chain/unknown-block")) throw error;
      await this.#reorganise(error, signal);
      return "reorg";
    }
    if (page.count === 0) return "done";
    const facts = await scan.scan(page, signal);
    if (facts.blocks.length !== page.count) {
      throw new SvcError("wallet/bad-page", { reason: "blocks are missing from the scan" });
    }
    await this.#changes.run(async () => {
      const next = applyFacts(this.#state, { firstIndex: page.firstIndex, facts }, policy);
      const appended = decodeHex(facts.cmx);
      this.#tree.append(appended);
      return this.#commit(next, this.#treeChange(null, appended));
    });
    // A short page says nothing: a node also cuts pages by bytes.
    return "page";
  }

  async #reorganise(error: SvcError, signal: AbortSignal): Promise<void> {
    const common = await this.#commonBlock(error, signal);
    if (typeof common !== "string") {
      await this.#rescan(common, signal);
      return;
    }
    await this.#changes.run(async () => {
      const next = rollback(this.#state, common);
      const size = cursorOf(next).leafEnd;
      this.#tree.truncate(size);
      return this.#commit(next, this.#treeChange(size, new Uint8Array()));
    });
  }

  /**
   * The newest remembered block that is still on the node's chain, or the block to scan again from: the
   * birthday when only that may be left, genesis when the birthday itself left the chain.
   */
  async #commonBlock(error: SvcError, signal: AbortSignal): Promise<BlockHash | ChainBlock> {
    const { blocks, account } = this.#state;
    const remembered = (hash: string | undefined) => blocks.find((block) => block.hash === hash);
    const named = remembered(error.data["commonHash"]);
    if (named !== undefined) return named.hash;
    try {
      const place = await this.#parts.node.locate(locatorHashes(this.#state), signal);
      return remembered(place.hash)?.hash ?? account.birthday;
    } catch (failure) {
      if (!SvcError.is(failure, "chain/no-common-block")) throw failure;
    }
    const birthdayForgotten = blocks[0]?.hash !== account.birthday.hash;
    if (birthdayForgotten) return account.birthday;
    if (account.birthday.hash !== account.genesis) return genesisBlock(account.genesis);
    throw tooDeep(this.#state);
  }

  /** After the same block the same tree: anything else means a lying node or a damaged store. */
  #checkTree(tip: NodeTip): void {
    const block = this.#state.blocks.findLast(({ hash }) => hash === tip.sink);
    if (block === undefined) return;
    const found = encodeHex(this.#tree.root(block.leafEnd));
    if (block.leafEnd !== tip.treeSize || found !== tip.treeRoot) {
      throw new SvcError("wallet/tree-mismatch", { expected: tip.treeRoot, found });
    }
  }

  #treeChange(truncatedTo: bigint | null, appended: Uint8Array): TreeChange {
    const tree = this.#tree;
    return { truncatedTo, appended, snapshot: () => tree.toBytes() };
  }

  async #commit(state: WalletState, tree: TreeChange | null): Promise<WalletState> {
    if (state === this.#state && tree === null) return state;
    try {
      await this.#parts.store.commit({ state, tree });
    } catch (error) {
      if (tree !== null) await this.#reload();
      throw storageError(error);
    }
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
    return state;
  }

  /** The tree was changed for a commit that failed: both come back from the store. */
  async #reload(): Promise<void> {
    const stored = await this.#parts.store.load();
    if (stored === null) return;
    this.#tree.free();
    this.#tree = storedTree(this.#parts, stored);
    this.#state = stored.state;
  }
}

function checkSame(expected: string, found: string): void {
  if (expected !== found) throw new SvcError("wallet/node-wrong-network", { expected, found });
}

function storageError(error: unknown): SvcError {
  if (error instanceof SvcError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new SvcError("wallet/storage", { reason }, error);
}
