/**
 * The peer-to-peer side of a node: connections, relay of blocks and transactions, serving, and initial block download
 * (specification network 1).
 *
 * Start: bans and addresses are read, flows and catching up are ready, then the listener and the dialling begin. Stop: the
 * same backwards; links end with a word.
 */
import { randomBytes, randomInt } from "node:crypto";
import { asBlockHash, asTxId, type BlockHash, type TxId } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "./p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { NetworkProfile } from "@svc/shared/chain/profile.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import { OWN_SERVICES } from "@svc/shared/protocol/p2p/p2pServices.ts";
import type { BlockIngest } from "../engine/ingest/blockIngest.ts";
import type { EngineHost } from "../engine/host/engineHost.ts";
import type { HistoryImport } from "../engine/import/historyImport.ts";
import type { LogImport } from "../engine/import/logImport.ts";
import type { ReaderHost } from "../engine/read/readerHost.ts";
import type { Mempool } from "../mempool/mempool.ts";
import type { Clock } from "../platform/time/clock.ts";
import { logFault } from "../platform/net/guarded.ts";
import { componentLog, type Log } from "../platform/log/log.ts";
import type { Kv } from "../storage/kv.ts";
import { AddressBook } from "./addresses/addressBook.ts";
import { BanList } from "./addresses/banList.ts";
import type { NetAddress } from "../platform/net/netAddress.ts";
import { addressToWire } from "./addresses/wireAddress.ts";
import { chooseOwnAddress, machineAddresses } from "./addresses/ownAddress.ts";
import { ChainHead } from "./head/chainHead.ts";
import { createAskSeeders, createNamedSeeders } from "./connect/askSeeders.ts";
import { ConnectionManager, type ConnectionParts } from "./connect/connectionManager.ts";
import { answerAddresses, askForAddresses, noteStatedAddress } from "./flows/addresses.ts";
import { answerPings, sendPings } from "./flows/pings.ts";
import { prepareFlows, type Flow } from "./flows/runFlows.ts";
import { headerHash } from "./head/headerHash.ts";
import { PartialMessages } from "./link/partialMessages.ts";
import { dialPeer } from "./link/grpcDialer.ts";
import { startGrpcListener, type GrpcListener } from "./link/grpcListener.ts";
import type { HandshakeParts } from "./handshake/handshake.ts";
import type { ProxyAddress } from "./link/proxyTunnel.ts";
import { userAgent } from "./handshake/userAgent.ts";
import { MisbehaviourScores } from "./peers/misbehaviourScores.ts";
import { PeerHub } from "./peers/peerHub.ts";
import { BlockRelay } from "./relay/blockRelay.ts";
import { isStaleBlock } from "./relay/isStaleBlock.ts";
import { TransactionRelay, type OpenPool } from "./relay/transactionRelay.ts";
import { SnapshotDoubtMonitor } from "./sync/snapshotDoubtMonitor.ts";
import { HistorySync } from "./sync/historySync.ts";
import { LogSync } from "./sync/logSync.ts";
import { reportProgress } from "./sync/reportProgress.ts";
import type { ProofComparisonParts } from "./sync/proofComparison.ts";
import { syncFromSnapshot, type SnapshotSyncParts } from "./sync/syncFromSnapshot.ts";
import { SyncManager } from "./sync/syncManager.ts";
import { SyncMeter, type SyncProgress } from "./sync/syncMeter.ts";
import { askFacts } from "../engine/calls/askFacts.ts";

/** The operator's settings about peers. */
export type PeerOptions = {
  /** Where peers are taken in; null takes none in. */
  readonly listen: { readonly host: string; readonly port: number } | null;
  /** Only these are dialled, for good, and nobody is taken in; null where others are wanted too. */
  readonly only: readonly NetAddress[] | null;
  /** These are dialled for good, beside others. */
  readonly also: readonly NetAddress[];
  readonly outbound: number;
  readonly maxInbound: number;
  /** The address at which others can reach this node, if the operator says so. */
  readonly external: NetAddress | null;
  /** Connects to peers in this node's place; null where it does so itself. */
  readonly proxy: ProxyAddress | null;
  /** Port of peers that seeders name; null where they are not to be asked. */
  readonly seedPort: number | null;
  readonly comments: readonly string[];
  readonly takesAgent: (agent: string) => boolean;
  /** A block that a chain must hold for a store to begin in it; null for any. */
  readonly checkpoint: BlockHash | null;
};

