/**
 * A simulated network of nodes that relay payments, for tests in simulated time: links and relay are real, pools take
 * everything.
 */
import { createHash } from "node:crypto";
import { asNullifier, asTxId, type Nullifier, type TxId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { OWN_SERVICES } from "@svc/shared/protocol/p2p/p2pServices.ts";
import { readEnvelope, type P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import type { PoolChange } from "../../mempool/poolChange.ts";
import type { PoolEntry } from "../../mempool/poolEntry.ts";
import { createLog } from "../../platform/log/log.ts";
import { prepareFlows, type Flow } from "../flows/runFlows.ts";
import { Link } from "../link/link.ts";
import type { Wire } from "../link/wire.ts";
import type { Peer } from "../peers/peer.ts";
import { TransactionRelay, type TransactionRelayParts } from "../relay/transactionRelay.ts";
import { delayedWires, type Line } from "./delayedWires.ts";
import type { SimulatedClock } from "./simulatedClock.ts";
import { introductionOf } from "./stranger.ts";

/** The id of a payment in these tests. */
export const simulatedId = (raw: Uint8Array): TxId =>
  asTxId(createHash("sha256").update(raw).digest("hex"));

/** A pool that takes everything after a simulated verification time. */
export class SimulatedPool {
  readonly #clock: SimulatedClock;
  readonly #judgeMs: number;
  readonly #entries = new Map<TxId, PoolEntry>();
  readonly #listeners = new Set<(change: PoolChange) => void>();
  readonly restored = Promise.resolve();
  /** Payments that are refused because they spend the note of another one. */
  readonly conflicts = new Map<TxId, TxId>();

  constructor(clock: SimulatedClock, judgeMs: number, stored: readonly PoolEntry[]) {
    this.#clock = clock;
    this.#judgeMs = judgeMs;
    for (const entry of stored) this.#entries.set(entry.txid, entry);
  }

  get size(): number {
    return this.#entries.size;
  }

  get(txid: TxId): PoolEntry | undefined {
    return this.#entries.get(txid);
  }

  entries(): PoolEntry[] {
    return [...this.#entries.values()];
  }

  onChange(listener: (change: PoolChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async submit(raw: Uint8Array): Promise<TxId> {
    const txid = simulatedId(raw);
    await this.#clock.sleep(this.#judgeMs, never);
    if (this.#entries.has(txid)) throw new SvcError("mempool/duplicate", { txid });
    const nullifier = noteOf(this.conflicts.get(txid) ?? txid);
    if (this.conflicts.has(txid)) throw new SvcError("mempool/nullifier-conflict", { nullifier });
    const entry = { txid, raw, addedAtDaa: 0n, nullifiers: [nullifier] } as unknown as PoolEntry;
    this.#entries.set(txid, entry);
    for (const listener of this.#listeners) listener({ type: "added", entry });
    return txid;
  }

  /** A block applied it. */
  apply(txid: TxId): void {
    if (!this.#entries.delete(txid)) return;
    for (const listener of this.#listeners) listener({ type: "removed", txid, reason: "applied" });
  }
}

/** Each payment spends one note, which is its own. */
const noteOf = (txid: TxId): Nullifier => asNullifier(txid);

const never = new AbortController().signal;

/** Settings of a simulated node. */
export type RelayNodeOptions = {
  readonly clock: SimulatedClock;
  readonly random: () => number;
  /** Milliseconds that judging a payment takes. */
  readonly judgeMs: number;
  /** What it announces. */
  readonly services?: bigint;
  readonly isLooking?: () => boolean;
  /** What its pool holds from before. */
  readonly stored?: readonly PoolEntry[];
};

/** A simulated node: its pool, its peers, and the relay between them. */
export class RelayNode {
  readonly name: string;
  readonly pool: SimulatedPool;
  readonly relay: TransactionRelay;
  readonly peers: Peer[] = [];
  readonly #options: RelayNodeOptions;
  /** Hears what peers send, with their names. */
  onHeard: ((from: string, payload: P2pPayload) => void) | null = null;

  constructor(name: string, options: RelayNodeOptions) {
    this.name = name;
    this.#options = options;
    const { clock, random, judgeMs, isLooking = () => false, stored = [] } = options;
    this.pool = new SimulatedPool(clock, judgeMs, stored);
    const parts: TransactionRelayParts = {
      pool: this.pool,
      peers: () => this.peers,
      isSynced: () => true,
      isLooking,
      identify: simulatedId,
      random,
      clock,
      log: createLog("silent"),
    };
    this.relay = new TransactionRelay(parts);
    this.relay.start();
  }

  get services(): bigint {
    return this.#options.services ?? OWN_SERVICES;
  }

  /** Takes one end of a line; the flows of the relay run over it. */
  take(wire: Wire, other: { readonly name: string; readonly services: bigint }): void {
    const { clock } = this.#options;
    const { relay } = this;
    const link = new Link({ wire: this.#tapped(wire, other.name), clock, onUnknown: () => {} });
    const peer = peerOf(link, other, clock);
    this.peers.push(peer);
    const leave = (): void => void this.peers.splice(this.peers.indexOf(peer), 1);
    void link.ended.then(leave);
    const flows: Flow[] = [relay.serve, relay.follow, relay.followStem];
    const run = prepareFlows(peer, flows);
    link.start();
    run();
  }

  #tapped(wire: Wire, from: string): Wire {
    const listen: Wire["listen"] = (listener) =>
      wire.listen({
        ...listener,
        onMessage: (bytes) => {
          const { payload } = this.onHeard === null ? {} : readEnvelope(bytes);
          if (payload !== undefined) this.onHeard?.(from, payload);
          listener.onMessage(bytes);
        },
      });
    return {
      remote: wire.remote,
      isOutbound: wire.isOutbound,
      unsentBytes: 0,
      listen,
      send: (bytes) => wire.send(bytes),
      pause: () => wire.pause(),
      resume: () => wire.resume(),
      close: () => wire.close(),
    };
  }
}

function peerOf(
  link: Link,
  { name, services }: { readonly name: string; readonly services: bigint },
  clock: SimulatedClock,
): Peer {
  return {
    key: name,
    link,
    introduction: { ...introductionOf(1), services, protocolVersion: 10, timestamp: 0n },
    connectedMs: clock.nowMs(),
    timeOffsetMs: 0n,
    record: { blocksRelayed: 0, lastPingMs: null },
  };
}

/** Lets one node dial another. */
export function dial(from: RelayNode, to: RelayNode, line: Line): void {
  const [dialer, listener] = delayedWires(line, from.name, to.name);
  to.take(listener, from);
  from.take(dialer, to);
}

/** Dials a node as a peer that sends only what the test sends. Returns its end, started. */
export function dialAsStranger(
  to: RelayNode,
  stranger: { readonly name: string; readonly services: bigint },
  line: Line,
): Link {
  const [dialer, listener] = delayedWires(line, stranger.name, to.name);
  const link = new Link({ wire: dialer, clock: line.clock, onUnknown: () => {} });
  to.take(listener, stranger);
  return link;
}

/**
 * A peer that a node dials, and that sends only what the test sends. Returns its end; its routes are made before it is started.
 */
export function dialledStranger(
  from: RelayNode,
  stranger: { readonly name: string; readonly services: bigint },
  line: Line,
): Link {
  const [dialer, listener] = delayedWires(line, from.name, stranger.name);
  const link = new Link({ wire: listener, clock: line.clock, onUnknown: () => {} });
  from.take(dialer, stranger);
  return link;
}
