/**
 * Address book: network addresses of possible peers, kept across restarts (specification network 1.5).
 *
 * Each has a number of failures: a new one counts as having failed once, success clears it, and above
 * `P2P_LIMITS.p2pAddressFailures` the address is forgotten. An address that was reached long ago is dialled less and less, and
 * forgotten in the end: peers tell of it again while it is there. No host, no neighbourhood and no peer that told of them has more
 * than its part of the book; a reached address no longer counts against the peer that told of it.
 */
import { drawSample } from "../../platform/net/drawSample.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { STORAGE_LIMITS } from "../../storage/storageLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { anchored, type Clock } from "../../platform/time/clock.ts";
import type { Kv, KvChange, KvPair } from "../../storage/kv.ts";
import { META_TABLES } from "../../storage/layout.ts";
import { BoundedAddresses, type AddressEntry, type AddressLimits } from "./boundedAddresses.ts";
import {
  addressText,
  bucketOf,
  hostOf,
  ipBytes,
  isName,
  isOneHost,
  isRoutable,
  textOf,
} from "../../platform/net/netAddress.ts";
import type { NetAddress } from "../../platform/net/netAddress.ts";

/** Dependencies of the address book. */
export type AddressBookParts = {
  readonly store: Kv;
  /** At least 0 and below 1, nobody knows which. */
  readonly random: () => number;
  readonly clock: Pick<Clock, "nowMs" | "steadyMs" | "bootMs">;
};

/** What a book knows of an address. */
type Entry = AddressEntry & {
  /** Whether all can reach it; this takes longer to find out than anything else about an address. */
  readonly isPublic: boolean;
  /** When it was reached, or came in, in Unix milliseconds. */
  readonly sinceMs: bigint;
};

const BOOK_LIMITS: AddressLimits = {
  all: STORAGE_LIMITS.p2pAddresses,
  perBucket: P2P_LIMITS.p2pAddressesPerBucket,
  perHost: P2P_LIMITS.p2pAddressesPerHost,
  perGiver: P2P_LIMITS.p2pAddressesPerGiver,
};

/** Stored rows begin with it. */
const VERSION = 2;
const KEY_LENGTH = 18;
const IP_LENGTH = 16;
/** Version, failures, the host that told of it (zeros for nobody), and since when it counts: u64, 0 where nobody knows. */
const SINCE_AT = 2 + IP_LENGTH;
const VALUE_LENGTH = SINCE_AT + 8;
const KEYS_END = new Uint8Array(KEY_LENGTH + 1).fill(0xff);
/** Each failure makes an address this much less likely. */
const WEIGHT_BASE = 64;
const NEW_FAILURES = 1;

/** The address book of a node. */
export class AddressBook {
  readonly #parts: AddressBookParts;
  /** Whoever sets the machine's clock makes no address older: a month ahead would have all of them forgotten. */
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #entries: BoundedAddresses<Entry>;

  /** Reads what is stored. Throws `store/corrupt`. */
  constructor(parts: AddressBookParts) {
    this.#parts = parts;
    this.#clock = anchored(parts.clock);
    this.#entries = new BoundedAddresses(BOOK_LIMITS, parts.random);
    const table = META_TABLES.addresses;
    const limit = STORAGE_LIMITS.p2pAddresses;
    const from = new Uint8Array();
    const changes = new Map<string, KvChange>();
    for (const row of parts.store.range({ table, from, to: KEYS_END, limit })) {
      const entry = readEntry(row);
      if (entry.sinceMs > 0n) this.#entries.set(entry);
      else this.#set({ ...entry, sinceMs: this.#clock.nowMs() }, changes);
    }
    this.#commit(changes);
  }