/** Dependencies of the peer-to-peer side. */
export type PeerNetworkParts = {
  readonly options: PeerOptions;
  readonly profile: Pick<
    NetworkProfile,
    | "networkName"
    | "genesis"
    | "finalityDepth"
    | "mergeDepth"
    | "pruningDepth"
    | "seeders"
    | "shieldedAnchorDepth"
    | "skipProofOfWork"
    | "targetTimePerBlockMs"
  > & {
    readonly digest: string;
  };
  readonly version: string;
  readonly store: Kv;
  readonly engine: EngineHost;
  readonly reader: ReaderHost;
  readonly ingest: BlockIngest;
  readonly pool: Mempool;
  readonly core: Pick<CoreGlue, "computeHashes" | "transactionId">;
  /** Whether the chain is recent enough to judge transactions on. */
  readonly isSynced: () => boolean;
  /** Answers what peers ask for. */
  readonly serve: readonly Flow[];
  /** Makes a store beside the one in use, and puts it in its place; null for a node in memory. */
  readonly anew: Pick<SnapshotSyncParts, "stage" | "commit" | "ownProof"> | null;
  /** Takes note history from before the first block of this node; null where it is not wanted. */
  readonly history: HistoryImport | null;
  /** Takes the anchor log from before the first block of this node; null for a node in memory. */
  readonly anchorLog: LogImport | null;
  /** Told which host was the first to bring a block. */
  readonly onDelivered?: (block: BlockHash, ip: string) => void;
  readonly clock: Clock;
  readonly log: Log;
};

const ID_BYTES = 16;
const NONCE_BYTES = 8;
/** Random numbers for choosing among addresses: as many steps as a 48-bit integer has. */
const RANDOM_STEPS = 2 ** 48 - 1;

/** The peer-to-peer side of a node. */
export class PeerNetwork {
  readonly #parts: PeerNetworkParts;
  readonly #head: ChainHead;
  readonly #id = randomBytes(ID_BYTES);
  readonly book: AddressBook;
  readonly bans: BanList;
  readonly hub: PeerHub;
  readonly connections: ConnectionManager;
  readonly sync: SyncManager;
  readonly #beginning: SnapshotDoubtMonitor;
  readonly #history: HistorySync | null;
  readonly #anchorLog: LogSync | null;
  readonly #blocks: BlockRelay;
  readonly #transactions: TransactionRelay;
  /** Of those that this node dialled: any of them may send a proof, and all of them together no more than one and some. */
  readonly #begun: PartialMessages;
  readonly #stop = new AbortController();
  #reporting: Promise<void> = Promise.resolve();
  #listener: GrpcListener | null = null;
  #unsubscribe: () => void = () => {};

