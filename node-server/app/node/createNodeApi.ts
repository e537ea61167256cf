/** Implements the servers' interface of the node over engine, mempool, templates and clock. */
import { randomBytes } from "node:crypto";
import { asTimestampMs, asTxId, type TxId } from "@svc/shared/base/brand.ts";
import { abortable, throwIfAborted } from "@svc/shared/base/abort.ts";
import { equalBytes } from "@svc/shared/base/bytes.ts";
import { sentenceOf } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { BlockIngest } from "../../engine/ingest/blockIngest.ts";
import type { EngineHost } from "../../engine/host/engineHost.ts";
import type { WorkRateLimiter, WorkSource } from "../../engine/verify/workRateLimiter.ts";
import type { ReaderHost } from "../../engine/read/readerHost.ts";
import type { VerifyPool } from "../../engine/verify/verifyPool.ts";
import type { Mempool } from "../../mempool/mempool.ts";
import { PaymentProbe, type PaymentProbeParts } from "../../mempool/paymentProbe.ts";
import type { PoolChange } from "../../mempool/poolChange.ts";
import type { TemplateService } from "../../mining/templateService.ts";
import type { PeerNetwork } from "../../p2p/peerNetwork.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { EvidenceAnswers } from "../../rpc/service/evidenceAnswers.ts";
import type { IndexApi } from "../../rpc/service/indexApi.ts";
import type { NetworkApi } from "../../rpc/service/networkApi.ts";
import type { NodeApi, NodeNotification, NodeProfile } from "../../rpc/service/nodeApi.ts";
import type { NetworkHalt } from "./networkHalt.ts";
import type { SyncState } from "./syncState.ts";
import { uuidText } from "./uuidText.ts";
import { VERSION } from "../program/version.ts";

const UUID_BYTES = 16;

/** Dependencies of the interface: the running parts of a node. */
export type NodeParts = {
  readonly core: CoreGlue;
  readonly profile: NodeProfile;
  readonly clock: Clock;
  readonly engine: EngineHost;
  readonly verifiers: VerifyPool;
  readonly reader: ReaderHost;
  readonly ingest: BlockIngest;
  readonly pool: Mempool;
  readonly work: WorkRateLimiter;
  readonly templates: TemplateService;
  readonly sync: SyncState;
  readonly halt: NetworkHalt;
  readonly archival: boolean;
  readonly allowUnsyncedMining: boolean;
  /** Who tells whether the chain is being caught up with; null for a node without peers. */
  readonly peers: Pick<PeerNetwork, "isBehind" | "hasEnoughPeers" | "id" | "open"> | null;
  readonly network: NetworkApi | null;
  readonly index: IndexApi | null;
  readonly unsafeRpc: boolean;
  /** What the operator should know now, each with its sentence. */
  readonly warnings: () => readonly SvcError[];
};

/** Makes the interface. */
export function createNodeApi(parts: NodeParts): NodeApi {
  const { core, profile, clock, engine, verifiers, reader, ingest, pool, templates } = parts;
  // Whoever asks may be anybody: of a payment on its stem only its sender knows, who is told so.
  const open = parts.peers?.open ?? pool;
  const news = poolNews(parts);
  const verify: PaymentProbeParts["verify"] = (job, source) => verifiers.verify(job, { source });
  const probe = new PaymentProbe({ engine, verify, work: parts.work, pool });
  return {
    profile,
    version: VERSION,
    nodeId: uuidText(parts.peers?.id ?? randomBytes(UUID_BYTES)),
    network: parts.network,
    index: parts.index,
    unsafeRpc: parts.unsafeRpc,
    core: {
      decodeAddress: (hrp, text) => callCore(() => core.decodeAddress(hrp, text)),
      encodeAddress: (hrp, raw) => callCore(() => core.encodeAddress(hrp, raw)),
      computeHashes: (rawBlock) => callCore(() => core.computeHashes(rawBlock)),
      transactionId: (raw) => callCore(() => core.transactionId(raw)),
      transactionSummary: (profileJson, raw, daaScore) =>
        callCore(() => core.transactionSummary(profileJson, raw, daaScore)),
      mempoolFrame: (profileJson, raw, daaScore) =>
        callCore(() => core.mempoolFrame(profileJson, raw, daaScore)),
      emissionFacts: (profileJson, daaScore) =>
        callCore(() => core.emissionFacts(profileJson, daaScore)),
    },
    evidence: new EvidenceAnswers(reader),
    status: () => ({
      isSynced: isSynced(parts),
      shouldMine: shouldMine(parts),
      mayMine: shouldMine(parts) || parts.allowUnsyncedMining,
      proverReady: verifiers.ready,
      mempoolSize: open.size,
      isArchival: parts.archival,
      nowMs: asTimestampMs(clock.nowMs()),
      warnings: parts
        .warnings()
        .map((warning) => ({ code: warning.code, message: sentenceOf(warning) })),
    }),
    ask: (question, args, signal) => reader.ask(question, args, signal),
    submitBlock: (raw, signal, source) => ingest.submit(raw, { source, signal }),
    submitTransaction: async (raw, signal, source) => {
      throwIfAborted(signal);
      return abortable(submit(parts, raw, source), signal);
    },
    probeTransaction: async (raw, signal, source) => {
      throwIfAborted(signal);
      return abortable(probe.probe(raw, source), signal);
    },
    template: (request, signal) => templates.build(request, signal),
    waiting: () => open.entries(),
    waitingTransaction: (txid) => open.get(txid),
    onEvent: (listener) => {
      const ends = [engine.onEvent(listener), open.onChange((change) => listener(news(change)))];
      return () => ends.forEach((end) => end());
    },
  };
}

/** A payment on its stem is taken once more: that it is here would else be the answer. */
async function submit(
  { core, pool, peers }: NodeParts,
  raw: Uint8Array,
  source: WorkSource | undefined,
): Promise<TxId> {
  try {
    return await pool.submit(raw, source);
  } catch (error) {
    if (!SvcError.is(error, "mempool/duplicate")) throw error;
    const txid = asTxId(callCore(() => core.transactionId(raw)));
    const held = pool.get(txid)?.raw ?? new Uint8Array();
    const isOpen = peers === null || peers.open.get(txid) !== undefined;
    if (!isOpen && equalBytes(held, raw)) return txid;
    throw error;
  }
}

function isSynced(parts: NodeParts): boolean {
  return parts.sync.isSynced && followsOthers(parts);
}

/** Also where nobody has found a block for long: the network would never go on (specification network 4.4). */
function shouldMine(parts: NodeParts): boolean {
  return (parts.sync.isSynced || parts.halt.isHalted) && followsOthers(parts);
}

function followsOthers({ peers }: NodeParts): boolean {
  return peers === null || (peers.hasEnoughPeers && !peers.isBehind);
}

/** What is told of a change of the pool: the same to all who listen. */
function poolNews(parts: NodeParts): (change: PoolChange) => NodeNotification {
  const told = new WeakMap<PoolChange, NodeNotification>();
  return (change) => {
    const news = told.get(change) ?? newsOf(parts, change);
    told.set(change, news);
    return news;
  };
}

function newsOf({ core, profile }: NodeParts, change: PoolChange): NodeNotification {
  if (change.type === "removed") return { type: "poolRemoved", txid: change.txid };
  const { txid, raw, addedAtDaa } = change.entry;
  let frame: Uint8Array | null = null;
  return {
    type: "poolAdded",
    txid,
    get frame() {
      return (frame ??= callCore(() => core.mempoolFrame(profile.canonicalJson, raw, addedAtDaa)));
    },
  };
}
