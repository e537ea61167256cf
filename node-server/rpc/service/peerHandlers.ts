/** RPC handlers about peers, and metrics of the process (specification network 2.2, 2.3). */
import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { dialPort } from "@svc/shared/chain/profile.ts";
import type { TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import type {
  RpcConnectedPeer,
  RpcConsensusMetrics,
  RpcProcessMetrics,
  RpcSyncProgress,
} from "@svc/shared/protocol/rpc/generated/rpcValues.ts";
import { badField } from "@svc/shared/protocol/rpc/rpcFields.ts";
import { parseNetAddress } from "../../platform/net/netAddress.ts";
import type { NetworkApi, PeerFacts, SyncProgress } from "./networkApi.ts";
import type { NodeApi } from "./nodeApi.ts";
import { RpcFault } from "../../../shared/protocol/rpc/rpcFault.ts";
import type { Handlers } from "./rpcMethods.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";

type PeerMethod =
  | "getPeerAddresses"
  | "getConnectedPeerInfo"
  | "addPeer"
  | "ban"
  | "unban"
  | "getConnections"
  | "getMetrics"
  | "getSyncStatus";

const MICROSECONDS = 1e6;

/** Handlers of the peer methods. */
export const peerHandlers: Handlers<PeerMethod> = {
  getSyncStatus: (_, { node }) => {
    const progress = node.network?.syncProgress() ?? null;
    return {
      isSynced: node.status().isSynced,
      progress: progress === null ? undefined : progressToRpc(progress),
      error: undefined,
    };
  },

  getPeerAddresses: (_, { node: { network } }) => ({
    addresses: (network?.addresses() ?? []).map((addr) => ({ addr })),
    bannedAddresses: (network?.banned() ?? []).map((addr) => ({ addr })),
    error: undefined,
  }),

  getConnectedPeerInfo: (_, { node: { network } }) => ({
    infos: (network?.peers() ?? []).map(peerToRpc),
    error: undefined,
  }),

  addPeer: ({ address, isPermanent = false }, { node }) => {
    const network = changeable(node);
    const parsed = parseNetAddress(address, dialPort(node.profile));
    if (parsed === undefined)
      throw badField("address", "it is not an IP address, with a port or without");
    network.addPeer(parsed, isPermanent);
    return { error: undefined };
  },

  ban: ({ ip }, { node }) => {
    if (!changeable(node).ban(checkedIp(ip))) {
      throw badField("ip", "the host was asked for and cannot be banned");
    }
    return { error: undefined };
  },

  unban: ({ ip }, { node }) => {
    if (!changeable(node).unban(checkedIp(ip))) throw badField("ip", "the host is not banned");
    return { error: undefined };
  },

  getConnections: ({ includeProfileData = false }, { node, clients }) => ({
    clients: clients(),
    peers: node.network?.peers().length ?? 0,
    profileData: includeProfileData
      ? { cpuUsage: cpuUsage(), memoryUsage: BigInt(process.memoryUsage.rss()) }
      : undefined,
    error: undefined,
  }),

  getMetrics: async (request, { node, signal }) => {
    const { mempoolSize, nowMs } = node.status();
    const tip =
      request.consensusMetrics === true ? await askFacts(node, "tip", [], signal) : undefined;
    return {
      serverTime: nowMs,
      processMetrics: request.processMetrics === true ? processMetrics() : undefined,
      connectionMetrics:
        request.connectionMetrics === true
          ? { ...NO_WEB_SOCKETS, activePeers: node.network?.peers().length ?? 0 }
          : undefined,
      consensusMetrics: tip && consensusMetrics(tip, mempoolSize),
      error: undefined,
    };
  },
};

/** The network of a node whose operator allows changes. */
function changeable({ unsafeRpc, network }: NodeApi): NetworkApi {
  if (!unsafeRpc) {
    throw new RpcFault("Method unavailable in safe mode. Run the node with --unsaferpc argument.");
  }
  if (network === null) throw new SvcError("rpc/not-ready", { reason: "it has no network" });
  return network;
}

function checkedIp(ip: string): string {
  if (isIP(ip) === 0 || ip.includes("%")) throw badField("ip", "it is not an IP address");
  return ip;
}

function peerToRpc(peer: PeerFacts): RpcConnectedPeer {
  const { lastPingMs, blocksRelayed, ...same } = peer;
  return {
    ...same,
    lastPingDuration: BigInt(Math.round(lastPingMs ?? 0)),
    blocksRelayed: BigInt(blocksRelayed),
  };
}

function progressToRpc({ done, total, etaMs, ...same }: SyncProgress): RpcSyncProgress {
  return {
    ...same,
    done: BigInt(done),
    total: BigInt(total),
    etaMs: etaMs === null ? undefined : BigInt(Math.round(etaMs)),
  };
}

/** Of one core since the start. */
function cpuUsage(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / MICROSECONDS / process.uptime();
}

/** What the system does not tell a program of Node stays 0. */
function processMetrics(): RpcProcessMetrics {
  return {
    residentSetSize: BigInt(process.memoryUsage.rss()),
    virtualMemorySize: 0n,
    coreNum: availableParallelism(),
    cpuUsage: cpuUsage(),
    fdNum: 0,
    diskIoReadBytes: 0n,
    diskIoWriteBytes: 0n,
    diskIoReadPerSec: 0,
    diskIoWritePerSec: 0,
  };
}

const NO_WEB_SOCKETS = {
  borshLiveConnections: 0,
  borshConnectionAttempts: 0n,
  borshHandshakeFailures: 0n,
  jsonLiveConnections: 0,
  jsonConnectionAttempts: 0n,
  jsonHandshakeFailures: 0n,
};

/** Where the chain stands; what was counted since the start stays 0. */
function consensusMetrics(tip: TipFacts, mempoolSize: number): RpcConsensusMetrics {
  return {
    blocksSubmitted: 0n,
    headerCounts: 0n,
    depCounts: 0n,
    bodyCounts: 0n,
    txsCounts: 0n,
    chainBlockCounts: 0n,
    massCounts: 0n,
    blockCount: tip.blockCount,
    headerCount: tip.headerCount,
    mempoolSize: BigInt(mempoolSize),
    tipHashesCount: tip.tips.length,
    difficulty: tip.difficulty,
    pastMedianTime: tip.pastMedianTime,
    virtualParentHashesCount: tip.virtualParents.length,
    virtualDaaScore: tip.daaScore,
  };
}
