/**
 * Sync from a snapshot at a peer's pruning point: a store is made beside the one in use, and takes its place when all of it is
 * proved (specification network 1.8 D; decision records 17, 19).
 */
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import { type BeginningFacts } from "@svc/shared/protocol/facts/beginningFacts.ts";
import { badField } from "@svc/shared/protocol/p2p/p2pFields.ts";
import type { ReaderHost } from "../../engine/read/readerHost.ts";
import type { StagedImport } from "../../engine/import/stagedImport.ts";
import type { Peer } from "../peers/peer.ts";
import { bindAnchors } from "./bindAnchors.ts";
import type { Found } from "./catchUp.ts";
import type { ForkPoint } from "./forkPoint.ts";
import { fetchHeaders } from "./fetchHeaders.ts";
import {
  fetchBinding,
  fetchLanes,
  fetchProof,
  fetchState,
  fetchTrusted,
  type PointParts,
} from "./fetchPoint.ts";
import { ProofComparison, type ProofComparisonParts } from "./proofComparison.ts";
import type { SyncMeter } from "./syncMeter.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";

/** Dependencies of a new start. */
export type SnapshotSyncParts = {
  readonly reader: Pick<ReaderHost, "ask">;
  /** A store beside the one in use; not started. */
  readonly stage: () => StagedImport;
  /** Puts it in the place of the one in use. */
  readonly commit: (staged: StagedImport) => Promise<void>;
  /** The proof of the pruning point of the chain in use, in its raw form. */
  readonly ownProof: (signal: AbortSignal) => Promise<Uint8Array>;
  /** Hash of the header of a message. */
  readonly hashOf: PointParts["hashOf"];
  readonly meter: SyncMeter;
  readonly nowMs: () => bigint;
  /** Measures how long a conversation takes. */
  readonly steadyMs: () => bigint;
  /** Other peers, and what it takes to hold their proofs against the first one. */
  readonly comparison: ProofComparisonParts;
  /** A block that the operator wants in the chain; null for none. */
  readonly checkpoint: BlockHash | null;
};

/**
 * Replaces the store by one that starts at the peer's pruning point. Resolves when that chain is ours. Rejects with what the
 * peer sent wrong, `sync/not-ahead` when its chain has no more work, and as fetching does; the store in use is as it was then.
 */
export async function syncFromSnapshot(
  parts: SnapshotSyncParts,
  { peer, forkPoint, blueScore }: Pick<Found, "peer" | "forkPoint" | "blueScore">,
  signal: AbortSignal,
): Promise<void> {
  const { reader, stage, commit, meter, hashOf, steadyMs } = parts;
  const own = await askFacts(reader, "tip", [], signal);
  const begun = await askFacts(reader, "beginning", [], signal);
  const staged = stage();
  try {
    await staged.start();
    const pointParts = { link: peer.link, staged, hashOf, meter, steadyMs, signal };
    const comparison = new ProofComparison(parts.comparison, peer);
    const filling = { ...pointParts, own, begun, forkPoint, blueScore, staged, peer, comparison };
    const work = await fillStaged(parts, filling);
    await requireWork(reader, work, signal);
    await commit(staged);
  } catch (error) {
    await staged.abandon();
    throw error;
  }
}

type Filling = Omit<PointParts, "staged"> & {
  readonly own: TipFacts;
  readonly begun: BeginningFacts;
  readonly peer: Peer;
  readonly comparison: ProofComparison;
  readonly forkPoint: ForkPoint;
  readonly blueScore: bigint;
  readonly staged: StagedImport;
};

