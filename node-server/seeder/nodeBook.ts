/** The nodes that a seeder knows, and which of them it names to those who ask. */
import { LIMITS } from "@svc/shared/base/limits.ts";
import { BoundedAddresses, type AddressLimits } from "../p2p/addresses/boundedAddresses.ts";
import { hostOf, type NetAddress } from "../p2p/addresses/netAddress.ts";
import {
  isHopeless,
  isReliable,
  nextTryMs,
  NO_TRIES,
  noteTry,
  type TryHistory,
} from "./tryHistory.ts";

/** A node. */
export type KnownNode = {
  readonly address: NetAddress;
  readonly history: TryHistory;
  /** The host that told of it; null when nobody did, or when it was reached. */
  readonly giver: string | null;
};

/** What the book works with. */
export type NodeBookParts = {
  /** Whether an address that a node told of may be one. */
  readonly isOfUse: (address: NetAddress) => boolean;
  /** At least 0 and below 1, nobody knows which. */
  readonly random: () => number;
};

type Entry = KnownNode & { readonly failures: number };

const BOOK_LIMITS: AddressLimits = {
  all: LIMITS.seederNodes,
  perBucket: LIMITS.seederNodesPerBucket,
  perHost: LIMITS.p2pAddressesPerHost,
  perGiver: LIMITS.seederNodesPerGiver,
};

/** The nodes. */
export class NodeBook {
  readonly #parts: NodeBookParts;
  readonly #nodes: BoundedAddresses<Entry>;

  constructor(parts: NodeBookParts) {
    this.#parts = parts;
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

  /** Takes nodes in that were stored; what there is no room for is left out. */
  restore(nodes: readonly KnownNode[]): void {
    for (const node of nodes) this.#set(node);
  }

  /** Takes addresses in that are not known; those of an operator have no giver and are not looked at. */
  add(addresses: readonly NetAddress[], giver: string | null): void {
    const host = giver === null ? null : hostOf(giver);
    for (const address of addresses) {
      if (this.#nodes.get(address) !== undefined) continue;
      if (giver !== null && (address.port === 0 || !this.#parts.isOfUse(address))) continue;
      this.#set({ address, history: NO_TRIES, giver: host });
    }
  }

  /** Notes a try, at a time in Unix milliseconds. A node without hope is forgotten. */
  tried(address: NetAddress, succeeded: boolean, nowMs: number): void {
    const known = this.#nodes.get(address);
    if (known === undefined) return;
    const history = noteTry(known.history, succeeded, nowMs);
    if (isHopeless(history, nowMs)) this.#nodes.delete(known);
    else this.#set({ address, history, giver: succeeded ? null : known.giver });
  }

  /** Forgets an address that is no node's. */
  forget(address: NetAddress): void {
    const known = this.#nodes.get(address);
    if (known !== undefined) this.#nodes.delete(known);
  }

  /** Those to try now, whoever waits longest first. */
  due(nowMs: number, count: number): NetAddress[] {
    return [...this.#nodes.values()]
      .map(({ address, history }) => ({ address, dueMs: nextTryMs(history) }))
      .filter(({ dueMs }) => dueMs <= nowMs)
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

  #set(node: KnownNode): void {
    this.#nodes.set({ ...node, failures: rankOf(node.history) });
  }
}

/** The higher, the sooner a node gives way: those that answer, that once did, that nobody asked, that never did. */
function rankOf({ failuresInRow, lastSuccessMs, tries }: TryHistory): number {
  if (tries === 0) return 2;
  if (lastSuccessMs === null) return 3;
  return failuresInRow === 0 ? 0 : 1;
}
