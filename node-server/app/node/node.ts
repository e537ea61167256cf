/**
 * Composition root of a node: its parts, and the order in which they start and stop.
 *
 * Start: folder and lock, settings, engine, pool, servers, miner; verifying keys are built in the background.
 * Stop: the same backwards. A start that fails stops what had started.
 */
import { asNullifier, asTxId } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { APP_LIMITS } from "../appLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import * as v from "valibot";
import { BlockIngest } from "../../engine/ingest/blockIngest.ts";
import { WorkRateLimiter } from "../../engine/verify/workRateLimiter.ts";
import { createEngine, type EngineOptions, type EngineParts } from "../../engine/startEngine.ts";
import type { StoreFaults } from "../../engine/calls/storeFaults.ts";
import type { NodeIndex } from "../../indexer/nodeIndex.ts";
import { Mempool } from "../../mempool/mempool.ts";
import { PoolStore } from "../../mempool/poolStore.ts";
import { Miner } from "../../mining/miner.ts";
import { TemplateService } from "../../mining/templateService.ts";
import type { PeerNetwork } from "../../p2p/peerNetwork.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { componentLog, type Log } from "../../platform/log/log.ts";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import { startGrpcServer } from "../../rpc/grpc/grpcServer.ts";
import { startHttpServer, type RestOptions } from "../../rpc/http/httpServer.ts";
import { NODE_SHARES } from "../../rpc/http/nodeShares.ts";
import type { HttpRules } from "../../platform/http/accessCheck.ts";
import type { NodeApi, NodeProfile } from "../../rpc/service/nodeApi.ts";
import { freeBytes, noRoomError } from "../../storage/diskSpace.ts";
import { META_LAYOUT } from "../../storage/layout.ts";
import { openStore } from "../../storage/openStore.ts";
import type { Kv } from "../../storage/kv.ts";
import { openSettings, rememberChoice } from "../folder/archive.ts";
import { roomOf, type ConnectionRoom } from "./connectionRoom.ts";
import { createNetworkApi } from "./createNetworkApi.ts";
import { createNodeApi, type NodeParts } from "./createNodeApi.ts";
import { giveUp, holdDataFolder } from "../folder/dataFolder.ts";
import { DiskSpaceMonitor } from "./diskSpaceMonitor.ts";
import type { Listen } from "../options/listenOption.ts";
import { NetworkHalt } from "./networkHalt.ts";
import { loadNetwork, type NetworkChoice } from "../program/network.ts";
import type { PeerFlags } from "../options/peerFlags.ts";
import { DatabaseSizeMonitor } from "./databaseSizeMonitor.ts";
import { RuleChangeMonitor } from "./ruleChangeMonitor.ts";
import type { IndexMode } from "../options/flags.ts";
import type { Settings } from "../folder/settings.ts";
import { attachIndex, relayNotes, startIndex } from "./startIndex.ts";
import { startPeers } from "./startPeers.ts";
import { StopStack } from "../program/stopStack.ts";
import { SyncState } from "./syncState.ts";
import { OutOfSpaceKv } from "../folder/outOfSpaceKv.ts";
import { checkAfterUncleanEnd } from "../folder/uncleanEnd.ts";
import { VERSION } from "../program/version.ts";

/** Settings of a node. */
export type NodeOptions = {
  readonly network: NetworkChoice;
  /** Folder of all networks' data, or null for a node in memory. */
  readonly appdir: string | null;
  readonly resetDb: boolean;
  /** Keeps the bodies below the pruning point. */
  readonly archival: boolean;
  /** Note history from before the first block of this node is wanted (specification shielded 15.4). */
  readonly shieldedHistory: boolean;
  /** An archival node's bodies may be deleted. */
  readonly confirmed: boolean;
  /** Whether it keeps an index of blocks and transactions, and makes its tables anew first. */
  readonly index: IndexMode;
  /** Days that the index keeps; null: all of them. */
  readonly indexDays: number | null;
  /** null starts no server; a missing host or port is the network's own. */
  readonly grpc: Partial<Listen> | null;
  readonly http: Partial<Listen> | null;
  /** Who may use HTTP. */
  readonly httpRules: HttpRules;
  /** How the public REST interface is served; left out, to those alone who may use the rest. */
  readonly rest?: RestOptions;
  /** Folder of the built pages. */
  readonly pages: string | null;
  /** What is decided about peers; null is a node without any. */
  readonly peers: PeerFlags | null;
  /** Takes calls that change the node. */
  readonly unsafeRpc: boolean;
  /** Mining in this process, on networks without proof of work; `address: null` picks one. */
  readonly mining: { readonly address: string | null; readonly intervalMs: number | null } | null;
  readonly allowUnsyncedMining: boolean;
  readonly proofs: EngineOptions["proofs"];
  readonly clock: Clock;
  readonly log: Log;
  /** Starts a verifying thread; left out, the one that judges proofs. */
  readonly spawnVerifier?: EngineOptions["spawnVerifier"];
};

