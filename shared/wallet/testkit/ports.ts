/** In-memory ports for tests of wallet sync: a node over a `ChainModel`, a store, a clock. */
import {
  asAnchor,
  asChainIndex,
  asDaaScore,
  asLeafPosition,
  asBlueScore,
  asTimestampMs,
  asTxId,
  type BlockHash,
} from "../../base/brand.ts";
import { concatBytes } from "../../base/bytes.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import type { NoteTree } from "../state/noteTree.ts";
import type {
  ClockPort,
  NodePort,
  NodeTip,
  RecordPage,
  ScanPort,
  StartBlock,
  StorePort,
  StoredWallet,
  WalletChange,
} from "../state/ports.ts";
import { decodeWalletState, encodeWalletState } from "../state/walletStateCodec.ts";
import type { ChainModel } from "./chainModel.ts";
import { freshWallet } from "./chainModel.ts";

/** A fake note tree whose root is a fold of its leaves: order and number count, nothing else. */
export class FoldTree implements NoteTree {
  #leaves: Uint8Array;
  freed = false;

  constructor(bytes: Uint8Array) {
    this.#leaves = bytes.slice();
  }

  append(cmx: Uint8Array): void {
    this.#leaves = concatBytes(this.#leaves, cmx);
  }

  /** Its inner nodes are zeros. */
  subtree(first: bigint, height: number): Uint8Array {
    const end = first + 2n ** BigInt(height);
    if (end > this.size()) {
      throw new SvcError("shielded/bad-position", { position: first, size: this.size() });
    }
    const leaves = this.#leaves.subarray(Number(first) * 32, Number(end) * 32);
    return concatBytes(leaves, new Uint8Array(leaves.length - 32));
  }

  appendSubtree(nodes: Uint8Array): void {
    this.append(nodes.subarray(0, (nodes.length + 32) / 2));
  }

  truncate(size: bigint): void {
    this.#leaves = this.#leaves.slice(0, Number(size) * 32);
  }

  size(): bigint {
    return BigInt(this.#leaves.length / 32);
  }

  root(size: bigint): Uint8Array {
    return fold(this.#leaves.subarray(0, Number(size) * 32));
  }

  path(position: bigint, size: bigint): Uint8Array {
    if (position >= size || size > this.size()) {
      throw new SvcError("shielded/bad-position", { position, size });
    }
    return new Uint8Array(1_024).fill(Number(position));
  }

  toBytes(): Uint8Array {
    return this.#leaves.slice();
  }

  free(): void {
    this.freed = true;
  }
}

function fold(leaves: Uint8Array): Uint8Array {
  const root = new Uint8Array(32);
  for (const [index, byte] of leaves.entries()) {
    const at = index % 32;
    root[at] = ((root[at] ?? 0) * 31 + byte + 1) % 256;
  }
  return root;
}

/** A node that serves a `ChainModel`; `faults` are thrown, one a call, before it answers again. */
export class ModelNode implements NodePort {
  readonly model: ChainModel;
  readonly faults: SvcError[] = [];
  readonly submitted: string[] = [];
  readonly calls: string[] = [];
  profileDigest = freshWallet().account.profileDigest;
  /** What `submit` answers instead of taking the bytes. */
  refusal: SvcError | null = null;
  /** Leaves that the node claims beyond the true ones. */
  lie = "";

  constructor(model: ChainModel) {
    this.model = model;
  }

  async tip(): Promise<NodeTip> {
    this.#enter("tip");
    const last = this.model.at(this.model.length);
    const leaves = decodeHex(this.model.leavesUpTo(this.model.length) + this.lie);
    return {
      genesis: freshWallet().account.genesis,
      profileDigest: this.profileDigest,
      sink: this.model.tip,
      sinkBlueScore: last?.blueScore ?? asBlueScore(0n),
      daaScore: asDaaScore((last?.daaScore ?? 0n) + 1n),
      chainIndex: asChainIndex(BigInt(this.model.length)),
      treeSize: asLeafPosition(BigInt(leaves.length / 32)),
      treeRoot: asAnchor(encodeHex(fold(leaves))),
      historyFromDaaScore: asDaaScore(0n),
      historyComplete: true,
    };
  }

  /** The body holds what is public of the blocks; what a key would find `ModelScan` looks up. */
  async blocks(after: BlockHash, limit: number): Promise<RecordPage> {
    this.#enter("blocks");
    const index = this.model.indexOf(after);
    if (index === undefined) throw new SvcError("chain/unknown-block", { hash: after });
    const count = Math.min(limit, this.model.length - index);
    const body = this.model.body(index + 1, index + count);
    return { firstIndex: asChainIndex(BigInt(index + 1)), count, body };
  }

  async start(index: bigint): Promise<StartBlock> {
    this.#enter("start");
    if (index > BigInt(this.model.length)) {
      throw new SvcError("chain/unknown-block", { hash: String(index) });
    }
    const block = this.model.at(Number(index));
    return {
      hash: block?.hash ?? freshWallet().account.genesis,
      chainIndex: asChainIndex(index),
      blueScore: block?.blueScore ?? asBlueScore(0n),
      daaScore: block?.daaScore ?? asDaaScore(0n),
      timestamp: block?.timestamp ?? asTimestampMs(0n),
      tree: decodeHex(this.model.leavesUpTo(Number(index))),
    };
  }

  async submit(raw: Uint8Array) {
    this.#enter("submit");
    if (this.refusal !== null) throw this.refusal;
    this.submitted.push(encodeHex(raw));
    return asTxId(encodeHex(raw.subarray(0, 32)));
  }

  #enter(call: string): void {
    this.calls.push(call);
    const fault = this.faults.shift();
    if (fault !== undefined) throw fault;
  }
}

/** A fake scanner that answers with the model's own facts. */
export class ModelScan implements ScanPort {
  readonly #model: ChainModel;

  constructor(model: ChainModel) {
    this.#model = model;
  }

  async scan(page: RecordPage) {
    const from = Number(page.firstIndex);
    return this.#model.page(from, from + page.count - 1).facts;
  }
}

/** A store in memory that keeps the encoded state and every leaf, as a real store would. */
export class MemoryStore implements StorePort {
  #state: string | null = null;
  #leaves: Uint8Array = new Uint8Array();
  commits = 0;
  /** Thrown by the next commit, which then stores nothing. */
  fault: Error | null = null;
  /** Every commit is refused as by a browser without room. */
  isFull = false;

  async load(): Promise<StoredWallet | null> {
    if (this.#state === null) return null;
    const state = decodeWalletState(this.#state);
    return { state, tree: new Uint8Array(), leaves: this.#leaves };
  }

  async commit({ state, tree }: WalletChange): Promise<void> {
    const { fault } = this;
    this.fault = null;
    if (fault !== null) throw fault;
    if (this.isFull) throw new SvcError("wallet/storage-full", {});
    this.commits += 1;
    this.#state = encodeWalletState(state);
    if (tree === null) return;
    // The snapshot of a fold is all its leaves.
    const before = tree.whole === true ? tree.snapshot() : this.#leaves;
    const kept =
      tree.truncatedTo === null ? before : before.subarray(0, Number(tree.truncatedTo) * 32);
    this.#leaves = concatBytes(kept, tree.appended);
  }
}

/** A clock that only moves when somebody sleeps. */
export class ManualClock implements ClockPort {
  now = 0n;
  readonly sleeps: number[] = [];

  nowMs() {
    return asTimestampMs(this.now);
  }

  async sleep(ms: number, _signal?: AbortSignal): Promise<void> {
    this.sleeps.push(ms);
    this.now += BigInt(ms);
  }
}
