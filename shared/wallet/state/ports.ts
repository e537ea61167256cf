/**
 * Interfaces (ports) of everything outside the wallet: a node, a scanner, a store, a prover, a signer, a clock.
 *
 * The browser gives workers, IndexedDB and fetch; a daemon gives threads, LMDB and gRPC. Every
 * call that can last takes a signal and rejects with `run/aborted` when it fires.
 */
import type {
  Anchor,
  BlockHash,
  BlueScore,
  ChainIndex,
  DaaScore,
  LeafPosition,
  TimestampMs,
  TxId,
} from "../../base/brand.ts";
import type { RecordContainer } from "../../protocol/http/recordContainer.ts";
import type { EvidenceJudge } from "../../light/coreJudge.ts";
import type { EvidencePort } from "../../light/evidencePort.ts";
import type { PayloadPort, RecordDigestPort } from "../../light/secondOpinion.ts";
import type { Multiply } from "../proof/walletLedger.ts";
import type { WorkCheckpoint } from "../../light/checkpointOf.ts";
import type { ProvePlan, SignIntent } from "./provePlan.ts";
import type { ScanFacts } from "./scanFacts.ts";
import type { WalletState } from "./walletState.ts";

/** The tip of a node's chain as far as the wallet looks at it. */
export type NodeTip = {
  readonly genesis: BlockHash;
  readonly profileDigest: string;
  readonly sink: BlockHash;
  readonly sinkBlueScore: BlueScore;
  /** DAA score of the next block. */
  readonly daaScore: DaaScore;
  readonly chainIndex: ChainIndex;
  readonly treeSize: LeafPosition;
  readonly treeRoot: Anchor;
  /** DAA score from which the node's scan records begin. */
  readonly historyFromDaaScore: DaaScore;
  /** They begin with the chain. */
  readonly historyComplete: boolean;
  /** The network's name as the node tells it, and when its newest block was made: to be shown, never to be counted with. */
  readonly network?: string | undefined;
  readonly sinkTimestamp?: TimestampMs | undefined;
};

/** A page of scan records, still unread (formats 2). */
export type RecordPage = RecordContainer & {
  /** The node serves the start of each action alone: the memos are not in the page. */
  readonly memosUnknown?: true;
};

/** The place of a chain block, as whoever follows the chain counts. */
export type ChainPlace = {
  readonly chainIndex: ChainIndex;
  /** Size of the note tree after the block. */
  readonly leafEnd: LeafPosition;
};

/** A chain block at which a scan can begin. */
export type StartBlock = {
  readonly hash: BlockHash;
  readonly chainIndex: ChainIndex;
  readonly blueScore: BlueScore;
  readonly daaScore: DaaScore;
  readonly timestamp: TimestampMs;
  /** The note tree's frontier after the block, in the form that a `NoteTree` is made from. */
  readonly tree: Uint8Array;
};

/**
 * The node, asked over any protocol: all that a wallet ever asks, and nothing in it depends on a key (decision 23). Rejects
 * with the node's own code, or with `wallet/node-unreachable` when there is no answer.
 */
export interface NodePort {
  tip(signal: AbortSignal): Promise<NodeTip>;
  /**
   * Records of the chain blocks after this one. `place` is where the asker has that block: a node that tells no places is
   * followed from there. Rejects with `chain/not-on-chain` or `chain/unknown-block`.
   */
  blocks(
    after: BlockHash,
    limit: number,
    signal: AbortSignal,
    place?: ChainPlace,
  ): Promise<RecordPage>;
  /**
   * The chain block at this index. Where its tree is no longer kept, genesis if the whole history is there, else the first
   * block that has one. Rejects with `chain/unknown-block` above the tip.
   */
  start(index: ChainIndex, signal: AbortSignal): Promise<StartBlock>;
  /** Hands over a signed transaction. */
  submit(raw: Uint8Array, signal: AbortSignal): Promise<TxId>;
}