/** A running node. */
export type RunningNode = {
  readonly api: NodeApi;
  /** Folder of this network's data; null in memory. */
  readonly folder: string | null;
  /** `http://host:port`, null without the server. */
  readonly httpAddress: string | null;
  /** `host:port`, null without the server. */
  readonly grpcAddress: string | null;
  /** Port at which peers are taken in, null without a listener. */
  readonly peerPort: number | null;
  readonly miner: Miner | null;
  /** Resolves when the verifying keys are built. */
  readonly keysReady: Promise<void>;
  /** Resolves when every payment that waited at the last end has been judged again. */
  readonly poolRestored: Promise<void>;
  /** Settles when the node cannot go on by itself; it must then be stopped. */
  readonly failed: Promise<SvcError>;
  /** Stops everything and leaves a clean store. Calling it again waits for the same stop. */
  stop(): Promise<void>;
};

const LOOPBACK = "127.0.0.1";

/** Starts a node. Rejects with what stands in its way; nothing is left running then. */
export async function startNode(options: NodeOptions): Promise<RunningNode> {
  const stops = new StopStack(options.log);
  try {
    return await start(options, stops);
  } catch (error) {
    await stops.run();
    throw error;
  }
}

async function start(options: NodeOptions, stops: StopStack): Promise<RunningNode> {
  const core = await loadCoreFile();
  const profile = loadNetwork(core, options.network);
  requireMinable(options, profile);
  const room = roomOf(options);
  const folder = takeFolder(options, profile, stops);
  const { promise: failed, resolve: onFatal } = Promise.withResolvers<SvcError>();
  const { clock, log, archival, shieldedHistory } = options;
  const { store, peerStore } = await openOwn(folder, { onFatal, log }, stops);
  const settings = openSettings(options, store);
  const engineParts = createEngine({
    root: folder,
    profile: profile.canonicalJson,
    archival,
    proofs: options.proofs,
    clock,
    log,
    onFatal,
    ...(options.spawnVerifier && { spawnVerifier: options.spawnVerifier }),
  });
  stops.push("engine", () => engineParts.engine.stop());
  await engineParts.engine.start();
  await rememberChoice(options, settings, engineParts.engine);
  stops.push("reader", () => engineParts.reader.stop());
  engineParts.reader.start();
  const parts = await startParts(options, { core, profile, store, ...engineParts }, stops);
  const watched = { folder, storeFaults: engineParts.storeFaults, onFatal };
  const warnings = watch(options, watched, stops);
  const around = { ...parts, ...watched, store: peerStore, room };
  const { network, index } = await startAround(options, around, stops);
  const api = createNodeApi({
    ...parts,
    peers: network,
    network: network && createNetworkApi(network, clock),
    index,
    unsafeRpc: options.unsafeRpc,
    warnings,
  });
  const miner = createMiner(options, parts, settings);
  const addresses = await startServers(options, { api, miner, room }, stops);
  if (miner !== null) {
    stops.push("miner", () => miner.stop());
    miner.start();
  }
  const peerPort = network?.port ?? null;
  const { networkName, digest } = profile;
  const facts = { network: networkName, digest, archival, shieldedHistory, ...addresses, peerPort };
  log.info(facts, "the node runs");
  return {
    api,
    folder,
    miner,
    ...addresses,
    peerPort,
    keysReady: engineParts.verifiers.keysReady,
    poolRestored: parts.pool.restored,
    failed,
    stop: () => stops.run(),
  };
}

type Around = CoreParts & WatchedFolder & { readonly store: Kv; readonly room: ConnectionRoom };

