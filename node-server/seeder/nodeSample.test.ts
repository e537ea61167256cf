/** No neighbourhood has more of an answer than its part. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bucketOf, hostOf } from "../platform/net/netAddress.ts";
import { NodeSample } from "./nodeSample.ts";

const COUNT = 14;
const crowd = Array.from({ length: 200 }, (_, at) => `6.6.${at}.1`);
const others = Array.from({ length: 20 }, (_, at) => `${at + 10}.0.0.1`);

describe("an answer", () => {
  it("has each neighbourhood once while there are enough of them", () => {
    const spread = new NodeSample([...crowd, ...others]);
    const seen = new Set<string>();
    for (let round = 0; round < 200; round += 1) {
      const ips = spread.draw("IPv4", COUNT, Math.random);
      expect(new Set(ips.map(bucketOf)).size).toBe(COUNT);
      for (const ip of ips) seen.add(ip);
    }
    expect(others.every((ip) => seen.has(ip))).toBe(true);
    expect(spread.draw("IPv6", COUNT, Math.random)).toEqual([]);
  });

  it("has all neighbourhoods when there are few, and is filled by those that have more", () => {
    const spread = new NodeSample([...crowd, ...others.slice(0, 2)]);
    const ips = spread.draw("IPv4", COUNT, Math.random);
    expect(ips).toHaveLength(COUNT);
    expect(ips.slice(0, 3).map(bucketOf).toSorted()).toEqual(["10.0", "11.0", "6.6"]);
  });

  it("has one address of a host, whatever there is", () => {
    const ip = fc.oneof(
      fc.tuple(fc.nat(2), fc.nat(2)).map(([a, b]) => `1.${a}.0.${b}`),
      fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2)).map(([a, b, c]) => `2001:${a}:0:${b}::${c + 1}`),
    );
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.uniqueArray(ip), fc.nat(20), random, (ips, count, at) => {
        for (const family of ["IPv4", "IPv6"] as const) {
          const ofFamily = ips.filter((one) => one.includes(":") === (family === "IPv6"));
          const drawn = new NodeSample(ips).draw(family, count, () => at);
          expect(ofFamily).toEqual(expect.arrayContaining(drawn));
          const hosts = new Set(ofFamily.map(hostOf)).size;
          expect(new Set(drawn.map(hostOf)).size).toBe(Math.min(count, hosts));
          expect(drawn).toHaveLength(Math.min(count, hosts));
        }
      }),
    );
  });
});
