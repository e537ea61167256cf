/**
 * Sync of a wallet with a node: scans new blocks and commits the results (specification wallet 6 and 9).
 *
 * Two halves: `ChainFeed` asks the node, this class scans and keeps what came. One change at a time: each reads the
 * newest state, is committed, and only then becomes visible. A stop at any moment loses nothing that was committed.
 */
import { asChainIndex, type ChainIndex } from "../../base/brand.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { SvcError } from "../../base/svcError.ts";
import { applyFacts } from "../reduce/applyFacts.ts";
import { applyOtherPage, applySecond, unclaimed } from "../reduce/applySecond.ts";
import {
  hasPaymentUnderWay,
  joinedState,
  lastCommonBlock,
  type OlderOutcome,
} from "./joinOlder.ts";
import { startAgain, startElsewhere, wholeIndex, type FoundStart } from "./birthday.ts";
import { ChainFeed } from "./chainFeed.ts";
import type { ChainChange } from "./chainFollower.ts";
import { isPublicFault } from "./changeQueue.ts";
import type { EvidenceAnswer } from "./evidenceAsker.ts";
import { falseDrawn, takeEvidence, type StateAndTree } from "./evidenceTaker.ts";
import { evidenceAskers } from "./evidenceAskers.ts";
import type { SecondFinding } from "./recordComparer.ts";
import { badPage } from "../state/chainView.ts";
import { proofLeft } from "../proof/chainProof.ts";
import { newLedger } from "../proof/walletLedger.ts";
import type { NoteTree } from "../state/noteTree.ts";
import { withMemosOf, type ScanFacts } from "../state/scanFacts.ts";
import type {
  ClockPort,
  EvidenceParts,
  NodePort,
  NodeTip,
  RecordPage,
  ScanPort,
  StorePort,
  StoredWallet,
  TreeChange,
} from "../state/ports.ts";
import { countedState, rememberedProof } from "../reduce/countedState.ts";
import { restart, rollback } from "../reduce/rollback.ts";
import { Mutex } from "../state/mutex.ts";
import { cursorOf, type WalletAccount, type WalletState } from "../state/walletState.ts";
import type { WalletHandle } from "../state/walletHandle.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";

/** Dependencies of an open wallet. */
export type SyncParts = {
  readonly policy: WalletPolicy;
  readonly node: NodePort;
  readonly scan: ScanPort;
  readonly store: StorePort;
  readonly clock: ClockPort;
  /** Makes a tree from a node's tree state or from a snapshot. */
  readonly makeTree: (bytes: Uint8Array) => NoteTree;
  /** Who shows and judges evidence; without it all is the node's word. */
  readonly evidence?: EvidenceParts;
  /** Chain blocks a page; the longest the node serves unless a test wants less. */
  readonly pageBlocks?: number;
};

/** Where a rescan begins: where the wallet was born, or with the chain. */
export type RescanFrom = "birthday" | "genesis";

/** Restores the tree of a stored wallet. */
export function storedTree(parts: Pick<SyncParts, "makeTree">, stored: StoredWallet): NoteTree {
  const tree = parts.makeTree(stored.tree);
  if (stored.leaves.length > 0) tree.append(stored.leaves);
  return tree;
}

/** The change of the store that puts a tree in the place of whatever was there. */
export function wholeTree(tree: NoteTree): TreeChange {
  const appended = new Uint8Array();
  return { truncatedTo: tree.size(), appended, whole: true, snapshot: () => tree.toBytes() };
}

/** Asks a node for its tip and checks that it is on the wallet's network. Rejects with `wallet/node-wrong-network`. */
export async function askTip(
  node: Pick<NodePort, "tip">,
  { genesis, profileDigest }: Pick<WalletAccount, "genesis" | "profileDigest">,
  signal: AbortSignal,
): Promise<NodeTip> {
  const tip = await node.tip(signal);
  checkSame(genesis, tip.genesis);
  checkSame(profileDigest, tip.profileDigest);
  return tip;
}