/** The index and the peers: what goes on by itself around the engine and its pool. */
async function startAround(
  { index: mode, indexDays: days, resetDb: isReset, peers, shieldedHistory, log }: NodeOptions,
  { room, ...parts }: Around,
  stops: StopStack,
): Promise<{ readonly index: NodeIndex | null; readonly network: PeerNetwork | null }> {
  const index = await startIndex({ ...parts, mode, days, isReset, log }, stops);
  const peerParts = { ...parts, shieldedHistory, onDelivered: relayNotes(index), log };
  const network =
    peers === null ? null : await startPeers({ ...peerParts, flags: within(room, peers) }, stops);
  if (index !== null) attachIndex(index, network?.open ?? parts.pool, network);
  return { index, network };
}

type OwnStores = { readonly store: Kv; readonly peerStore: Kv };

type OwnOptions = {
  readonly onFatal: (error: SvcError) => void;
  readonly log: Pick<Log, "info">;
};

/** The node's own database, as it is and for what is learnt again where it could not be written: addresses and bans. */
async function openOwn(
  folder: string | null,
  { onFatal: onOutOfRoom, log }: OwnOptions,
  stops: StopStack,
): Promise<OwnStores> {
  const { store: own, migration } = await openStore(folder, META_LAYOUT);
  stops.push("settings", () => own.close());
  const { steps } = migration;
  if (steps.length > 0) log.info({ steps }, "the node's own database was brought to a new layout");
  return {
    store: new OutOfSpaceKv(own, { onOutOfRoom, isForgiving: false }),
    peerStore: new OutOfSpaceKv(own, { onOutOfRoom, isForgiving: true }),
  };
}

/** Errors: `node/bad-option` where blocks take work that nobody does in this process. */
function requireMinable({ mining }: NodeOptions, { skipProofOfWork }: NodeProfile): void {
  if (mining === null || skipProofOfWork) return;
  const reason = "this network has proof of work; mine through gRPC";
  throw new SvcError("node/bad-option", { option: "--mine", reason });
}

/** No more peers than there is room for. */
function within(room: ConnectionRoom, peers: PeerFlags): PeerFlags {
  return { ...peers, maxInbound: Math.min(peers.maxInbound, room.inbound) };
}

/** Errors: `store/no-room` where a node would soon have to stop again, and those of `holdDataFolder`. */
function takeFolder(options: NodeOptions, profile: NodeProfile, stops: StopStack): string | null {
  if (options.appdir === null) return null;
  const folder = holdDataFolder(options.appdir, profile.networkName, {
    reset: options.resetDb,
    archival: options.archival,
  });
  let isChecked = false;
  stops.push("lock", async () => (isChecked ? folder.lock.release() : giveUp(folder.lock)));
  const { path } = folder;
  // After what a reset or a killed import gives back.
  const free = freeBytes(path);
  if (free < APP_LIMITS.diskStartBytes) throw noRoomError(path, free, APP_LIMITS.diskStartBytes);
  checkAfterUncleanEnd(folder, options.log);
  isChecked = true;
  return path;
}

type WatchedFolder = {
  readonly folder: string | null;
  readonly storeFaults: StoreFaults;
  readonly onFatal: (error: SvcError) => void;
};

/** Watches the disk and the databases of the folder. Returns what asks for their warnings. */
function watch(
  { clock, log }: NodeOptions,
  { folder, storeFaults, onFatal }: WatchedFolder,
  stops: StopStack,
): NodeParts["warnings"] {
  if (folder === null) return () => [];
  const parts = { folder, clock, log: componentLog(log, "storage") };
  const watches = [
    new DatabaseSizeMonitor(parts),
    new DiskSpaceMonitor({ ...parts, onOutOfRoom: onFatal }),
  ];
  for (const one of watches) {
    stops.push("room", () => one.stop());
    one.start();
  }
  return () => [...watches, storeFaults].flatMap((one) => one.warnings());
}

/** What a node is made of beside its peers. */
type CoreParts = Omit<NodeParts, "peers" | "network" | "index" | "unsafeRpc" | "warnings">;

type Base = EngineParts & {
  readonly core: CoreGlue;
  readonly profile: NodeProfile;
  readonly store: Kv;
};