/** Evidence: who serves it, who judges it, and what it is compared with. */
export type EvidenceParts = {
  readonly source: EvidencePort;
  readonly judge: EvidenceJudge;
  readonly multiply: Multiply;
  /** The digest of a product of nullifiers, as a state root covers it: hex. */
  readonly digest: (product: string) => string;
  /** DAA score from which chain blocks stand in the anchor log; null for never. */
  readonly logFrom: bigint | null;
  /** A header that the release knows: the work of no node lies far below its own. */
  readonly checkpoint: WorkCheckpoint | null;
  /** Who shows payments whole, and who judges them; without it ciphertexts are the node's word. */
  readonly payloads?: PayloadParts;
  /** Another node, with which the pages and the tip are compared. */
  readonly second?: SecondNode;
};

/** Checks of drawn payments. */
export type PayloadParts = {
  readonly source: PayloadPort;
  /** The payment that evidence shows under the header of a block, as a record carries it. Throws as the core's `checkPayload`. */
  readonly check: (block: BlockHash, shown: Uint8Array) => Uint8Array;
  readonly draw: DrawPayment;
};

/**
 * Draws one of `count` payments with a chance of `count` in `oneIn`, for certain from `oneIn` payments on; null for none. From the
 * system's randomness: a node must not know what is looked at.
 */
export type DrawPayment = (count: number, oneIn: number) => number | null;

/** A second node as far as it is asked. */
export type SecondNode = Pick<NodePort, "tip" | "blocks"> &
  RecordDigestPort & {
    /** Told how a comparison with it ended. */
    note?(records: "same" | "other"): void;
  };

/** The scanner: decrypts a page with the viewing key. */
export interface ScanPort {
  scan(page: RecordPage, signal: AbortSignal): Promise<ScanFacts>;
}

/** The changes of one commit. State and tree belong together and are stored in one transaction. */
export type WalletChange = {
  readonly state: WalletState;
  readonly tree: TreeChange | null;
};

/** The change of the tree: first cut, then extended. */
export type TreeChange = {
  /** Leaves from this position on are gone; null when none were cut. */
  readonly truncatedTo: bigint | null;
  /** New leaves, n × 32 bytes. */
  readonly appended: Uint8Array;
  /** Another tree takes its place: nothing of the stored one stays, and `truncatedTo` is the length of the new one. */
  readonly whole?: true;
  /** The whole tree, for stores that keep it in one piece or begin anew. */
  readonly snapshot: () => Uint8Array;
};

/** The stored wallet. */
export type StoredWallet = {
  readonly state: WalletState;
  /** A snapshot of the tree. */
  readonly tree: Uint8Array;
  /** Leaves appended after the snapshot. */
  readonly leaves: Uint8Array;
};

/** The store of the wallet. A commit is durable when it resolves; it happens wholly or not at all. */
export interface StorePort {
  load(): Promise<StoredWallet | null>;
  commit(change: WalletChange): Promise<void>;
}

/** A proved payment that lacks its signatures. */
export interface ProvedPayment {
  readonly bundle: Uint8Array;
  /** JSON of the disclosure, one entry an action. */
  readonly disclosure: string;
  /** JSON of the randomisers to sign with. */
  readonly alphas: string;
  /** Adds the signatures (JSON) and gives the raw transaction. */
  finalize(signatures: string): Promise<Uint8Array>;
  /** Gives the proof's memory back, where it takes any, when nobody will sign it. */
  drop?(): void;
}

/** A progress callback of proving: the stage, and 0 to 1 within it. */
export type ProveProgress = (stage: string, fraction: number) => void;

/** The prover: makes proofs. Holds viewing keys only. */
export interface ProverPort {
  prove(plan: ProvePlan, progress: ProveProgress, signal: AbortSignal): Promise<ProvedPayment>;
}

/** The signer: holds the spending key. Compares the proved bundle with the intent before it signs. */
export interface SignerPort {
  /** JSON of the signatures. Rejects with `signer/…` where the proved bundle is not what was confirmed. */
  sign(intent: SignIntent, proved: ProvedPayment, signal: AbortSignal): Promise<string>;
}

/** The clock, as a port so that tests decide it. */
export interface ClockPort {
  nowMs(): TimestampMs;
  /** Resolves after the pause. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
