/**
 * Block relay: new blocks are announced to peers as soon as they are durable, and fetched from peers that announce them
 * (specification network 1.6).
 *
 * A block that lacks parents waits in the inlet while they are fetched from the same peer, generation by generation; one
 * whose past is further away than that is told to whoever catches up.
 */
import { isOfClass } from "@svc/shared/base/codeClasses.ts";
import { asBlockHash, type BlockHash } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { P2pBlock, P2pBlockHeader } from "@svc/shared/protocol/p2p/generated/p2pValues.ts";
import { rawBlockOf } from "@svc/shared/protocol/p2p/p2pBlock.ts";
import type { P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { hashBytes, type BytesMessage } from "@svc/shared/protocol/p2p/p2pFields.ts";
import type { BlockIngest } from "../../engine/ingest/blockIngest.ts";
import type { InsertOutcome } from "../../engine/calls/engineFacts.ts";
import type { ReaderHost } from "../../engine/read/readerHost.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { hostOf } from "../../platform/net/netAddress.ts";
import type { Flow } from "../flows/runFlows.ts";
import type { Peer } from "../peers/peer.ts";
import { askBlock } from "./askBlock.ts";
import { PeerInventory } from "./peerInventory.ts";
import { InFlightRequests, type Claim } from "./inFlightRequests.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";

/** Dependencies of block relay. */
export type BlockRelayParts = {
  readonly reader: Pick<ReaderHost, "ask">;
  readonly ingest: Pick<BlockIngest, "submit">;
  readonly peers: () => readonly Peer[];
  /** A peer has a block whose past is far from what is known here. */
  readonly onFar: (peer: Peer, block: BlockHash) => void;
  /** A peer was the first to bring a block. */
  readonly onDelivered?: ((peer: Peer, block: BlockHash) => void) | undefined;
  /** Hash of the header of a message. */
  readonly hashOf: (header: P2pBlockHeader) => BlockHash;
  /** Whether a header says that its block is too far away to be fetched ancestor by ancestor. */
  readonly isFar: (header: P2pBlockHeader) => boolean;
  /** Whether a header says that its block is of use to nobody any more. */
  readonly isStale: (header: P2pBlockHeader) => Promise<boolean>;
  /** Whether the chain is being caught up with: single blocks of it are of no use then. */
  readonly isCatchingUp: () => boolean;
  readonly clock: Clock;
};

/** A block that a peer is said to have. */
type Wanted = {
  readonly hash: BlockHash;
  /** How many generations above it the block was that led to it; 0 for an announced one. */
  readonly generation: number;
};

/** Block relay with all peers. */
export class BlockRelay {
  readonly #parts: BlockRelayParts;
  readonly #requests: InFlightRequests;
  readonly #known = new PeerInventory(P2P_LIMITS.p2pKnownBlocks);

  constructor(parts: BlockRelayParts) {
    this.#parts = parts;
    this.#requests = new InFlightRequests(parts.clock, P2P_LIMITS.p2pKnownBlocks);
  }

  /** Tells peers of a block that has become durable. */
  announce(hash: BlockHash): void {
    for (const peer of this.#parts.peers()) {
      if (!this.#known.has(peer, hash)) peer.link.send(invOf(hash));
    }
  }

  /** Follows what a peer announces. */
  readonly follow: Flow = (peer) => {
    const capacity = P2P_LIMITS.p2pAnnouncements;
    const announcements = peer.link.route(["invRelayBlock"], { capacity });
    return async () => {
      for (;;) {
        const { payload } = await announcements.next(null);
        const hash = hashOf(payload.value.hash);
        this.#known.note(peer, hash);
        if (!this.#parts.isCatchingUp()) await this.#fetch(peer, { hash, generation: 0 });
        else if (!(await this.#isKnown(peer, hash))) this.#parts.onFar(peer, hash);
      }
    };
  };

  /** Goes on with what a peer announced before: as if it did so now. */
  async resume(peer: Peer, hash: BlockHash): Promise<void> {
    try {
      await this.#fetch(peer, { hash, generation: 0 });
    } catch (error) {
      const fault = SvcError.from(error);
      if (!isOfClass(fault, "own")) peer.link.end(fault);
    }
  }

  /** Fetches a block, and the ancestors that turn out to be missing. */
  async #fetch(peer: Peer, first: Wanted): Promise<void> {
    const wanted = [first];
    /** Several ways lead to an ancestor; one is enough. */
    const seen = new Set([first.hash]);
    for (let next = wanted.shift(); next !== undefined; next = wanted.shift()) {
      const { hash, generation } = next;
      const isFar =
        generation > P2P_LIMITS.p2pOrphanGenerations || seen.size > P2P_LIMITS.p2pOrphanFetches;
      const claim = isFar ? null : await this.#claim(peer, hash);
      if (isFar && !(await this.#isKnown(peer, hash))) {
        this.#parts.onFar(peer, first.hash);
        return;
      }
      if (claim === null) continue;
      try {
        const outcome = await this.#take(peer, next);
        if (outcome === "far") {
          this.#parts.onFar(peer, first.hash);
          return;
        }
        if (outcome === "stale" || outcome.kind !== "missingParents") continue;
        for (const parent of outcome.parents) {
          if (seen.has(parent)) continue;
          seen.add(parent);
          wanted.push({ hash: parent, generation: generation + 1 });
        }
      } catch (error) {
        // Not tried again: it may be what stopped the engine. A block that builds on it leads back to it.
        if (!SvcError.is(error, "engine/restarted")) throw error;
        return;
      } finally {
        this.#requests.release(claim);
      }
    }
  }

  /**
   * The right to fetch a block; null when it is here. While another peer is asked it waits: that one may never answer, and
   * nobody announces a block twice.
   */
  async #claim(peer: Peer, hash: BlockHash): Promise<Claim | null> {
    for (;;) {
      if (await this.#isKnown(peer, hash)) return null;
      const claim = this.#requests.claim(hash);
      if (claim !== null) return claim;
      await this.#parts.clock.sleep(P2P_LIMITS.p2pRequestRetryMs, peer.link.signal);
    }
  }

  async #take(peer: Peer, { hash, generation }: Wanted): Promise<InsertOutcome | "far" | "stale"> {
    const { link, record } = peer;
    const { hashOf } = this.#parts;
    const value = await askBlock(link, { hash, hashOf, waitMs: P2P_LIMITS.p2pAnswerMs });
    const { header } = value;
    if (this.#parts.isFar(header)) return "far";
    // An ancestor of something new is wanted all the same.
    const isStale = (): Promise<boolean> => this.#parts.isStale(header);
    if (generation === 0 && (await this.#patiently(peer, isStale))) return "stale";
    const outcome = await this.#insert(peer, value);
    if (outcome.kind === "rejected") throw SvcError.fromJson(outcome);
    if (outcome.kind === "accepted" && outcome.new) {
      record.blocksRelayed += 1;
      this.#parts.onDelivered?.(peer, hash);
    }
    return outcome;
  }

  /** A node that is asked for more than it can judge takes its time: the peer did nothing wrong. */
  async #insert({ link }: Peer, block: P2pBlock): Promise<InsertOutcome> {
    const { ingest, clock } = this.#parts;
    const raw = rawBlockOf(block);
    for (;;) {
      try {
        return await ingest.submit(raw, { source: hostOf(link.remote.ip), signal: link.signal });
      } catch (error) {
        if (!SvcError.is(error, "queue/too-fast", "queue/full")) throw error;
        const { retryMs = P2P_LIMITS.p2pBusyMs } = error.data;
        await clock.sleep(Number(retryMs), link.signal);
      }
    }
  }

  /** Whether the body is here, or was. Throws `header/known-invalid` for a block that was refused. */
  async #isKnown(peer: Peer, hash: BlockHash): Promise<boolean> {
    const { reader } = this.#parts;
    const stage = await this.#patiently(peer, () =>
      askFacts(reader, "blockStage", [hash], peer.link.signal),
    );
    if (stage === "invalid") throw new SvcError("header/known-invalid", { hash, reason: stage });
    return stage !== undefined && stage !== "headerOnly";
  }

  /** A node whose store is opened anew takes its time too. */
  async #patiently<T>({ link: { signal } }: Peer, ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!SvcError.is(error, "engine/restarted", "queue/full")) throw error;
        await this.#parts.clock.sleep(P2P_LIMITS.p2pBusyMs, signal);
      }
    }
  }
}

function invOf(hash: BlockHash): P2pPayload {
  return { $case: "invRelayBlock", value: { hash: { bytes: decodeHex(hash) } } };
}

function hashOf(message: BytesMessage | undefined): BlockHash {
  return asBlockHash(encodeHex(hashBytes("hash", message)));
}