/** Everything behind the servers that follows the engine. */
async function startParts(options: NodeOptions, base: Base, stops: StopStack): Promise<CoreParts> {
  const { clock, log, archival, allowUnsyncedMining } = options;
  const { engine, verifiers, reader, core, profile, store } = base;
  const work = new WorkRateLimiter(clock);
  const ingest = new BlockIngest({ engine, work, clock, log: componentLog(log, "blocks") });
  const sync = new SyncState({ engine, profile, clock });
  const halt = new NetworkHalt({ engine, reader, profile, clock });
  const rules = new RuleChangeMonitor({ engine, profile, log: componentLog(log, "rules") });
  stops.push("sync", async () => sync.stop());
  stops.push("rules", async () => rules.stop());
  stops.push("halt", () => halt.stop());
  const pool = createPool(options, { ...base, work }, new PoolStore(store, flushSoon));
  stops.push("pool", () => pool.stop());
  // Stopped before the pool, which waits for admissions that wait for verdicts.
  stops.push("verifiers", () => verifiers.stop());
  verifiers.start();
  await sync.start();
  await rules.start();
  halt.start();
  await pool.start();
  const templates = new TemplateService({ engine, pool, clock, version: VERSION });
  return {
    core,
    profile,
    clock,
    engine,
    verifiers,
    reader,
    ingest,
    pool,
    work,
    templates,
    sync,
    halt,
    archival,
    allowUnsyncedMining,
  };
}

const spends = v.object({ nullifiers: v.array(fields.nullifier) });

const flushSoon = (flush: () => void): void => void setImmediate(flush);

type PoolBase = Base & { readonly work: WorkRateLimiter };

function createPool(options: NodeOptions, base: PoolBase, store: PoolStore): Mempool {
  const { core, profile, engine, verifiers, work } = base;
  return new Mempool({
    engine,
    verify: (job, source) => verifiers.verify(job, { source }),
    work,
    identify: (raw) => asTxId(callCore(() => core.transactionId(raw))),
    nullifiersOf: (raw, daaScore) => {
      const summary = callCore(() => core.transactionSummary(profile.canonicalJson, raw, daaScore));
      return v.parse(spends, JSON.parse(summary)).nullifiers.map(asNullifier);
    },
    store,
    log: componentLog(options.log, "pool"),
    mass: {
      compute: BigInt(profile.massLimits.compute),
      transient: BigInt(profile.massLimits.transient),
    },
    blockTimeMs: profile.targetTimePerBlockMs,
  });
}

/** Pays the address asked for, else the one paid last, else the network's own. */
function createMiner(options: NodeOptions, parts: CoreParts, settings: Settings): Miner | null {
  if (options.mining === null) return null;
  const { core, profile, templates, ingest, clock } = parts;
  const own = profile.devFee.recipientHex;
  const address =
    options.mining.address ??
    settings.minerAddress() ??
    (own === null ? "" : callCore(() => core.encodeAddress(profile.hrp, decodeHex(own))));
  const minerParts = {
    templates,
    ingest,
    clock,
    log: componentLog(options.log, "miner"),
    intervalMs: options.mining.intervalMs ?? profile.targetTimePerBlockMs,
    decodeAddress: (text: string) => callCore(() => core.decodeAddress(profile.hrp, text)),
    onAddress: (text: string) => settings.setMinerAddress(text),
  };
  return new Miner(minerParts, address);
}

type Served = {
  readonly api: NodeApi;
  readonly miner: Miner | null;
  readonly room: ConnectionRoom;
};

async function startServers(
  options: NodeOptions,
  { api, miner, room }: Served,
  stops: StopStack,
): Promise<Pick<RunningNode, "httpAddress" | "grpcAddress">> {
  const { ports } = api.profile;
  const { clock, log, pages } = options;
  let grpcAddress: string | null = null;
  if (options.grpc !== null) {
    const host = options.grpc.host ?? LOOPBACK;
    const port = options.grpc.port ?? ports.grpc;
    const parts = { node: api, host, port, clock, connections: room.grpc };
    const server = await startGrpcServer({ ...parts, log: componentLog(log, "grpc") });
    stops.push("grpc", () => server.stop());
    grpcAddress = server.address;
  }
  let httpAddress: string | null = null;
  if (options.http !== null) {
    const host = options.http.host ?? LOOPBACK;
    const port = options.http.port ?? ports.http ?? ports.grpc + HTTP_OFFSET;
    const connections = { ...NODE_SHARES.connections, total: room.http };
    const { httpRules: rules, rest } = options;
    const served = { node: api, pages, miner, rules, ...(rest === undefined ? {} : { rest }) };
    const parts = { ...served, host, port, clock, shares: { connections } };
    const server = await startHttpServer({ ...parts, log: componentLog(log, "http") });
    stops.push("http", () => server.stop());
    httpAddress = server.address;
  }
  return { grpcAddress, httpAddress };
}

/** HTTP port above the gRPC port where a profile names none. */
const HTTP_OFFSET = 3000;
