/** Network addresses. */
import { describe, expect, it } from "vitest";
import {
  addressText,
  bucketOf,
  hostOf,
  ipBytes,
  isOneHost,
  isLoopback,
  isName,
  isRoutable,
  parseNamedAddress,
  parseNetAddress,
  shortIpBytes,
  sourceOf,
  sourceOfPeer,
  textOf,
} from "./netAddress.ts";

describe("names of peers", () => {
  it("are read where a proxy looks them up", () => {
    const cases: readonly [string, string | undefined][] = [
      ["Host.Example", "host.example:7"],
      ["host.example:5", "host.example:5"],
      ["localhost", "localhost:7"],
      [`${"a".repeat(56)}.onion:9`, `${"a".repeat(56)}.onion:9`],
      ["1.2.3", undefined],
      ["1.2.3.4:0", undefined],
      ["host:0", undefined],
      ["host:65536", undefined],
      ["-a.b", undefined],
      ["a..b", undefined],
      ["a b", undefined],
      ["[::1]", undefined],
      [`${"a.".repeat(127)}b`, undefined],
      ["", undefined],
    ];
    for (const [text, expected] of cases) {
      const named = parseNamedAddress(text, 7);
      expect(named === undefined ? undefined : addressText(named), text).toBe(expected);
    }
  });

  it("are hosts that nobody knows the address of", () => {
    expect(["a.b", "1.2.3.4", "::1"].map(isName)).toEqual([true, false, false]);
    expect([hostOf("a.b"), bucketOf("a.b")]).toEqual(["a.b", "a.b"]);
    expect([isRoutable("a.b"), isOneHost("a.b")]).toEqual([true, false]);
  });
});

describe("addresses of peers", () => {
  it("are read in every form a person writes", () => {
    const cases: readonly [string, string | undefined][] = [
      ["1.2.3.4", "1.2.3.4:16111"],
      ["1.2.3.4:5", "1.2.3.4:5"],
      ["::1", "[::1]:16111"],
      ["[::1]", "[::1]:16111"],
      ["[2001:DB8:0:0::1]:65535", "[2001:db8::1]:65535"],
      ["::ffff:9.8.7.6", "9.8.7.6:16111"],
      ["1.2.3.4:0", undefined],
      ["1.2.3.4:65536", undefined],
      ["1.2.3.4:", undefined],
      ["127.1", undefined],
      ["fe80::1%eth0", undefined],
      ["host.example", undefined],
      ["host.example:5", undefined],
      ["[1.2.3.4", undefined],
      ["", undefined],
    ];
    for (const [text, expected] of cases) {
      const address = parseNetAddress(text, 16_111);
      expect(address === undefined ? undefined : addressText(address), text).toBe(expected);
    }
  });

  it("are this machine's alone, or not", () => {
    for (const host of ["127.0.0.1", "127.9.9.9", "::1", "localhost"]) {
      expect(isLoopback(host), host).toBe(true);
    }
    for (const host of ["0.0.0.0", "::", "10.0.0.1", "localhost.example"]) {
      expect(isLoopback(host), host).toBe(false);
    }
  });

  it("survive the store", () => {
    for (const ip of ["1.2.3.4", "255.255.255.255", "::1", "2001:db8::1"]) {
      expect(textOf(ipBytes(ip))).toBe(ip);
      expect(ipBytes(ip)).toHaveLength(16);
      expect(textOf(shortIpBytes(ip))).toBe(ip);
    }
  });

  it("are told apart by who can be reached", () => {
    for (const ip of ["8.8.8.8", "2a00:1450::1"]) expect(isRoutable(ip), ip).toBe(true);
    const local = ["10.0.0.1", "192.168.1.1", "100.64.0.1", "fd00::1", "203.0.113.5"];
    for (const ip of local) {
      expect(isRoutable(ip), ip).toBe(false);
      expect(isOneHost(ip), ip).toBe(true);
    }
    const none = ["127.0.0.1", "::1", "0.0.0.0", "::", "224.0.0.1", "ff02::1", "169.254.1.1"];
    for (const ip of [...none, "255.255.255.255"]) expect(isOneHost(ip), ip).toBe(false);
  });

  it("have neighbours", () => {
    expect(bucketOf("1.2.3.4")).toBe(bucketOf("1.2.9.9"));
    expect(bucketOf("1.2.3.4")).not.toBe(bucketOf("1.3.3.4"));
    expect(bucketOf("2001:db8:1:2::1")).toBe(bucketOf("2001:db8:9::1"));
    expect(bucketOf("2001:db8:1:2::1")).not.toBe(bucketOf("2001:db9:1:2::1"));
    expect(hostOf("2001:db8:1:2:3::1")).toBe("2001:db8:1:2::");
    expect(hostOf("::ffff:1.2.3.4")).toBe("1.2.3.4");
  });

  it("are hosts as sockets and the gRPC library write them", () => {
    const ends = [
      "192.0.2.7",
      "::ffff:192.0.2.7",
      "2001:db8:1:2:3::1",
      "fe80::1%eth0",
      undefined,
      "x",
    ];
    const hosts = ["192.0.2.7", "192.0.2.7", "2001:db8:1:2::", "fe80::", "", ""];
    expect(ends.map(sourceOf)).toEqual(hosts);
    const peers = [
      "192.0.2.7:5",
      "::ffff:192.0.2.7:5",
      "2001:db8:1:2:3::1:5",
      "[2001:db8::1]:5",
      "unknown",
    ];
    const sources = ["192.0.2.7", "192.0.2.7", "2001:db8:1:2::", "2001:db8::", ""];
    expect(peers.map(sourceOfPeer)).toEqual(sources);
  });
});
