import { describe, expect, it } from "vitest";
import { bucketBits, bucketPath, candidatesIn, findInBucket, prefixOf } from "./searchBucket.ts";

const HASH = `abcdef0123456789${"11".repeat(24)}`;

function entryOf(hash: string, kind: number, daaScore: bigint): Uint8Array {
  const bytes = new Uint8Array(14);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(`0x${hash.slice(0, 16)}`));
  view.setUint8(8, kind);
  view.setUint8(9, Number(daaScore >> 32n));
  view.setUint32(10, Number(daaScore & 0xffff_ffffn));
  return bytes;
}

function bucketOf(...entries: readonly Uint8Array[]): string {
  return btoa(String.fromCharCode(...entries.flatMap((bytes) => [...bytes])));
}

describe("the prefix", () => {
  it.each([
    [0, 0],
    [699, 0],
    [700, 1],
    [2_600_000, 12],
    [350 * 2 ** 20, 20],
  ])("of %d hashes has %d bits: 350 or more share it", (hashes, bits) => {
    expect(bucketBits(hashes)).toBe(bits);
    if (bits > 0) expect(hashes / 2 ** bits).toBeGreaterThanOrEqual(350);
  });

  it.each([1e15, Number.MAX_VALUE, Number.POSITIVE_INFINITY])(
    "has at most 20 bits, also of %d hashes, which no network has",
    (hashes) => {
      expect(bucketBits(hashes)).toBe(20);
    },
  );

  it.each([-1, Number.NaN])("of %d hashes has no bit", (hashes) => {
    expect(bucketBits(hashes)).toBe(0);
  });

  it.each([
    [0, "-"],
    [1, "8"],
    [4, "a"],
    [5, "a8"],
    [12, "abc"],
    [40, "abcdef0123"],
  ])("of %d bits is %s, and holds no further bit of the hash", (bits, prefix) => {
    expect(prefixOf(HASH, bits)).toBe(prefix);
    expect(bucketPath(HASH, bits)).toBe(`/search/${bits}/${prefix}`);
  });
});

describe("a bucket", () => {
  it("tells what a hash is and where", () => {
    const other = `abcdef0123456788${"11".repeat(24)}`;
    const bucket = bucketOf(entryOf(other, 5, 1n), entryOf(HASH, 4, 0x1_0000_0002n));
    expect(findInBucket(bucket, HASH)).toEqual([{ kind: "applied", daaScore: 0x1_0000_0002n }]);
    expect(findInBucket(bucket, "00".repeat(32))).toEqual([]);
  });

  it("has as many candidates as it has different hashes that begin so", () => {
    const [inside, outside] = [`abc${"1".repeat(61)}`, `abd${"1".repeat(61)}`];
    const all = [HASH, HASH, inside, outside].map((hash) => entryOf(hash, 4, 1n));
    expect(candidatesIn(bucketOf(...all), HASH, 12)).toBe(2);
    expect(candidatesIn(bucketOf(...all), HASH, 11)).toBe(3);
    expect(candidatesIn(bucketOf(...all), HASH, 0)).toBe(3);
    expect(candidatesIn("", HASH, 12)).toBe(0);
  });

  it("with half an entry or an unknown kind has none of them", () => {
    const half = entryOf(HASH, 0, 7n).slice(0, 9);
    expect(findInBucket(bucketOf(entryOf(HASH, 9, 1n), half), HASH)).toEqual([]);
    expect(findInBucket("", HASH)).toEqual([]);
  });
});
