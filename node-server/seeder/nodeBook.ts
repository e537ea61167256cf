/** The seeder's node book: which nodes it knows, when each is probed next, and which it names to those who ask. */
import { SEEDER_LIMITS } from "./seederLimits.ts";
import { P2P_LIMITS } from "../p2p/p2pLimits.ts";
import { BoundedAddresses, type AddressLimits } from "../p2p/addresses/boundedAddresses.ts";
import { addressText, hostOf, type NetAddress } from "../platform/net/netAddress.ts";
import {
  isHopeless,
  isReliable,
  nextTryMs,
  NO_TRIES,
  notAhead,
  noteTry,
  type ProbeHistory,
} from "./probeHistory.ts";

/** A known node. */
export type KnownNode = {
  readonly address: NetAddress;
  readonly history: ProbeHistory;
  /** The host that told of it; null when nobody did, or when it was reached. */
  readonly giver: string | null;
};

/** Dependencies of the node book. */
export type NodeBookParts = {
  /** The operator's own nodes. They are not looked at, never forgotten, and tried as often as those that answer. */
  readonly peers: readonly NetAddress[];
  /** Whether an address that a node told of may be one. */
  readonly isOfUse: (address: NetAddress) => boolean;
  /** At least 0 and below 1, nobody knows which. */
  readonly random: () => number;
};

type Entry = KnownNode & {
  readonly failures: number;
  /** Whether it is one of the operator's own. */
  readonly isPeer: boolean;
  /** Since when it is known to this run, Unix milliseconds. */
  readonly knownMs: number;
};

const BOOK_LIMITS: AddressLimits = {
  all: SEEDER_LIMITS.seederNodes,
  perBucket: SEEDER_LIMITS.seederNodesPerBucket,
  perHost: P2P_LIMITS.p2pAddressesPerHost,
  perGiver: SEEDER_LIMITS.seederNodesPerGiver,
};

/** The nodes that a seeder knows. */
export class NodeBook {
  readonly #parts: NodeBookParts;
  readonly #peers: ReadonlySet<string>;
  readonly #nodes: BoundedAddresses<Entry>;

  constructor(parts: NodeBookParts) {
    this.#parts = parts;
    this.#peers = new Set(parts.peers.map(addressText));
    this.#nodes = new BoundedAddresses(BOOK_LIMITS, parts.random);
  }

  /** Number of nodes. */
  get size(): number {
    return this.#nodes.size;
  }

  /** All of them. */
  nodes(): KnownNode[] {
    return [...this.#nodes.values()].map(({ address, history, giver }) => ({
      address,
      history,
      giver,
    }));
  }

  /** Whether nobody is known who may answer: all did not when they were last asked. */
  get isLost(): boolean {
    return ![...this.#nodes.values()].some(({ history }) => history.failuresInRow === 0);
  }

  /** Takes nodes in that were stored, at a time in Unix milliseconds; what there is no room for is left out. */
  restore(nodes: readonly KnownNode[], nowMs: number): void {
    for (const { address, history, giver } of nodes) {
      this.#set({ address, history: notAhead(history, nowMs), giver, knownMs: nowMs });
    }
  }

  /** Takes the operator's own nodes in, those that are missing. */
  addPeers(nowMs: number): void {
    this.add(this.#parts.peers, null, nowMs);
  }

  /** Takes addresses in that are not known; those without a giver are not looked at. */
  add(addresses: readonly NetAddress[], giver: string | null, nowMs: number): void {
    const host = giver === null ? null : hostOf(giver);
    for (const address of addresses) {
      if (this.#nodes.get(address) !== undefined) continue;
      if (giver !== null && (address.port === 0 || !this.#parts.isOfUse(address))) continue;
      this.#set({ address, history: NO_TRIES, giver: host, knownMs: nowMs });
    }
  }

  /** Notes a try, at a time in Unix milliseconds. A node without hope is forgotten. */
  tried(address: NetAddress, succeeded: boolean, nowMs: number): void {
    const known = this.#nodes.get(address);
    if (known === undefined) return;
    const history = noteTry(known.history, succeeded, nowMs);
    if (isHopeless(history, nowMs) && !known.isPeer) this.#nodes.delete(known);
    else this.#set({ ...known, history, giver: succeeded ? null : known.giver });
  }

  /** Forgets an address that is no node's. */
  forget(address: NetAddress): void {
    const known = this.#nodes.get(address);
    if (known !== undefined) this.#nodes.delete(known);
  }

  /**
   * Those to try now, whoever waits longest first. At most half of them never answered: whoever tells of ever new addresses
   * does not keep the nodes from being visited.
   */
  due(nowMs: number, count: number): NetAddress[] {
    const waiting = [...this.#nodes.values()]
      .map((entry) => ({ ...entry, dueMs: dueMs(entry, nowMs) }))
      .filter((entry) => entry.dueMs <= nowMs)
      .toSorted((a, b) => a.dueMs - b.dueMs);
    const strangers = waiting.filter(isStranger).slice(0, Math.ceil(count / 2));
    const others = waiting.filter((entry) => !isStranger(entry)).slice(0, count);
    return [...others, ...strangers]
      .toSorted((a, b) => a.dueMs - b.dueMs)
      .slice(0, count)
      .map(({ address }) => address);
  }

  /** Addresses of nodes that answer, at a port. */
  reliable(port: number, nowMs: number): string[] {
    return [...this.#nodes.values()]
      .filter(({ address, history }) => address.port === port && isReliable(history, nowMs))
      .map(({ address }) => address.ip);
  }

  #set(node: Omit<Entry, "failures" | "isPeer">): void {
    const isPeer = this.#peers.has(addressText(node.address));
    const giver = isPeer ? null : node.giver;
    this.#nodes.set({ ...node, isPeer, giver, failures: isPeer ? 0 : rankOf(node.history) });
  }
}

function isStranger({ isPeer, history }: Entry): boolean {
  return history.lastSuccessMs === null && !isPeer;
}

function dueMs({ isPeer, history, knownMs }: Entry, nowMs: number): number {
  const { lastTryMs } = history;
  const failuresInRow = isPeer ? 0 : history.failuresInRow;
  return nextTryMs({ lastTryMs, failuresInRow }, { knownMs, nowMs });
}

/**
 * The higher, the sooner a node gives way: behind those of the operator those that answer, that once did, that nobody asked,
 * that never did.
 */
function rankOf({ failuresInRow, lastSuccessMs, tries }: ProbeHistory): number {
  if (tries === 0) return 3;
  if (lastSuccessMs === null) return 4;
  return failuresInRow === 0 ? 1 : 2;
}
