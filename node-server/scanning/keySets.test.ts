import { describe, expect, it } from "vitest";
import { KeySets } from "./keySets.ts";
import { SCANNING_LIMITS } from "./scanningLimits.ts";

const MOST = 32;

type Owner = { readonly key: Uint8Array };

function ownersOf(count: number): Owner[] {
  return Array.from({ length: count }, (_, number) => ({
    key: Uint8Array.of(number >>> 8, number),
  }));
}

function emptySets(keysPerSet = MOST): KeySets<Owner> {
  return new KeySets({ keyOf: ({ key }) => key, keysPerSet });
}

const sizes = (sets: KeySets<Owner>): number[] => sets.all.map(({ owners }) => owners.length);

describe("sets of keys", () => {
  it("are one without keys where nobody is, and never larger than they were to be", () => {
    const sets = emptySets();
    expect(sizes(sets)).toEqual([0]);
    sets.add(ownersOf(2 * MOST + 1));
    expect(sizes(sets)).toEqual([MOST, MOST, 1]);
    for (const { owners, keys } of sets.all) {
      expect([...keys]).toEqual(owners.flat().flatMap(({ key }) => [...key]));
    }
  });

  it("are never larger than a scanner is given", () => {
    const most = SCANNING_LIMITS.keysPerSetMost;
    const sets = emptySets(10 * most);
    sets.add(ownersOf(most + 1));
    expect(sizes(sets)).toEqual([most, 1]);
    const single = emptySets(0);
    single.add(ownersOf(2));
    expect(sizes(single)).toEqual([1, 1]);
  });

  it("stay prepared but for the one that is added to, or taken from", () => {
    const sets = emptySets();
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
    const sets = emptySets();
    const owners = ownersOf(8 * MOST);
    sets.add(owners);
    const left = owners.filter((_, place) => place % MOST === 0);
    const gone = new Set(owners);
    for (const owner of left) gone.delete(owner);
    sets.remove(gone);
    expect(sizes(sets)).toEqual(left.map(() => 1));
    const added = [{ key: Uint8Array.of(0xff, 0xff) }];
    sets.add(added);
    expect(sizes(sets)).toEqual([left.length + 1]);
    expect(new Set(sets.all.flatMap((set) => set.owners.flat()))).toEqual(
      new Set([...left, ...added]),
    );
  });

  it("have each key once, whoever comes with it and goes", () => {
    const sets = emptySets();
    const owners = ownersOf(2 * MOST);
    const [first = expect.unreachable()] = owners;
    const twins = [{ key: first.key.slice() }, { key: first.key.slice() }] as const;
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

  it("of some owners are made aside", () => {
    const sets = emptySets();
    const owners = ownersOf(MOST + 1);
    sets.add(owners.slice(0, 3));
    const before = sets.all;
    expect(sets.setsOf(owners).map((set) => set.owners.length)).toEqual([MOST, 1]);
    expect(sets.all).toEqual(before);
  });
});