  private constructor(parts: PeerNetworkParts, head: ChainHead) {
    const { clock, log, store, options } = parts;
    this.#parts = parts;
    this.#head = head;
    const random = (): number => randomInt(RANDOM_STEPS) / RANDOM_STEPS;
    this.book = new AddressBook({ store, random, clock });
    this.bans = new BanList({ store, clock });
    const partialLimits = {
      partialBytes: P2P_LIMITS.p2pBegunDialledBytes,
      lookMs: P2P_LIMITS.p2pLookMs,
    };
    this.#begun = new PartialMessages(partialLimits, clock);
    this.sync = this.#makeSync();
    this.#beginning = this.#makeBeginning();
    this.#history = this.#makeHistory();
    this.#anchorLog = this.#makeAnchorLog();
    this.#blocks = this.#makeBlockRelay();
    const peers = () => this.hub.peers;
    const { pool, isSynced, core } = parts;
    const identify = (raw: Uint8Array): TxId => asTxId(callCore(() => core.transactionId(raw)));
    const isLooking = (): boolean => this.connections.isLooking;
    this.#transactions = new TransactionRelay({
      pool,
      peers,
      isSynced,
      isLooking,
      identify,
      random,
      clock,
      log: componentLog(log, "payments"),
    });
    this.hub = this.#makeHub();
    this.connections = new ConnectionManager({
      hub: this.hub,
      book: this.book,
      bans: this.bans,
      dial: (remote, signal) =>
        dialPeer(remote, signal, { begun: this.#begun, proxy: options.proxy }),
      askSeeders: this.#makeAskSeeders(random),
      outbound: options.only === null ? options.outbound : 0,
      clock,
      log: componentLog(log, "connections"),
    });
  }

  /** Starts it. Rejects with `node/port-in-use`, `store/corrupt`; nothing is left running then. */
  static async start(parts: PeerNetworkParts): Promise<PeerNetwork> {
    const head = await ChainHead.follow(parts);
    const network = new PeerNetwork(parts, head);
    try {
      await network.#open();
      return network;
    } catch (error) {
      await network.stop();
      throw error;
    }
  }

  /** The port that peers are taken in at; null without a listener. */
  get port(): number | null {
    return this.#listener?.port ?? null;
  }

  /** What peers tell this node from others by: 16 bytes, of this start. */
  get id(): Uint8Array {
    return this.#id;
  }

  /** How far catching up is, and after it the anchor log or history; null when none is going on. */
  get progress(): SyncProgress | null {
    return this.sync.progress ?? this.#anchorLog?.progress ?? this.#history?.progress ?? null;
  }

  /**
   * Whether the chain is known to be behind that of others. That a peer says so is not enough while the chain is recent:
   * what it then has to show are headers with work in them.
   */
  get isBehind(): boolean {
    const { sync } = this;
    return sync.isBusy && (!this.#parts.isSynced() || sync.lacksBodies);
  }

  /** Whether the node has a peer, where work is done for blocks and it was told to look for peers. */
  get hasEnoughPeers(): boolean {
    const { options, profile } = this.#parts;
    const isAskedFor = options.only !== null || options.also.length > 0;
    const looksForPeers = isAskedFor || options.outbound > 0;
    return profile.skipProofOfWork || !looksForPeers || this.hub.peers.length > 0;
  }

  /** Waiting payments that are on no stem: what anybody may be told of. */
  get open(): OpenPool {
    return this.#transactions.open;
  }

  /** Ends all links and stops everything. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#stop.abort();
    this.#begun.stop();
    await this.#reporting;
    await this.#beginning.stop();
    await this.#transactions.stop();
    await this.connections.stop();
    this.hub.stop();
    await this.sync.stop();
    await this.#history?.stop();
    await this.#anchorLog?.stop();
    await this.#listener?.stop();
    this.#head.stop();
  }

  async #open(): Promise<void> {
    const { options, engine } = this.#parts;
    this.sync.start();
    if (this.#parts.anew !== null) this.#beginning.start();
    this.#history?.start();
    this.#anchorLog?.start();
    for (const address of options.only ?? options.also) this.connections.request(address, true);
    this.#parts.pool.conceal(this.open);
    // Whether a stored payment waits for a peer depends on whether one is going to be dialled.
    this.#transactions.start();
    const { clock, log } = this.#parts;
    const report = { progress: () => this.progress, clock, log: componentLog(log, "sync") };
    this.#reporting = reportProgress(report, this.#stop.signal);
    this.#unsubscribe = engine.onEvent((event) => {
      // While the chain is being caught up with, its blocks are news to nobody.
      if (event.type === "blockAdded" && !this.isBehind) this.#blocks.announce(event.hash);
    });
    if (options.listen !== null && options.only === null) {
      this.#listener = await startGrpcListener({
        ...options.listen,
        refuses: (ip) => this.bans.has(ip) && !this.connections.isWanted(ip),
        admits: (remote) => this.hub.admits(remote),
        onWire: (wire) => void this.hub.take(wire).catch(() => undefined),
        onFault: (fault) => logFault(componentLog(log, "peers"), fault),
        clock,
      });
    }
    this.connections.start();
  }

  #makeSync(): SyncManager {
    const { reader, engine, ingest, anew, core, clock, log, profile } = this.#parts;
    const syncLog = componentLog(log, "sync");
    const meter = new SyncMeter(clock, (stage) => syncLog.debug({ stage }, "a stage begins"));
    const times = { nowMs: () => clock.nowMs(), steadyMs: () => clock.steadyMs() };
    const hashOf: SnapshotSyncParts["hashOf"] = (header) => headerHash(core, header);
    const comparison: ProofComparisonParts = {
      peers: () => this.hub.peers,
      isLooking: () => this.connections.isLooking,
      clock,
      log: syncLog,
    };
    return new SyncManager({
      hashOf,
      reader,
      engine,
      insert: (raw) => ingest.submitWanted(raw),
      others: () => this.hub.peers,
      syncFromSnapshot: async (found, signal) => {
        if (anew === null) throw new SvcError("sync/not-ahead", {});
        const { checkpoint } = this.#parts.options;
        const parts = { ...anew, reader, hashOf, meter, ...times, comparison, checkpoint };
        await syncFromSnapshot(parts, found, signal);
        this.#beginning.begunWith(found.peer);
      },
      depths: {
        pruning: BigInt(profile.pruningDepth),
        doubt: BigInt(profile.shieldedAnchorDepth),
        finalityMs: BigInt(profile.finalityDepth * profile.targetTimePerBlockMs),
        genesisMs: BigInt(profile.genesis.timestampMs),
      },
      meter,
      onCaughtUp: (goals) => {
        for (const { peer, hash } of goals) void this.#blocks.resume(peer, hash);
        this.#announceSink();
        this.#history?.wake();
        this.#anchorLog?.wake();
      },
      clock,
      log: syncLog,
    });
  }

  #makeBeginning(): SnapshotDoubtMonitor {
    const { reader, clock, log, profile } = this.#parts;
    return new SnapshotDoubtMonitor({
      reader,
      peers: () => this.hub.peers,
      tell: (peer, hash) => this.sync.tell(peer, hash),
      depth: BigInt(profile.shieldedAnchorDepth),
      clock,
      log: componentLog(log, "sync"),
    });
  }

  #makeHistory(): HistorySync | null {
    const { history, clock, log } = this.#parts;
    if (history === null) return null;
    return new HistorySync({
      history,
      peers: () => this.hub.peers,
      isBusy: () => this.sync.isBusy,
      clock,
      log: componentLog(log, "history"),
    });
  }

  #makeAnchorLog(): LogSync | null {
    const { anchorLog, clock, log } = this.#parts;
    if (anchorLog === null) return null;
    return new LogSync({
      anchorLog,
      peers: () => this.hub.peers,
      isBusy: () => this.sync.isBusy,
      clock,
      log: componentLog(log, "anchorLog"),
    });
  }

  #makeBlockRelay(): BlockRelay {
    const { reader, ingest, clock, profile, core } = this.#parts;
    const tip = async (): Promise<TipFacts> => await askFacts(reader, "tip", []);
    return new BlockRelay({
      hashOf: (header) => headerHash(core, header),
      reader,
      ingest,
      peers: () => this.hub.peers,
      onFar: (peer, hash) => this.sync.tell(peer, hash),
      onDelivered: ({ link }, hash) => this.#parts.onDelivered?.(hash, link.remote.ip),
      isFar: ({ daaScore }) => daaScore > this.#head.head.daaScore + BigInt(P2P_LIMITS.p2pFarDaa),
      isStale: (header) =>
        isStaleBlock({ tip, head: this.#head, mergeDepth: profile.mergeDepth }, header),
      isCatchingUp: () => this.isBehind,
      clock,
    });
  }

  #makeHub(): PeerHub {
    const { options, profile, clock, log } = this.#parts;
    return new PeerHub({
      introduce: () => this.#introduce(),
      takesAgent: options.takesAgent,
      digest: profile.digest,
      maxInbound: options.only === null ? options.maxInbound : 0,
      bans: this.bans,
      faults: new MisbehaviourScores(clock),
      isWanted: (ip) => this.connections.isWanted(ip),
      prepareFlows: (peer) => prepareFlows(peer, this.#flows()),
      clock,
      log: componentLog(log, "peers"),
    });
  }

  #makeAskSeeders(random: () => number): ConnectionParts["askSeeders"] {
    const { options, profile, log } = this.#parts;
    const { only, seedPort, outbound, proxy } = options;
    if (only !== null || seedPort === null) return null;
    const { seeders } = profile;
    if (proxy !== null) return createNamedSeeders({ seeders, port: seedPort, random });
    return createAskSeeders({ seeders, port: seedPort, outbound, random, log });
  }

  #introduce(): HandshakeParts["own"] {
    const { profile, version, options } = this.#parts;
    const address = this.#ownAddress();
    return {
      services: OWN_SERVICES,
      address: address === null ? undefined : addressToWire(address),
      id: this.#id,
      userAgent: userAgent({ version, digest: profile.digest, comments: options.comments }),
      disableRelayTx: false,
      subnetworkId: undefined,
      network: profile.networkName,
    };
  }

  #ownAddress(): NetAddress | null {
    const { listen, external, proxy } = this.#parts.options;
    // Whoever dials through a proxy tells nobody where this machine is, unless the operator does.
    if (proxy !== null) return external;
    const port = this.port;
    const listening = listen === null || port === null ? null : { ip: listen.host, port };
    const machine = machineAddresses();
    return chooseOwnAddress({ stated: external, listening, machine, mapped: null });
  }

  #flows(): Flow[] {
    const { clock, serve } = this.#parts;
    const nonce = (): bigint => randomBytes(NONCE_BYTES).readBigUInt64BE();
    return [
      answerPings,
      sendPings(clock, nonce),
      answerAddresses(this.book, clock),
      askForAddresses(this.book, clock, () => this.connections.wake()),
      noteStatedAddress(this.book),
      this.#blocks.follow,
      this.#transactions.serve,
      this.#transactions.follow,
      this.#transactions.followStem,
      this.#tellSink,
      this.#tellOthers,
      ...serve,
    ];
  }

  /** What a new peer hears first: how far this node is, unless it has nothing or is on its way. */
  readonly #tellSink: Flow = ({ link }) => {
    return async () => {
      const { sink, genesis } = this.#head.head;
      if (sink === genesis || this.isBehind) return;
      link.send({ $case: "invRelayBlock", value: { hash: { bytes: decodeHex(sink) } } });
    };
  };

  /** The place of an outbound peer that is gone is filled again; one that comes may have what is lacking below the beginning. */
  readonly #tellOthers: Flow = ({ link }) => {
    return async () => {
      this.#history?.wake();
      this.#anchorLog?.wake();
      void link.ended.then(() => this.connections.wake());
    };
  };

  #announceSink(): void {
    const { sink, genesis } = this.#head.head;
    if (sink !== genesis) this.#blocks.announce(asBlockHash(sink));
  }
}
