/** Sets of viewing keys that are scanned together. */
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
  /** Owners by the place of their key in the set. */
  readonly owners: readonly Owner[];
  /** Their keys, one behind the other. */
  readonly keys: Uint8Array;
};

let lastId = 0;

/** Makes a set of at most `scanKeysPerSet` owners. */
export function keySet<Owner extends KeyOwner>(owners: readonly Owner[]): KeySet<Owner> {
  lastId += 1;
  return { id: lastId, owners, keys: concatBytes(...owners.map(({ fvk }) => fvk)) };
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
    const most = WALLETD_LIMITS.scanKeysPerSet;
    const last = this.#sets.at(-1);
    const isOpen = (set: KeySet<Owner>): boolean =>
      set.owners.length < (set === last ? most : most / 2);
    const kept = this.#sets.filter((set) => !isOpen(set));
    const owners = [...this.#sets.filter(isOpen).flatMap((set) => set.owners), ...added];
    const sets: KeySet<Owner>[] = [];
    for (let from = 0; from < owners.length; from += most) {
      sets.push(keySet(owners.slice(from, from + most)));
    }
    this.#sets = [...kept, ...sets];
  }

  /** Takes owners out. */
  remove(removed: ReadonlySet<Owner>): void {
    this.#sets = this.#sets.flatMap((set) => {
      const owners = set.owners.filter((owner) => !removed.has(owner));
      if (owners.length === set.owners.length) return [set];
      return owners.length === 0 ? [] : [keySet(owners)];
    });
  }
}

const EMPTY: KeySet<never> = { id: 0, owners: [], keys: new Uint8Array() };