  /** Number of addresses. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * Takes addresses in that are not known; `giver` is the address of the peer that told of them. Of a private network only
   * somebody within it may tell: others would have us knock at the doors of our neighbours. Where there are too many, those
   * that failed most often go.
   */
  add(addresses: readonly NetAddress[], giver: string | null = null): void {
    const changes = new Map<string, KvChange>();
    const host = giver === null ? null : hostOf(giver);
    const mayTell = giver === null || !isRoutable(giver);
    for (const address of addresses) {
      if (this.#entries.get(address) !== undefined || !isOfUse(address)) continue;
      const isPublic = isRoutable(address.ip);
      if (!isPublic && !mayTell) continue;
      const sinceMs = this.#clock.nowMs();
      this.#set({ address, failures: NEW_FAILURES, giver: host, isPublic, sinceMs }, changes);
    }
    this.#commit(changes);
  }

  /** There was a handshake, or there is a link: it is known, and without a failure. */
  succeeded(address: NetAddress): void {
    this.#update(address, () => 0);
  }

  /** It could not be reached, or was none of ours. */
  failed(address: NetAddress): void {
    this.#update(address, (failures) => failures + 1);
  }

  /** Forgets every address of a host. */
  forget(ip: string): void {
    const changes = new Map<string, KvChange>();
    const host = hostOf(ip);
    for (const entry of this.#entries.values()) {
      if (hostOf(entry.address.ip) === host) this.#delete(entry, changes);
    }
    this.#commit(changes);
  }

  /** All addresses, for the operator. */
  list(): NetAddress[] {
    return [...this.#entries.values()].map(({ address }) => address);
  }

  /** Some of them, each as likely as any other, for somebody who asks from an address and may be told. */
  sample(count: number, asker: string): NetAddress[] {
    if (count === 0) return [];
    const mayKnow = !isRoutable(asker);
    const all = [...this.#entries.values()]
      .filter(({ isPublic }) => isPublic || mayKnow)
      .map(({ address }) => address);
    return drawSample(all, count, this.#parts.random);
  }

  /**
   * Some to dial, without those of `skip`: likelier the fewer failures they have, the later they were reached, and the fewer
   * candidates their bucket has, so that nobody is dialled more often for having many addresses. What is too old is forgotten.
   */
  pick(count: number, skip: (address: NetAddress) => boolean): NetAddress[] {
    this.#forgetOld();
    const left: (Entry & { readonly bucket: string })[] = [];
    const inBucket = new Map<string, number>();
    for (const entry of this.#entries.values()) {
      if (skip(entry.address)) continue;
      const bucket = bucketOf(entry.address.ip);
      inBucket.set(bucket, (inBucket.get(bucket) ?? 0) + 1);
      left.push({ ...entry, bucket });
    }
    // Waiting times of which the shortest come first: the same as to draw one after the other by weight.
    const waits = left.map((entry) => {
      const { address, failures, bucket } = entry;
      const most = P2P_LIMITS.p2pAddressFailures + 1;
      const fresh = 2 ** (-this.#ageMs(entry) / P2P_LIMITS.p2pAddressHalfMs);
      const weight = (fresh * WEIGHT_BASE ** (most - failures)) / (inBucket.get(bucket) ?? 1);
      return { address, wait: -Math.log(1 - this.#parts.random()) / weight };
    });
    return waits
      .toSorted((a, b) => a.wait - b.wait)
      .slice(0, count)
      .map(({ address }) => address);
  }

  /** A clock that was set back makes nothing older. */
  #ageMs({ sinceMs }: Entry): number {
    return Math.max(0, Number(this.#clock.nowMs() - sinceMs));
  }

  #forgetOld(): void {
    const changes = new Map<string, KvChange>();
    for (const entry of this.#entries.values()) {
      if (this.#ageMs(entry) > P2P_LIMITS.p2pAddressOldMs) this.#delete(entry, changes);
    }
    this.#commit(changes);
  }

  #update(address: NetAddress, next: (failures: number) => number): void {
    const known = this.#entries.get(address);
    const failures = next(known?.failures ?? NEW_FAILURES);
    if (known === undefined ? failures > 0 || !isOfUse(address) : this.#isNoNews(known, failures))
      return;
    const changes = new Map<string, KvChange>();
    if (known !== undefined) this.#delete(known, changes);
    const giver = failures === 0 ? null : (known?.giver ?? null);
    if (failures <= P2P_LIMITS.p2pAddressFailures) {
      const isPublic = known?.isPublic ?? isRoutable(address.ip);
      const nowMs = this.#clock.nowMs();
      const sinceMs = failures === 0 ? nowMs : (known?.sinceMs ?? nowMs);
      this.#set({ address, failures, giver, isPublic, sinceMs }, changes);
    }
    this.#commit(changes);
  }

  /** The time is written anew now and then, not each time somebody says that a peer is still there. */
  #isNoNews(known: Entry, failures: number): boolean {
    const isFresh = failures > 0 || this.#ageMs(known) < P2P_LIMITS.p2pAddressTouchMs;
    return known.failures === failures && isFresh;
  }

  #set(entry: Entry, changes: Map<string, KvChange>): void {
    const gone = this.#entries.set(entry);
    changes.set(addressText(entry.address), rowOf(entry));
    for (const { address } of gone) changes.set(addressText(address), removalOf(address));
  }

  #delete(entry: Entry, changes: Map<string, KvChange>): void {
    this.#entries.delete(entry);
    changes.set(addressText(entry.address), removalOf(entry.address));
  }

  #commit(changes: ReadonlyMap<string, KvChange>): void {
    if (changes.size > 0) this.#parts.store.commit([...changes.values()]);
  }
}

function rowOf({ address, failures, giver, sinceMs }: Entry): KvChange {
  const value = new Uint8Array(VALUE_LENGTH);
  value.set([VERSION, failures]);
  // Which name told of it is known until the next start.
  if (giver !== null && !isName(giver)) value.set(ipBytes(giver), 2);
  new DataView(value.buffer).setBigUint64(SINCE_AT, sinceMs, true);
  return { table: META_TABLES.addresses, key: keyOf(address), value };
}

function isOfUse({ ip, port }: NetAddress): boolean {
  return port > 0 && isOneHost(ip);
}

function removalOf(address: NetAddress): KvChange {
  return { table: META_TABLES.addresses, key: keyOf(address), value: null };
}

/** The address in 16 bytes, and the port, greatest byte first. */
function keyOf({ ip, port }: NetAddress): Uint8Array {
  return Uint8Array.of(...ipBytes(ip), port >> 8, port & 0xff);
}

function readEntry({ key, value }: KvPair): Entry {
  const [version, failures = 0] = value;
  const isSound = key.length === KEY_LENGTH && value.length === VALUE_LENGTH && version === VERSION;
  if (!isSound || failures > P2P_LIMITS.p2pAddressFailures) {
    throw new SvcError("store/corrupt", { table: "addresses", reason: "a row" });
  }
  const ip = textOf(key.subarray(0, IP_LENGTH));
  const [high = 0, low = 0] = key.subarray(IP_LENGTH);
  const from = value.subarray(2, SINCE_AT);
  const giver = from.some((byte) => byte !== 0) ? textOf(from) : null;
  const sinceMs = new DataView(value.buffer, value.byteOffset).getBigUint64(SINCE_AT, true);
  const address = { ip, port: high * 256 + low };
  return { address, failures, giver, isPublic: isRoutable(ip), sinceMs };
}
