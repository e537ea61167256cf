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
      expect([...keys]).toEqual(owners.flat().flatMap(({ fvk }) => [...fvk]));
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
    expect(sets.all[0]?.owners.flat()).toEqual(owners.slice(1, MOST));
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
    const added = [{ fvk: Uint8Array.of(0xff, 0xff) }];
    sets.add(added);
    expect(sizes(sets)).toEqual([left.length + 1]);
    expect(new Set(sets.all.flatMap((set) => set.owners.flat()))).toEqual(
      new Set([...left, ...added]),
    );
  });

  it("have each key once, whoever comes with it and goes", () => {
    const sets = new KeySets<KeyOwner>();
    const owners = ownersOf(2 * MOST);
    const [first = expect.unreachable()] = owners;
    const twins = [{ fvk: first.fvk.slice() }, { fvk: first.fvk.slice() }] as const;
    sets.add([...owners, twins[0]]);
    expect(sizes(sets)).toEqual([MOST, MOST]);
    sets.add([twins[1]]);
    const all = sets.all.flatMap((set) => set.owners);
    expect(all).toHaveLength(2 * MOST);
    expect(new Set(all.find((group) => group.includes(first)))).toEqual(new Set([first, ...twins]));
    sets.remove(new Set([first, twins[0]]));
    expect(sets.all.flatMap((set) => set.owners)).toHaveLength(2 * MOST);
    sets.remove(new Set([twins[1]]));
    expect(sets.all.flatMap((set) => set.owners)).toHaveLength(2 * MOST - 1);
  });
});
