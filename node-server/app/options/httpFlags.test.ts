import { describe, expect, it } from "vitest";
import { parseFlags } from "./flags.ts";

const rules = (...args: string[]) => parseFlags("node", args, {}).httpRules;

describe("the options about HTTP", () => {
  it("add names, origins and proxies, and none by default", () => {
    expect(rules()).toMatchObject({ hostNames: [], origins: [] });
    const given = rules(
      "--http-host=Node.Example",
      "--http-host=::2",
      "--http-origin=https://Wallet.example:8443",
      "--http-origin=tauri://localhost",
      "--trusted-proxy=10.0.0.0/8",
      "--trusted-proxy=2001:db8::1",
    );
    expect(given.hostNames).toEqual(["node.example", "[::2]"]);
    expect(given.origins).toEqual(["https://wallet.example:8443", "tauri://localhost"]);
    expect(["10.9.9.9", "2001:db8::1"].map((ip) => given.proxies.has(ip))).toEqual([true, true]);
    expect(["11.0.0.1", "2001:db8::2"].map((ip) => given.proxies.has(ip))).toEqual([false, false]);
  });

  it.each([
    "--http-host=node.example:80",
    "--http-host=a b",
    "--http-origin=wallet.example",
    "--http-origin=https://wallet.example/",
    "--http-origin=*",
    "--http-origin=null",
    "--trusted-proxy=proxy.example",
    "--trusted-proxy=10.0.0.0/33",
  ])("refuse %s", (option) => {
    expect(() => rules(option)).toThrow("node/bad-option");
  });
});
