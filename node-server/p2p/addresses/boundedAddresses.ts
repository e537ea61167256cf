/**
 * A bounded set of network addresses with quotas: no host, no neighbourhood (network range) and no peer that told of them has
 * more than its share.
 *
 * Where there are too many, one of those that failed most often goes. Adding, removing and choosing take the same time
 * however many there are: a stranger's list of thousands costs no more for each than a short one.
 */
import { AddressGroup } from "./addressGroup.ts";
import { addressText, bucketOf, hostOf, type NetAddress } from "../../platform/net/netAddress.ts";

/** An address and what decides whether it is evicted. */
export type AddressEntry = {
  readonly address: NetAddress;
  /** The more, the sooner it goes. A small whole number. */
  readonly failures: number;
  /** The host that told of it; null when nobody did, or when it was reached. */
  readonly giver: string | null;
};

/** Size and quotas of the set, in addresses. */
export type AddressLimits = {
  readonly all: number;
  readonly perBucket: number;
  readonly perHost: number;
  readonly perGiver: number;
};

type CrowdName = { readonly name: string; readonly limit: number };

/** A bounded set of addresses, one entry for each. */
export class BoundedAddresses<Entry extends AddressEntry> {
  readonly #limits: AddressLimits;
  readonly #random: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #crowds = new Map<string, AddressGroup<Entry>>();
  /** The crowds of each entry. */
  readonly #belongs = new WeakMap<Entry, readonly CrowdName[]>();

  /** `random` is at least 0 and below 1, nobody knows which. */
  constructor(limits: AddressLimits, random: () => number) {
    this.#limits = limits;
    this.#random = random;
  }

  /** Number of addresses. */
  get size(): number {
    return this.#entries.size;
  }

  /** All of them, in the order of their coming. */
  values(): MapIterator<Entry> {
    return this.#entries.values();
  }

  /** What is held of an address. */
  get(address: NetAddress): Entry | undefined {
    return this.#entries.get(addressText(address));
  }

  /** Takes an entry in, in place of the one that its address had. Returns what had to go, the entry itself perhaps. */
  set(entry: Entry): Entry[] {
    const known = this.get(entry.address);
    if (known !== undefined) this.delete(known);
    this.#entries.set(addressText(entry.address), entry);
    const crowds = this.#crowdsOf(entry);
    this.#belongs.set(entry, crowds);
    for (const { name } of crowds) {
      const crowd = this.#crowds.get(name) ?? new AddressGroup();
      crowd.add(entry);
      this.#crowds.set(name, crowd);
    }
    const gone: Entry[] = [];
    for (const { name, limit } of crowds) {
      const crowd = this.#crowds.get(name);
      if (crowd === undefined || crowd.size <= limit) continue;
      const worst = crowd.worst(this.#random());
      if (worst === undefined) continue;
      this.delete(worst);
      gone.push(worst);
    }
    return gone;
  }

  /** Removes an entry that is held. */
  delete(entry: Entry): void {
    this.#entries.delete(addressText(entry.address));
    for (const { name } of this.#belongs.get(entry) ?? []) {
      const crowd = this.#crowds.get(name);
      crowd?.delete(entry);
      if (crowd?.size === 0) this.#crowds.delete(name);
    }
  }

  /** The crowds that an address belongs to, and how many addresses each may have; the smallest first. */
  #crowdsOf({ address: { ip }, giver }: AddressEntry): CrowdName[] {
    const { all, perBucket, perHost, perGiver } = this.#limits;
    const ofGiver = giver === null ? [] : [{ name: `giver ${giver}`, limit: perGiver }];
    return [
      { name: `host ${hostOf(ip)}`, limit: perHost },
      { name: `bucket ${bucketOf(ip)}`, limit: perBucket },
      ...ofGiver,
      { name: "all", limit: all },
    ];
  }
}
