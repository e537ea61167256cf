import { expect, it } from "vitest";
import { maskedNet } from "./maskedNet.ts";

it.each([
  ["203.0.113.77", "203.0.113.x"],
  ["2001:db8:7:1:2:3:4:5", "2001:db8:7::/48"],
  ["2001:db8::1", "2001:db8:0::/48"],
  // A 6to4 address has an IPv4 address in its first 48 bits.
  ["2002:cb00:714d::1", "203.0.113.x"],
  ["node.example.onion", "name"],
  ["", "name"],
])("%j becomes %j", (ip, net) => {
  expect(maskedNet(ip)).toBe(net);
});
