import { describe, expect, test } from "vitest";
import { connectSources, nodeToUse, readNodeAddress, readNodeOrigins } from "./nodeOrigins.ts";

const OWN = "http://127.0.0.1:19850";
const own = readNodeOrigins(undefined);
const two = readNodeOrigins("self, https://node.example https://other.example:8443");
const any = readNodeOrigins("any");

describe("the nodes of a build", () => {
  test("are the origin that serves the pages unless the build names others", () => {
    expect(own).toEqual({ kind: "listed", origins: ["self"] });
    expect(readNodeOrigins(" ")).toEqual(own);
    expect(connectSources(own)).toBe("'self'");
  });

  test("become the sources of the policy, live connections included", () => {
    expect(connectSources(two)).toBe(
      "'self' https://node.example wss://node.example https://other.example:8443 wss://other.example:8443",
    );
    expect(connectSources(any)).toBe("'self' https: wss: http://127.0.0.1:* ws://127.0.0.1:*");
  });

  test.each([
    "https://node.example/path",
    "http://node.example",
    "node.example",
    "https://*.example",
    "'unsafe-inline'",
    "https://user@node.example",
    "any https://node.example",
  ])("%s stops the build", (text) => {
    expect(() => readNodeOrigins(text)).toThrow(/is not the origin of a node/);
  });
});

test("a build of more nodes than a wallet knows is stopped", () => {
  const many = Array.from({ length: 17 }, (_, index) => `https://n${index}.example`);
  expect(() => readNodeOrigins(many.join(" "))).toThrow(/16 nodes at most/);
  expect(readNodeOrigins(many.slice(1).join(" "))).toMatchObject({ kind: "listed" });
});

describe("the node that somebody names", () => {
  test("is used when the build lists it, and refused otherwise", () => {
    const usable = { kind: "usable", url: "https://node.example" };
    expect(readNodeAddress(" https://node.example/ ", two, OWN)).toEqual(usable);
    expect(readNodeAddress(OWN, two, OWN)).toEqual({ kind: "usable", url: OWN });
    expect(readNodeAddress("https://evil.example", two, OWN)).toEqual({ kind: "not-listed" });
    expect(readNodeAddress("https://node.example:444", two, OWN)).toEqual({ kind: "not-listed" });
    expect(readNodeAddress("https://node.example", own, OWN)).toEqual({ kind: "not-listed" });
    expect(readNodeAddress("node.example", two, OWN)).toEqual({ kind: "malformed" });
    expect(readNodeAddress("javascript:alert(1)", any, OWN)).toEqual({ kind: "malformed" });
  });

  test("may be any in the variant for any node, but never unencrypted over the network", () => {
    expect(readNodeAddress("https://evil.example", any, OWN).kind).toBe("usable");
    expect(readNodeAddress("http://127.0.0.1:7000", any, OWN).kind).toBe("usable");
    expect(readNodeAddress("http://node.example", any, OWN)).toEqual({ kind: "insecure" });
  });

  test("is remembered only as far as this build allows it", () => {
    expect(nodeToUse(null, own, OWN)).toBe(OWN);
    expect(nodeToUse("https://other.example:8443", two, OWN)).toBe("https://other.example:8443");
    expect(nodeToUse("https://evil.example", two, OWN)).toBe(OWN);
    expect(nodeToUse(null, readNodeOrigins("https://node.example"), OWN)).toBe(
      "https://node.example",
    );
    expect(nodeToUse(null, any, OWN)).toBe(OWN);
  });
});
