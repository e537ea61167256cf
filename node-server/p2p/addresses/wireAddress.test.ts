/** Addresses of peers in messages. */
import { describe, expect, it } from "vitest";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { addressFromWire, addressToWire } from "./wireAddress.ts";

describe("addresses of peers", () => {
  it("survive the wire", () => {
    for (const ip of ["1.2.3.4", "255.255.255.255", "::1", "2001:db8::1"]) {
      expect(addressFromWire(addressToWire({ ip, port: 7 }))).toEqual({ ip, port: 7 });
    }
    expect(addressToWire({ ip: "1.2.3.4", port: 7 }).ip).toEqual(Uint8Array.of(1, 2, 3, 4));
  });

  it("are refused when they are none", () => {
    for (const address of [
      { timestamp: 0n, ip: new Uint8Array(5), port: 1 },
      { timestamp: 0n, ip: new Uint8Array(), port: 1 },
      { timestamp: 0n, ip: new Uint8Array(4), port: 65_536 },
    ]) {
      expect(codeOf(() => addressFromWire(address))).toBe("p2p/bad-message");
    }
  });
});