/** Returns the blue work of the peer's sink, hexadecimal. */
async function fillStaged(parts: SnapshotSyncParts, filling: Filling): Promise<string> {
  const { link, staged, meter, own, begun, forkPoint, comparison, signal } = filling;
  const { pruningPoint: point } = await fetchProof(filling);
  const isOwn = point === own.pruningPoint && begun.doubt === null;
  if (point === own.genesis || isOwn) throw new SvcError("sync/not-ahead", {});
  if (!isKept(filling)) await comparison.contest(staged, signal);
  const ownPoint = isKept(filling) ? own.pruningPoint : null;
  const header = await fetchTrusted(filling, { point, ownPoint });
  meter.begin("headers", Math.max(0, Number(filling.blueScore - header.blueScore)));
  const headerParts = {
    link,
    insert: (raw: Uint8Array) => staged.insertHeaders(raw, parts.nowMs(), signal),
    onProgress: (count: number) => meter.add(count),
    steadyMs: parts.steadyMs,
    signal,
  };
  await fetchHeaders(headerParts, { low: point, high: forkPoint.sink });
  await staged.chain(signal);
  await staged.requireWork(signal);
  await requireCheckpoint(parts, filling);
  const work = await requireMore(parts, filling);
  meter.begin("state");
  await fetchBinding(filling);
  await fetchLanes(filling, point);
  await fetchState(filling, point, header.blueScore);
  await bindAnchors(
    { ...filling, others: parts.comparison.peers, log: parts.comparison.log },
    point,
  );
  // Peers that came meanwhile have a say as well.
  if (!isKept(filling)) await comparison.settle(staged, signal);
  await finish(filling);
  return work;
}

/**
 * Whether the chain in use stands for itself, and a new one must lead through its pruning point. Genesis is in every chain; a
 * point that a peer gave, and that the network has not gone on from, is no more than that peer's word for it.
 */
function isKept({ own, begun }: Pick<Filling, "own" | "begun">): boolean {
  return own.pruningPoint !== own.genesis && !begun.isRecent;
}

/** Errors: `sync/checkpoint-missing` where the chain does not hold the block that the operator asks for. */
async function requireCheckpoint(
  { checkpoint }: SnapshotSyncParts,
  { staged, forkPoint, signal }: Filling,
): Promise<void> {
  if (checkpoint === null) return;
  const known = await askFacts(staged, "blockStage", [checkpoint], signal);
  const relation =
    known === undefined
      ? "none"
      : await askFacts(staged, "ancestry", [checkpoint, forkPoint.sink], signal);
  if (relation === "same" || relation === "chain") return;
  throw new SvcError("sync/checkpoint-missing", { hash: checkpoint });
}

/**
 * What is begun must have more work than what it replaces, and where that is no mere genesis be much younger and show the
 * work in its proof (specification consensus 7.10): what lies above the point counts the same on both sides. Returns the
 * blue work of the peer's sink, hexadecimal.
 */
async function requireMore(
  { reader, ownProof }: SnapshotSyncParts,
  { staged, forkPoint, begun, signal }: Filling,
): Promise<string> {
  const head = await askFacts(staged, "blockFacts", [forkPoint.sink], signal);
  if (head === undefined) throw badField("blockHeaders", "they end elsewhere");
  const { blueWork, timestamp } = head;
  const own = await requireWork(reader, blueWork, signal);
  // What is doubted is the state, not the work: the same chain is begun with anew.
  if (own.sink === own.genesis || begun.doubt !== null) return blueWork;
  const isYounger = timestamp >= own.sinkTimestamp + BigInt(P2P_LIMITS.syncYoungerMs);
  if (!isYounger && !begun.isRecent) throw new SvcError("sync/not-ahead", {});
  const chain = { proof: await ownProof(signal), work: own.headersBlueWork };
  if (!(await staged.contest(chain, blueWork, signal))) throw new SvcError("sync/not-ahead", {});
  return blueWork;
}

/**
 * Looks at the own chain anew: a peer may take hours for its answers, and blocks come in meanwhile. The same work is that of
 * the chain whose headers are here, and whose bodies nobody gives any more.
 */
async function requireWork(
  reader: SnapshotSyncParts["reader"],
  work: string,
  signal: AbortSignal,
): Promise<TipFacts> {
  const own = await askFacts(reader, "tip", [], signal);
  if (BigInt(`0x${work}`) >= BigInt(`0x${own.headersBlueWork}`)) return own;
  throw new SvcError("sync/not-ahead", {});
}

/** While the state came another child of the point may have become the one that binds it. */
async function finish(filling: Filling): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await filling.staged.finish(filling.signal);
      return;
    } catch (error) {
      if (!SvcError.is(error, "import/wrong-child") || attempt > P2P_LIMITS.syncBindings)
        throw error;
      await fetchBinding(filling);
    }
  }
}
