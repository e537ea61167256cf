/** One attempt at initial block download from one peer, from the first question to the last body (specification network 1.8). */
import { isOfClass } from "@svc/shared/base/codeClasses.ts";
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import type { P2pBlockHeader } from "@svc/shared/protocol/p2p/generated/p2pValues.ts";
import { badField } from "@svc/shared/protocol/p2p/p2pFields.ts";
import type { InsertOutcome } from "../../engine/calls/engineFacts.ts";
import type { EngineHost } from "../../engine/host/engineHost.ts";
import type { ReaderHost } from "../../engine/read/readerHost.ts";
import type { Peer } from "../peers/peer.ts";
import { claimedWork } from "../head/claimedWork.ts";
import { askBlock } from "../relay/askBlock.ts";
import { chooseSync, isWellAhead, type SyncFacts } from "./chooseSync.ts";
import { findForkPoint, type ForkPoint } from "./forkPoint.ts";
import { fetchBodies, type BodySource } from "./fetchBodies.ts";
import { fetchAntipast, fetchHeaders } from "./fetchHeaders.ts";
import { hashesIn } from "./hashList.ts";
import type { SyncMeter } from "./syncMeter.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";

/** Depths and times of the network that sync looks at. */
export type SyncDepths = {
  /** Blue score that lies above the pruning point at least. */
  readonly pruning: bigint;
  /** Blue score above a refused block from which on nobody goes back on it. */
  readonly doubt: bigint;
  /** Milliseconds that a finality depth of blocks takes. */
  readonly finalityMs: bigint;
  /** Unix milliseconds. */
  readonly genesisMs: bigint;
};

/** Dependencies of catching up. */
export type CatchUpParts = {
  readonly reader: Pick<ReaderHost, "ask">;
  readonly engine: Pick<EngineHost, "insertHeaders" | "setGroupCommit">;
  /** Hands in a body that was asked for: no rate holds it up. */
  readonly insert: (raw: Uint8Array) => Promise<InsertOutcome>;
  /** Other peers that may have bodies. */
  readonly others: () => readonly Peer[];
  /** Starts anew from the peer's pruning point; resolves when that chain is ours. */
  readonly syncFromSnapshot: (found: Found) => Promise<void>;
  readonly depths: SyncDepths;
  /** Hash of the header of a message. */
  readonly hashOf: (header: P2pBlockHeader) => BlockHash;
  readonly meter: SyncMeter;
  readonly nowMs: () => bigint;
  /** Measures how long a conversation takes. */
  readonly steadyMs: () => bigint;
};

/** The peer to catch up with, and the block that it announced. */
export type Goal = { readonly peer: Peer; readonly hash: BlockHash };

/** A peer's chain, where it meets this node's, and the blue score that it claims. */
export type Found = Goal & { readonly forkPoint: ForkPoint; readonly blueScore: bigint };

/**
 * Catches up with a peer's chain. Rejects with what went wrong: `chooseSync`'s errors, those of the parts, and why the link
 * ended.
 */
export async function catchUp(
  parts: CatchUpParts,
  { peer, hash }: Goal,
  signal: AbortSignal,
): Promise<void> {
  const { reader, meter, steadyMs } = parts;
  const { link } = peer;
  meter.begin("negotiating");
  const { hashOf } = parts;
  const { header } = await askBlock(link, { hash, hashOf, waitMs: P2P_LIMITS.syncStallMs, signal });
  const forkPoint = await findForkPoint({ link, reader, steadyMs, signal });
  const choice = chooseSync(await gatherFacts(parts, forkPoint, header, signal));
  const found = { peer, hash, forkPoint, blueScore: header.blueScore };
  if (choice === "point") await parts.syncFromSnapshot(found);
  await takeHeaders(parts, found, signal);
  await takeBodies(parts, found, signal);
}

async function gatherFacts(
  parts: CatchUpParts,
  { known, point }: ForkPoint,
  header: P2pBlockHeader,
  signal: AbortSignal,
): Promise<SyncFacts> {
  const { reader, depths } = parts;
  const tip = await askFacts(reader, "tip", [], signal);
  const own = await reader.ask("pruningPoints", [P2P_LIMITS.syncOwnPoints], signal);
  const stage = await askFacts(reader, "blockStage", [point], signal);
  const hasBody = stage !== undefined && stage !== "headerOnly" && stage !== "pruned";
  const relation =
    known === null ? "none" : await askFacts(reader, "ancestry", [tip.pruningPoint, known], signal);
  const claim = { blueScore: header.blueScore, blueWork: claimedWork(header) };
  const bounds = { isKnown: known !== null, pruningDepth: depths.pruning };
  const begun = await askFacts(reader, "beginning", [], signal);
  return {
    known,
    isOwnPointBelow: relation === "same" || relation === "chain",
    isPeerPointKept: hasBody || hashesIn(own).includes(point),
    isSettled: await isSettled(parts, tip, signal),
    isWellAhead: isWellAhead(claim, tip, bounds),
    isOutworkedBeginning: begun.isRecent && claim.blueWork > BigInt(`0x${tip.headersBlueWork}`),
    isDoubted: begun.doubt !== null && begun.doubt.above >= depths.doubt,
  };
}

