/**
 * Starts the peer-to-peer side of a node from its options: addresses with the network's ports, serving, and sync from a
 * snapshot.
 */
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readEnvelope } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { rawProofOf } from "@svc/shared/protocol/p2p/p2pProof.ts";
import { swapStore } from "../../engine/import/swapStore.ts";
import { HistoryImport } from "../../engine/import/historyImport.ts";
import { LogImport } from "../../engine/import/logImport.ts";
import { createStagedImport } from "../../engine/startEngine.ts";
import type { StoreFaults } from "../../engine/calls/storeFaults.ts";
import type { NetAddress } from "../../platform/net/netAddress.ts";
import { PeerNetwork, type PeerNetworkParts, type PeerOptions } from "../../p2p/peerNetwork.ts";
import { createServing } from "../../p2p/serve/createServing.ts";
import type { ServeHost } from "../../p2p/serve/serveHost.ts";
import { componentLog, type Log } from "../../platform/log/log.ts";
import type { Kv } from "../../storage/kv.ts";
import type { NodeParts } from "./createNodeApi.ts";
import type { PeerFlags } from "../options/peerFlags.ts";
import type { StopStack } from "../program/stopStack.ts";
import { VERSION } from "../program/version.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";

const ANY_HOST = "0.0.0.0";

/** Dependencies of the peer-to-peer side. */
export type StartPeersParts = Omit<
  NodeParts,
  "peers" | "network" | "index" | "unsafeRpc" | "warnings"
> & {
  readonly flags: PeerFlags;
  /** Where bans and addresses are kept. */
  readonly store: Kv;
  /** Folder of this network's data; null in memory. */
  readonly folder: string | null;
  /** Called when there is no room for a store that is made anew, or its disk cannot be read. */
  readonly onFatal: (error: SvcError) => void;
  /** Of the store in use. */
  readonly storeFaults: StoreFaults;
  /** Note history from before the first block of this node is wanted. */
  readonly shieldedHistory: boolean;
  /** Told which host was the first to bring a block. */
  readonly onDelivered: (block: BlockHash, ip: string) => void;
  readonly log: Log;
};

/** Starts the peer-to-peer side. Rejects with `node/port-in-use`, `store/corrupt`. */
export async function startPeers(parts: StartPeersParts, stops: StopStack): Promise<PeerNetwork> {
  const { flags, profile, engine, clock, log, folder, sync, storeFaults } = parts;
  const { host, flows } = createServing({
    root: folder,
    profile: profile.canonicalJson,
    engine,
    clock,
    log: componentLog(log, "serving"),
    storeFaults,
  });
  stops.push("serving", () => host.stop());
  host.start();
  const network = await PeerNetwork.start({
    ...parts,
    options: peerOptions(flags, profile.ports),
    version: VERSION,
    isSynced: () => sync.isSynced,
    serve: flows,
    anew: folder === null ? null : createAnew(parts, host, folder),
    history: parts.shieldedHistory && folder !== null ? new HistoryImport(engine) : null,
    anchorLog: folder === null ? null : new LogImport(engine),
  });
  stops.push("peers", () => network.stop());
  return network;
}

function peerOptions(
  flags: PeerFlags,
  { p2p, p2pDial }: StartPeersParts["profile"]["ports"],
): PeerOptions {
  const dialPort = p2pDial ?? p2p;
  const dialled = (address: NetAddress): NetAddress => withPort(address, dialPort);
  const { connect, addPeers, listen } = flags;
  return {
    listen: listen && { host: listen.host ?? ANY_HOST, port: listen.port ?? p2p },
    only: connect.length === 0 ? null : connect.map(dialled),
    also: addPeers.map(dialled),
    outbound: flags.outbound,
    maxInbound: flags.maxInbound,
    external: flags.external && withPort(flags.external, p2p),
    proxy: flags.proxy,
    seedPort: flags.dnsSeeds ? dialPort : null,
    comments: flags.comments,
    takesAgent: flags.takesAgent,
    checkpoint: flags.checkpoint,
  };
}

function withPort(address: NetAddress, port: number): NetAddress {
  return address.port === 0 ? { ...address, port } : address;
}

/** How a store is made beside the one in use, and put in its place. */
function createAnew(
  { profile, archival, clock, log, engine, reader, verifiers, onFatal }: StartPeersParts,
  serving: ServeHost,
  root: string,
): PeerNetworkParts["anew"] {
  const options = { root, profile: profile.canonicalJson, archival, clock, log, onFatal };
  const parts = { root, engine, reader, log: componentLog(log, "import") };
  return {
    stage: () => createStagedImport(options, verifiers),
    commit: async (staged) => {
      const keepsOld = archival && (await hasBlocks(reader));
      await serving.whileClosed(() => swapStore(staged, { ...parts, keepsOld }));
    },
    ownProof: (signal) => askOwnProof(serving, signal),
  };
}

async function hasBlocks(reader: Pick<StartPeersParts["reader"], "ask">): Promise<boolean> {
  const { sink, genesis } = await askFacts(reader, "tip", []);
  return sink !== genesis;
}

/** The proof that peers would get. Errors: those of `ServeHost.ask`, `sync/not-ahead` while none can be made. */
async function askOwnProof(serving: ServeHost, signal: AbortSignal): Promise<Uint8Array> {
  const { messages } = await serving.ask({ kind: "proof" }, signal);
  const [message] = messages;
  const payload = message === undefined ? undefined : readEnvelope(message).payload;
  if (payload?.$case !== "pruningPointProof") throw new SvcError("sync/not-ahead", {});
  return rawProofOf(payload.value);
}