/** An open wallet. Make one with `openWallet`. */
export class WalletSync implements WalletHandle {
  readonly #parts: SyncParts;
  readonly #listeners = new Set<(state: WalletState) => void>();
  readonly #feed: ChainFeed;
  readonly #life = new AbortController();
  #state: WalletState;
  #tree: NoteTree;
  #tip: NodeTip | null = null;
  #everSynced = false;
  /** One change of the state at a time, beside the walk along the node's chain. */
  readonly #changes = new Mutex();
  /** What holds though the store had no room for it; each commit stores it, too. */
  #unstored: ((state: WalletState) => WalletState)[] = [];

  constructor(parts: SyncParts, state: WalletState, tree: NoteTree) {
    this.#parts = parts;
    this.#state = counting(parts, state);
    this.#tree = tree;
    const { policy, node, clock } = parts;
    this.#feed = new ChainFeed(
      {
        policy,
        node,
        clock,
        ...(parts.pageBlocks === undefined ? {} : { pageBlocks: parts.pageBlocks }),
        askTip: (signal) => this.#askTip(signal),
        startAgain: (tip, signal) => this.#startAgain(tip, "elsewhere", signal),
        take: (change) => this.#take(change),
        applied: () => this.#state.blocks,
        proved: () => this.#state,
        ...evidenceAskers(parts, this.#state),
      },
      state.blocks,
    );
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

  /** The last proved block is still remembered: what lies above it can be asked for anew from there. */
  get hasProof(): boolean {
    return rememberedProof(this.#state) !== null;
  }

  /** Everything up to the node's tip was asked for, whether or not it is scanned. */
  get hasAsked(): boolean {
    const tip = this.#tip;
    if (tip === null) return false;
    return tip.chainIndex - this.#feed.asked.chainIndex <= WALLET_LIMITS.walletSyncedWithin;
  }

  /** What stands between the pages that came and the state: a fault of the node's bytes or of this machine; null for none. */
  get fault(): SvcError | null {
    return this.#feed.fault;
  }

  /** Calls `listener` after every commit and when the tip was reached; the answer stops it. */
  subscribe(listener: (state: WalletState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Changes the state alone, not the tree: addresses, payments. Rejects with what `change` throws, or `wallet/storage`. */
  update(change: (state: WalletState) => WalletState): Promise<WalletState> {
    return this.#changes.run(() => this.#commit(change(this.#state), null));
  }

  /**
   * As `update`, for what the next start of the program would do anyway: it holds even where it cannot be stored now, and is
   * stored with the next change that can be. Its caller tells of the full store. Rejects with what `change` throws.
   */
  hold(change: (state: WalletState) => WalletState): Promise<WalletState> {
    return this.#changes.run(async () => {
      const next = change(this.#state);
      try {
        return await this.#commit(next, null);
      } catch {
        this.#unstored.push(change);
        this.#show(next);
        return next;
      }
    });
  }

  /**
   * Asks the node for everything new. Resolves when all pages have come, whether or not they are scanned: when the node is
   * asked again must not depend on that; and when `rescan` takes its place. Rejects with `wallet/node-unreachable`,
   * `wallet/node-wrong-network`, `wallet/bad-page`, `wallet/node-history-incomplete`, `run/aborted`, or a fault of this machine
   * behind which the pages wait.
   */
  follow(signal: AbortSignal): Promise<void> {
    return this.#feed.follow(signal);
  }

  /** Resolves when everything that came is scanned and kept, or `fault` stands in the way. */
  settled(): Promise<void> {
    return this.#feed.settled();
  }

  /**
   * Follows the node and waits until all of it is scanned. Rejects as `follow` does, and with `fault`.
   */
  async catchUp(signal: AbortSignal): Promise<void> {
    await this.follow(signal);
    await this.#feed.finish(signal);
  }

  /**
   * Scans everything again, from the birthday or from genesis, at once: a walk that is under way ends. Payments are kept.
   * Rejects as `catchUp` does, and with `wallet/node-history-incomplete` when this node's history begins later: what is known
   * would be lost.
   */
  async rescan(signal: AbortSignal, from: RescanFrom = "birthday"): Promise<void> {
    const find = async () => this.#startAgain(await this.#askTip(signal), from, signal);
    await this.#feed.restart(find, signal);
    await this.#feed.finish(signal);
  }

  /**
   * Joins a scan of the older blocks to the state, in one commit; payments, orders and addresses stay as they are.
   * `busy`: a payment is being made; `apart`: the two share no block, or one of them met a liar. Rejects with
   * `wallet/tree-mismatch` where they tell different notes, and with `wallet/storage`; then nothing changed.
   */
  async takeOlder(older: StateAndTree): Promise<OlderOutcome> {
    if (hasPaymentUnderWay(this.#state)) return "busy";
    // A walk is not ended for nothing.
    if (lastCommonBlock(this.#state, older.state) === null) return "apart";
    const outcome = await this.#feed.between(() => this.#changes.run(() => this.#join(older)));
    return outcome ?? "apart";
  }

  /** Stops, waits for the running change and gives the tree's memory back. */
  async close(): Promise<void> {
    this.#life.abort();
    await this.#feed.close();
    await this.#changes.run(async () => this.#tree.free());
  }

  async #askTip(signal: AbortSignal): Promise<NodeTip> {
    this.#tip = await askTip(this.#parts.node, this.#state.account, signal);
    return this.#tip;
  }

  async #startAgain(
    tip: NodeTip,
    from: RescanFrom | "elsewhere",
    signal: AbortSignal,
  ): Promise<FoundStart> {
    const { account } = this.#state;
    const { birthday } = account;
    const genesis = { birthday: { ...birthday, chainIndex: asChainIndex(0n) }, bornOn: null };
    const begin = from === "genesis" ? genesis : account;
    const parts = { ...this.#parts, nowMs: this.#parts.clock.nowMs() };
    const find = from === "elsewhere" ? startElsewhere : startAgain;
    const found = await find(parts, begin, tip, signal);
    const loses = found.block.chainIndex > birthday.chainIndex;
    if (found.historyMissing && loses) {
      const data = { from: found.block.daaScore, birthday: birthday.daaScore };
      throw new SvcError("wallet/node-history-incomplete", data);
    }
    // A scan that began late is whole from where a wallet of its day begins, and from nowhere above it.
    const isLate = account.historyMissing && found.block.chainIndex > wholeIndex(parts, begin, tip);
    return isLate ? { ...found, historyMissing: true } : found;
  }

  async #join(older: StateAndTree): Promise<OlderOutcome> {
    const joined = joinedState({ state: this.#state, tree: this.#tree }, older);
    if (typeof joined === "string") return joined;
    const tree = this.#parts.makeTree(older.tree.toBytes());
    tree.truncate(cursorOf(joined).leafEnd);
    await this.#replace(joined, tree);
    return "taken";
  }

  /** Commits a state with another tree. */
  async #replace(state: WalletState, tree: NoteTree): Promise<void> {
    const left = this.#tree;
    this.#tree = tree;
    try {
      await this.#commit(state, wholeTree(tree));
    } finally {
      left.free();
    }
  }

  async #take(change: ChainChange): Promise<void> {
    switch (change.type) {
      case "page":
        return this.#takePage(change.page);
      case "rollback":
        return this.#changes.run(async () => {
          const below = rollback(this.#state, change.to.hash);
          const next = change.again === true ? below : leaving(this.#state, below);
          const size = cursorOf(next).leafEnd;
          this.#tree.truncate(size);
          await this.#commit(next, this.#treeChange(size, new Uint8Array()));
        });
      case "restart":
        return this.#changes.run(() => this.#restart(change.found, change.left === true));
      case "evidence":
        return this.#changes.run(() => this.#takeEvidence(change.answer));
      case "second":
        return this.#takeSecond(change.finding);
      case "tip":
        return this.#takeTip(change.tip);
    }
  }

  async #takePage(page: RecordPage): Promise<void> {
    const facts = withMemosOf(page, await this.#parts.scan.scan(page, this.#life.signal));
    if (facts.blocks.length !== page.count) throw badPage("blocks are missing from the scan");
    await this.#changes.run(async () => {
      const scanned = { firstIndex: page.firstIndex, facts };
      const { policy, evidence } = this.#parts;
      const next = applyFacts(this.#state, scanned, policy, evidence?.multiply);
      const appended = decodeHex(facts.cmx);
      this.#tree.append(appended);
      await this.#commit(next, this.#treeChange(null, appended));
    });
  }

  /**
   * Keeps what was proved. What contradicts it is told, and nothing above the last proved block counts: where that is remembered, the
   * wallet goes back to it.
   */
  async #takeEvidence(answer: EvidenceAnswer): Promise<void> {
    const { evidence, clock } = this.#parts;
    if (evidence === undefined) return;
    try {
      const held = { state: this.#state, tree: this.#tree };
      await this.#commit(takeEvidence(evidence, held, answer, clock.nowMs()), null);
    } catch (thrown) {
      const error = SvcError.from(thrown);
      if (isPublicFault(error)) await this.#doubt(error, falseDrawn(answer, error));
      throw error;
    }
  }

  /** Keeps what a second node says otherwise. A page of it that cannot be scanned says nothing against the wallet's own node. */
  async #takeSecond(finding: SecondFinding): Promise<void> {
    if (finding.type !== "other" || finding.page === null) {
      const apply = () => this.#commit(applySecond(this.#state, finding), null);
      return void (await this.#changes.run(apply));
    }
    const { from, to, page } = finding;
    const facts = await this.#scannedOther(page);
    await this.#changes.run(async () => {
      const { policy, evidence } = this.#parts;
      const other = { from, to, facts };
      const next = applyOtherPage(this.#state, other, policy, evidence?.multiply);
      const size = cursorOf(next).leafEnd;
      this.#tree.truncate(size);
      await this.#commit(next, this.#treeChange(size, new Uint8Array()));
    });
  }

  async #scannedOther(page: RecordPage): Promise<ScanFacts | null> {
    try {
      const facts = withMemosOf(page, await this.#parts.scan.scan(page, this.#life.signal));
      return facts.blocks.length === page.count ? facts : null;
    } catch (error) {
      if (isPublicFault(SvcError.from(error))) return null;
      throw error;
    }
  }

  async #doubt(error: SvcError, below: ChainIndex | null): Promise<void> {
    const kept = countedState(this.#state, below);
    const next = { ...kept, proof: { ...kept.proof, fault: error.toJSON() } };
    if (kept === this.#state) return void (await this.#commit(next, null));
    const size = cursorOf(next).leafEnd;
    this.#tree.truncate(size);
    await this.#commit(next, this.#treeChange(size, new Uint8Array()));
  }

  async #restart({ block, tree, historyMissing }: FoundStart, left: boolean): Promise<void> {
    this.#everSynced = false;
    const next = restart(this.#state, block, historyMissing);
    const fresh = this.#parts.makeTree(tree);
    await this.#replace(left ? leaving(this.#state, next) : next, fresh);
  }

  async #takeTip(tip: NodeTip): Promise<void> {
    this.#checkTree(tip);
    const behind = tip.chainIndex - cursorOf(this.#state).chainIndex;
    if (behind > WALLET_LIMITS.walletSyncedWithin || this.#everSynced) return;
    this.#everSynced = true;
    for (const listener of this.#listeners) listener(this.#state);
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
    this.#unstored = [];
    this.#show(state);
    return state;
  }

  #show(state: WalletState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }

  /** The tree was changed for a commit that failed: both come back from the store. */
  async #reload(): Promise<void> {
    const stored = await this.#parts.store.load();
    if (stored === null) return;
    this.#tree.free();
    this.#tree = storedTree(this.#parts, stored);
    const state = counting(this.#parts, stored.state);
    this.#state = this.#unstored.reduce((before, change) => change(before), state);
  }
}

/** A wallet that asks for evidence counts what it will be compared with: from its last block on, unless it has counted before. */
function counting({ evidence }: SyncParts, stored: WalletState): WalletState {
  const state = evidence?.second === undefined ? unclaimed(stored) : stored;
  if (evidence === undefined || state.ledger !== null) return state;
  return { ...state, ledger: newLedger(cursorOf(state)) };
}

/** A node that left a block above which many minutes of work were shown is named. */
function leaving(before: WalletState, after: WalletState): WalletState {
  return { ...after, proof: proofLeft(before.proof, after.proof) };
}

function checkSame(expected: string, found: string): void {
  if (expected !== found) throw new SvcError("wallet/node-wrong-network", { expected, found });
}

function storageError(error: unknown): SvcError {
  if (error instanceof SvcError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new SvcError("wallet/storage", { reason }, error);
}
