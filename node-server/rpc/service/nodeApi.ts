/**
 * Interface of the node for its servers. The application implements it over engine, pool and clock; gRPC, `/v1` and the pages
 * ask through this interface and nothing else.
 *
 * Calls that wait take a signal and reject with `run/aborted` when it fires; besides the errors named
 * here they reject with `queue/full`, `engine/restarted` and `node/stopping`.
 */
import type { TimestampMs, TxId } from "@svc/shared/base/brand.ts";
import type { NetworkProfile } from "@svc/shared/chain/profile.ts";
import type { InsertOutcome } from "../../engine/calls/engineFacts.ts";
import type { NodeEvent } from "../../engine/host/engineHost.ts";
import type { WorkSource } from "../../engine/verify/workRateLimiter.ts";
import type { PoolEntry } from "../../mempool/poolEntry.ts";
import type { EvidenceAnswers } from "./evidenceAnswers.ts";
import type { IndexApi } from "./indexApi.ts";
import type { NetworkApi } from "./networkApi.ts";
import type { QuestionSource } from "../../engine/calls/askFacts.ts";

/** The network's profile, checked by the core. */
export type NodeProfile = NetworkProfile & {
  readonly canonicalJson: string;
  /** 64 hex digits. */
  readonly digest: string;
};

/** A warning: something that the operator should see to before the node stops for it. */
export type NodeWarning = {
  /** Of the registry of errors. */
  readonly code: string;
  /** A sentence for people. It tells nothing of the machine but what the warning is about: strangers may read it. */
  readonly message: string;
};

/** Status of the node, without asking the engine. */
export type NodeStatus = {
  /** The sink is recent enough, and there are peers where the network needs them (specification network 4.4). */
  readonly isSynced: boolean;
  /** What is found on a template is of use: synced, or the whole network has halted (specification network 4.4). */
  readonly shouldMine: boolean;
  /** Blocks may be submitted: so it is, or mining while unsynced is allowed. */
  readonly mayMine: boolean;
  /** The keys for proofs are built. */
  readonly proverReady: boolean;
  readonly mempoolSize: number;
  /** Bodies below the pruning point are kept. */
  readonly isArchival: boolean;
  /** The node's clock. */
  readonly nowMs: TimestampMs;
  readonly warnings: readonly NodeWarning[];
};

/** A request for a template: whom it pays, and what its coinbase says. */
export type TemplateRequest = {
  /** The 43 bytes of a shielded address. */
  readonly payScript: Uint8Array;
  /** Follows the program's version at the end of the coinbase payload. */
  readonly extraData: Uint8Array;
};

/**
 * A change of the mempool, one object for all who hear of it. `frame` is what a live connection is sent: txid 32, n u16,
 * n × 788 bytes; it is made when it is first read.
 */
export type PoolEvent =
  | { readonly type: "poolAdded"; readonly txid: TxId; readonly frame: Uint8Array }
  | { readonly type: "poolRemoved"; readonly txid: TxId };

/** An event of the node: a durable fact of the engine, or a change of the pool. */
export type NodeNotification = NodeEvent | PoolEvent;

/** The parts of the core that servers use without asking the engine. */
export interface CoreCalls {
  /** The 43 bytes of an address. Throws `address/…`. */
  decodeAddress(hrp: string, text: string): Uint8Array;
  /** The address of 43 bytes. Throws `address/…`. */
  encodeAddress(hrp: string, raw: Uint8Array): string;
  /** JSON of the hashes of a RawBlock. Throws the codec's errors. */
  computeHashes(rawBlock: Uint8Array): string;
  /** Id of a RawTransaction. Throws the codec's errors. */
  transactionId(raw: Uint8Array): string;
  /** JSON about a payment carried at this DAA score. Throws the codec's errors, `shielded/…`, `tx/…`. */
  transactionSummary(profileJson: string, raw: Uint8Array, daaScore: bigint): string;
  /** A payment without its proof: txid 32, n u16, n × 788 bytes. Throws as `transactionSummary`. */
  mempoolFrame(profileJson: string, raw: Uint8Array, daaScore: bigint): Uint8Array;
  /** JSON of EmissionFacts at a DAA score. Throws `profile/…`. */
  emissionFacts(profileJson: string, daaScore: bigint): string;
}

/** The node as its servers ask it. */
export interface NodeApi extends QuestionSource {
  readonly profile: NodeProfile;
  /** Version of this program, such as 0.1.0. */
  readonly version: string;
  /** Random UUID of this process. */
  readonly nodeId: string;
  readonly core: CoreCalls;
  /** Its evidence, the same for all who ask. */
  readonly evidence: EvidenceAnswers;
  /** Its peers; null for a node without a network. */
  readonly network: NetworkApi | null;
  /** Its index; null for a node that keeps none (`--index`). */
  readonly index: IndexApi | null;
  /** Whether clients may change whom it talks to (`--unsaferpc`). */
  readonly unsafeRpc: boolean;
  status(): NodeStatus;
  /**
   * Hands in a RawBlock; settles when it is durable and virtual has moved as far as it can. `source` is who sends it, by
   * whose rate it counts; without one it is the program's own. Rejects with `queue/too-fast` and the codec's errors.
   */
  submitBlock(raw: Uint8Array, signal: AbortSignal, source?: WorkSource): Promise<InsertOutcome>;
  /**
   * Hands in a RawTransaction; resolves when it waits in the pool. `source` as for blocks. Rejects with `tx/…`,
   * `mempool/…`, `queue/too-fast` and the codec's errors.
   */
  submitTransaction(raw: Uint8Array, signal: AbortSignal, source?: WorkSource): Promise<TxId>;
  /**
   * Resolves where the pool would take a RawTransaction, and hands it to nobody. `source` as for blocks. Rejects as
   * `submitTransaction` does.
   */
  probeTransaction(raw: Uint8Array, signal: AbortSignal, source?: WorkSource): Promise<void>;
  /** A RawBlock to be mined. Rejects with `template/…`. */
  template(request: TemplateRequest, signal: AbortSignal): Promise<Uint8Array>;
  /** Waiting transactions in order of arrival. */
  waiting(): readonly PoolEntry[];
  /** A waiting transaction. */
  waitingTransaction(txid: TxId): PoolEntry | undefined;
  /** Hears every change in order; the returned call ends it. */
  onEvent(listener: (news: NodeNotification) => void): () => void;
}

/** The miner of a local network, as its pages control it. */
export interface LocalMiner {
  /** Whom it pays, and how it fares. */
  state(): LocalMinerState;
  /** Pays this address from now on. Throws `address/…`. */
  payTo(address: string): void;
}

/** State of the local miner: whom it pays, and how much it mines. */
export type LocalMinerState = {
  readonly address: string;
  /** For display only. */
  readonly blocksPerSecond: number;
  /** Decimal text. */
  readonly minedBlocks: string;
};