/** Its chain is older than a finality depth, and its finality point is not much older than that. */
async function isSettled(
  { reader, depths, nowMs }: CatchUpParts,
  tip: TipFacts,
  signal: AbortSignal,
): Promise<boolean> {
  const { finalityMs, genesisMs } = depths;
  if (tip.sinkTimestamp - genesisMs <= finalityMs) return false;
  const final = await askFacts(reader, "chainHashAt", [tip.finalIndex], signal);
  const facts =
    final === undefined ? undefined : await askFacts(reader, "blockFacts", [final], signal);
  if (facts === undefined) return false;
  return nowMs() - facts.timestamp < finalityMs + finalityMs / 2n;
}

async function takeHeaders(
  parts: CatchUpParts,
  { peer: { link }, hash, forkPoint, blueScore }: Found,
  signal: AbortSignal,
): Promise<void> {
  const { reader, engine, meter, nowMs, steadyMs } = parts;
  const headerParts = {
    link,
    insert: (raw: Uint8Array) => engine.insertHeaders(raw, nowMs(), signal),
    onProgress: (count: number) => meter.add(count),
    steadyMs,
    signal,
  };
  const { sink } = forkPoint;
  const tip = await askFacts(reader, "tip", [], signal);
  meter.begin("headers", Math.max(0, Number(blueScore - tip.headersBlueScore)));
  // After a new beginning the pruning point is what both have in common.
  const low = forkPoint.known ?? tip.pruningPoint;
  if (!(await isKnown(parts, sink, signal))) await fetchHeaders(headerParts, { low, high: sink });
  if (!(await isKnown(parts, hash, signal))) {
    await fetchAntipast(headerParts, { block: sink, context: hash });
  }
  for (const wanted of [sink, hash]) {
    if (!(await isKnown(parts, wanted, signal)))
      throw badField("blockHeaders", "they end elsewhere");
  }
}

async function isKnown(
  { reader }: CatchUpParts,
  hash: BlockHash,
  signal: AbortSignal,
): Promise<boolean> {
  return (await askFacts(reader, "blockStage", [hash], signal)) !== undefined;
}

async function takeBodies(
  parts: CatchUpParts,
  { peer, hash, forkPoint }: Found,
  signal: AbortSignal,
): Promise<void> {
  const { reader, engine, meter } = parts;
  const tip = await askFacts(reader, "tip", [], signal);
  meter.begin("bodies", Number(tip.headersBlueScore - tip.sinkBlueScore));
  const finder = new SourceFinder(parts, { peer, known: forkPoint.sink }, signal);
  const bodyParts = {
    reader,
    sources: () => finder.sources(),
    insert: parts.insert,
    onProgress: (count: number) => meter.add(count),
    steadyMs: parts.steadyMs,
    signal,
  };
  try {
    // A few bodies beside the own chain are no reason to let a new block wait for a batch.
    engine.setGroupCommit(meter.lacksBodies);
    await fetchBodies(bodyParts, forkPoint.sink);
    finder.raise(hash);
    await fetchBodies(bodyParts, hash);
  } finally {
    engine.setGroupCommit(false);
  }
}

/** Finds out how much of the chain other peers have, once each, while bodies are fetched from those that are known. */
class SourceFinder {
  readonly #parts: CatchUpParts;
  readonly #signal: AbortSignal;
  readonly #sources: BodySource[];
  readonly #asked: Set<Peer>;

  constructor(parts: CatchUpParts, first: BodySource, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
    this.#sources = [first];
    this.#asked = new Set([first.peer]);
  }

  /** Those found so far; looks for more. */
  sources(): readonly BodySource[] {
    for (const peer of this.#parts.others()) {
      if (this.#asked.size >= P2P_LIMITS.syncSources || this.#asked.has(peer)) continue;
      this.#asked.add(peer);
      void this.#find(peer);
    }
    return this.#sources;
  }

  /** The first peer has this block too. */
  raise(known: BlockHash): void {
    const [first] = this.#sources;
    if (first !== undefined) this.#sources[0] = { ...first, known };
  }

  async #find(peer: Peer): Promise<void> {
    const { link } = peer;
    try {
      const { known } = await findForkPoint({
        link,
        reader: this.#parts.reader,
        steadyMs: this.#parts.steadyMs,
        signal: this.#signal,
      });
      if (known === null) return;
      this.#sources.push({ peer, known });
      this.#parts.meter.setPeers(this.#sources.length);
    } catch (thrown) {
      // A peer that cannot tell is asked for nothing.
      const fault = SvcError.from(thrown);
      if (!this.#signal.aborted && !isOfClass(fault, "own")) link.end(fault);
    }
  }
}
