import { describe, expect, it } from "vitest";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { KeySets, type KeyOwner } from "./keySet.ts";

const MOST = WALLETD_LIMITS.scanKeysPerSet;

function ownersOf(count: number): KeyOwner[] {
  return Array.from({ length: count }, (_, number) => ({
    fvk: Uint8Array.of(number >>> 8, number),
  }));
}

const sizes = (sets: KeySets<KeyOwner>): number[] => sets.all.map(({ owners }) => owners.length);

describe("sets of keys", () => {
  it("are one without keys where nobody is, and never larger than a scanner is given", () => {
    const sets = new KeySets<KeyOwner>();
    expect(sizes(sets)).toEqual([0]);
    sets.add(ownersOf(2 * MOST + 1));
    expect(sizes(sets)).toEqual([MOST, MOST, 1]);
    for (const { owners, keys } of sets.all) {
      expect([...keys]).toEqual(owners.flatMap(({ fvk }) => [...fvk]));
    }
  });

  it("stay prepared but for the one that is added to, or taken from", () => {
    const sets = new KeySets<KeyOwner>();
    const owners = ownersOf(2 * MOST + 2);
    sets.add(owners.slice(0, -1));
    const before = sets.all;
    sets.add(owners.slice(-1));
    expect(sets.all.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(sets.all[2]?.id).not.toBe(before[2]?.id);
    const [, second, third] = sets.all;
    sets.remove(new Set(owners.slice(0, 1)));
    expect(sets.all.slice(1)).toEqual([second, third]);
    expect(sets.all[0]?.owners).toEqual(owners.slice(1, MOST));
  });

  it("that are left nearly empty become one again, and nobody is lost", () => {
    const sets = new KeySets<KeyOwner>();
    const owners = ownersOf(8 * MOST);
    sets.add(owners);
    const left = owners.filter((_, place) => place % MOST === 0);
    const gone = new Set(owners);
    for (const owner of left) gone.delete(owner);
    sets.remove(gone);
    expect(sizes(sets)).toEqual(left.map(() => 1));
    const added = ownersOf(1);
    sets.add(added);
    expect(sizes(sets)).toEqual([left.length + 1]);
    expect(new Set(sets.all.flatMap((set) => set.owners))).toEqual(new Set([...left, ...added]));
  });
});
