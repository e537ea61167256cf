/**
 * Sets of viewing keys that are scanned together. A key is in them once, however many wallets have it: a scan gives an output to
 * the first key that reads it. Keys of other bytes read nothing in common: a scan tries external incoming keys alone, and two
 * viewing keys with the same one would be a collision of the commitment that makes it.
 */
import { createHash } from "node:crypto";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";

/** Who owns a viewing key. */
export type KeyOwner = {
  /** Full viewing key, 96 bytes. */
  readonly fvk: Uint8Array;
};

/** A set of viewing keys that does not change: a scanner is prepared for it once. */
export type KeySet<Owner extends KeyOwner> = {
  /** Names the set for as long as the program runs. */
  readonly id: number;
  /** Owners by the place of their key in the set: several wallets may have one key. */
  readonly owners: readonly (readonly Owner[])[];
  /** Their keys, one behind the other. */
  readonly keys: Uint8Array;
};

let lastId = 0;

/** Makes sets of owners, of at most `scanKeysPerSet` keys each. */
export function keySets<Owner extends KeyOwner>(
  owners: readonly Owner[],
): readonly KeySet<Owner>[] {
  const byKey = [...Map.groupBy(owners, ({ fvk }) => hashOf(fvk)).values()];
  const most = WALLETD_LIMITS.scanKeysPerSet;
  return Array.from({ length: Math.ceil(byKey.length / most) }, (_, set) =>
    keySet(byKey.slice(set * most, set * most + most)),
  );
}

function keySet<Owner extends KeyOwner>(owners: readonly (readonly Owner[])[]): KeySet<Owner> {
  lastId += 1;
  const keys = owners.flatMap(([first]) => (first === undefined ? [] : [first.fvk]));
  return { id: lastId, owners, keys: concatBytes(...keys) };
}

function hasOneOf<Owner extends KeyOwner>(
  set: KeySet<Owner>,
  hashes: ReadonlySet<string>,
): boolean {
  return set.owners.some(([first]) => first !== undefined && hashes.has(hashOf(first.fvk)));
}

/** Tells keys apart, and is none: texts cannot be erased. */
function hashOf(fvk: Uint8Array): string {
  return createHash("sha256").update(fvk).digest("base64");
}

/** The owners of a lane in sets, of which a change touches as few as can be. */
export class KeySets<Owner extends KeyOwner> {
  #sets: readonly KeySet<Owner>[] = [];

  /** The sets. One without any owner when there are none: a page has public facts, too. */
  get all(): readonly KeySet<Owner>[] {
    return this.#sets.length === 0 ? [EMPTY] : this.#sets;
  }

  /** Adds owners, to the last set as long as it has room. Sets that others have left more than half empty go into one. */
  add(added: readonly Owner[]): void {
    const hashes = new Set(added.map(({ fvk }) => hashOf(fvk)));
    const most = WALLETD_LIMITS.scanKeysPerSet;
    const last = this.#sets.at(-1);
    const isOpen = (set: KeySet<Owner>): boolean =>
      set.owners.length < (set === last ? most : most / 2) || hasOneOf(set, hashes);
    const kept = this.#sets.filter((set) => !isOpen(set));
    const owners = this.#sets.filter(isOpen).flatMap((set) => set.owners.flat());
    this.#sets = [...kept, ...keySets([...owners, ...added])];
  }

  /** Takes owners out. */
  remove(removed: ReadonlySet<Owner>): void {
    this.#sets = this.#sets.flatMap((set) => {
      if (!set.owners.some((owners) => owners.some((owner) => removed.has(owner)))) return [set];
      const left = set.owners
        .map((owners) => owners.filter((owner) => !removed.has(owner)))
        .filter((owners) => owners.length > 0);
      return left.length === 0 ? [] : [keySet(left)];
    });
  }
}

const EMPTY: KeySet<never> = { id: 0, owners: [], keys: new Uint8Array() };
