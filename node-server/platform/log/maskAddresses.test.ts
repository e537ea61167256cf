import { describe, expect, it } from "vitest";
import { maskAddresses } from "./maskAddresses.ts";

describe("masked addresses", () => {
  it.each([
    ['{"peer":"192.0.2.7","peers":3}', '{"peer":"192.0.x.x","peers":3}'],
    ["192.0.2.7:16111 cannot be reached", "192.0.x.x:16111 cannot be reached"],
    ['"[2001:db8:1:2::3]:5"', '"[2001:db8:x]:5"'],
    ['"peer":"2001:db8::1"', '"peer":"2001:db8:x"'],
    ['"peer":"2001:db8:1:2:3:4:5:6",', '"peer":"2001:db8:x",'],
    ['"::ffff:192.0.2.7"', '"192.0.x.x"'],
  ])("leave the network of %s", (line, masked) => {
    expect(maskAddresses(line)).toBe(masked);
  });

  it.each([
    '{"time":"2026-11-23T14:51:42.000Z","hash":"00ff00ff"}',
    '{"err":{"stack":"at a (file:///x.ts:12:5)"}}',
    '{"grpcAddress":"127.0.0.1:5","httpAddress":"http://[::1]:80","at":"0.0.0.0"}',
    '{"version":"1.2.3"}',
  ])("are no part of %s", (line) => {
    expect(maskAddresses(line)).toBe(line);
  });
});
