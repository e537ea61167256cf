/**
 * Sets of viewing keys that are scanned together. A key is in them once, however many owners have it: a scan with full keys gives
 * an output to the first key that reads it. Full keys of other bytes read nothing in common: a scan tries external incoming keys
 * alone, and two full keys with the same one would be a collision of the commitment that makes it. Incoming keys of other bytes
 * can read the same notes, and a scan gives these to each of them.
 */
import { createHash } from "node:crypto";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { SCANNING_LIMITS } from "./scanningLimits.ts";

/** A set of viewing keys that does not change: a scanner is prepared for it once. */
export type KeySet<Owner> = {
  /** Names the set for as long as the program runs. */
  readonly id: number;
  /** Owners by the place of their key in the set: several may have one key. */
  readonly owners: readonly (readonly Owner[])[];
  /** Their keys, one behind the other. */
  readonly keys: Uint8Array;
};

/** What sets are made by. */
export type KeySetRules<Owner> = {
  /** The viewing key of an owner, of one length for all of them: 96 bytes for a full one, 64 for an incoming one. */
  readonly keyOf: (owner: Owner) => Uint8Array;
  /** Keys that a set has at most, up to `keysPerSetMost`. */
  readonly keysPerSet: number;
};

const EMPTY: KeySet<never> = { id: 0, owners: [], keys: new Uint8Array() };
let lastId = 0;

/** Owners of viewing keys in sets, of which a change touches as few as can be. */
export class KeySets<Owner> {
  readonly #keyOf: (owner: Owner) => Uint8Array;
  readonly #most: number;
  #sets: readonly KeySet<Owner>[] = [];

  constructor({ keyOf, keysPerSet }: KeySetRules<Owner>) {
    this.#keyOf = keyOf;
    this.#most = Math.max(1, Math.min(keysPerSet, SCANNING_LIMITS.keysPerSetMost));
  }

  /** The sets. One without any owner when there are none: a page has public facts, too. */
  get all(): readonly KeySet<Owner>[] {
    return this.#sets.length === 0 ? [EMPTY] : this.#sets;
  }

  /** Adds owners, to the last set as long as it has room. Sets that others have left more than half empty go into one. */
  add(added: readonly Owner[]): void {
    const hashes = new Set(added.map((owner) => this.#hashOf(owner)));
    const last = this.#sets.at(-1);
    const isOpen = (set: KeySet<Owner>): boolean =>
      set.owners.length < (set === last ? this.#most : this.#most / 2) ||
      this.#hasOneOf(set, hashes);
    const kept = this.#sets.filter((set) => !isOpen(set));
    const owners = this.#sets.filter(isOpen).flatMap((set) => set.owners.flat());
    this.#sets = [...kept, ...this.setsOf([...owners, ...added])];
  }

  /** Takes owners out. */
  remove(removed: ReadonlySet<Owner>): void {
    this.#sets = this.#sets.flatMap((set) => {
      if (!set.owners.some((owners) => owners.some((owner) => removed.has(owner)))) return [set];
      const left = set.owners
        .map((owners) => owners.filter((owner) => !removed.has(owner)))
        .filter((owners) => owners.length > 0);
      return left.length === 0 ? [] : [this.#setOf(left)];
    });
  }

  /** Sets of these owners alone, which are not kept. */
  setsOf(owners: readonly Owner[]): readonly KeySet<Owner>[] {
    const byKey = [...Map.groupBy(owners, (owner) => this.#hashOf(owner)).values()];
    return Array.from({ length: Math.ceil(byKey.length / this.#most) }, (_, set) =>
      this.#setOf(byKey.slice(set * this.#most, set * this.#most + this.#most)),
    );
  }

  #setOf(owners: readonly (readonly Owner[])[]): KeySet<Owner> {
    lastId += 1;
    const keys = owners.flatMap(([first]) => (first === undefined ? [] : [this.#keyOf(first)]));
    return { id: lastId, owners, keys: concatBytes(...keys) };
  }

  #hasOneOf(set: KeySet<Owner>, hashes: ReadonlySet<string>): boolean {
    return set.owners.some(([first]) => first !== undefined && hashes.has(this.#hashOf(first)));
  }

  /** Tells keys apart, and is none: texts cannot be erased. */
  #hashOf(owner: Owner): string {
    return createHash("sha256").update(this.#keyOf(owner)).digest("base64");
  }
}
