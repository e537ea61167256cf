/** The options of `svc seeder`. */
import { describe, expect, it } from "vitest";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { parseSeederFlags, SEEDER_FLAGS, seederHelpText } from "./seederFlags.ts";

const NAMES = ["--host=Seed.Example.org.", "--nameserver", "ns.example.org"];

describe("the options of a seeder", () => {
  it("have defaults beside the names", () => {
    expect(parseSeederFlags(NAMES, {})).toEqual({
      host: "seed.example.org",
      nameserver: "ns.example.org",
      listen: { host: "0.0.0.0", port: 53 },
      peers: [],
      network: { name: "mainnet" },
      isPublic: true,
      appdir: null,
      logLevel: "info",
    });
  });

  it("are read", () => {
    const args = ["--listen=[::1]:5353", "--peer=1.2.3.4", "--peer", "[::1]:5", "--testnet"];
    expect(parseSeederFlags([...NAMES, ...args, "-b", "/data", "-d", "warn"], {})).toMatchObject({
      listen: { host: "::1", port: 5353 },
      peers: ["1.2.3.4", "[::1]:5"],
      network: { name: "testnet-10" },
      appdir: "/data",
      logLevel: "warn",
    });
    const environment = { SVC_PEER: "1.2.3.4,[::1]:5", SVC_HOST: "seed.other.org" };
    expect(parseSeederFlags(NAMES, environment)).toMatchObject({
      host: "seed.example.org",
      peers: ["1.2.3.4", "[::1]:5"],
    });
    expect(parseSeederFlags([...NAMES, "--profile=x.json", "--listen=0"], {})).toMatchObject({
      network: { file: "x.json" },
      isPublic: false,
      listen: { host: "0.0.0.0", port: 0 },
    });
  });

  it.each([
    [[]],
    [["--host=seed.example.org"]],
    [["--host=seed", "--nameserver=ns.example.org"]],
    [["--host=-a.org", "--nameserver=ns.example.org"]],
    [["--host=a b.org", "--nameserver=ns.example.org"]],
    [[`--host=${"a".repeat(64)}.org`, "--nameserver=ns.example.org"]],
    [[...NAMES, "--testnet", "--simnet"]],
    [[...NAMES, "--profile=x", "--simnet"]],
    [[...NAMES, "--listen=host:5"]],
    [[...NAMES, "--listen=65536"]],
    [[...NAMES, "--loglevel=loud"]],
    [[...NAMES, "--nonsense"]],
    [[...NAMES, "stray"]],
  ])("are refused when wrong: %j", (args) => {
    expect(codeOf(() => parseSeederFlags(args, {}))).toBe("node/bad-option");
  });

  it("are all explained", () => {
    expect(parseSeederFlags(["--help"], {})).toBeNull();
    for (const { name } of SEEDER_FLAGS) expect(seederHelpText()).toContain(`--${name}`);
  });
});
