import { describe, expect, test } from "vitest";
import { OWN_PAGES } from "../../platform/http/accessCheck.ts";
import { FLAGS, parseFlags } from "./flags.ts";
import { helpText } from "./helpText.ts";

describe("flags", () => {
  test("nothing given means the defaults of the command", () => {
    expect(parseFlags("node", [], {})).toEqual({
      help: false,
      network: "mainnet",
      profileFile: null,
      appdir: null,
      resetDb: false,
      archival: false,
      shieldedHistory: false,
      confirmed: false,
      index: "off",
      indexDays: null,
      grpc: {},
      http: {},
      httpRules: OWN_PAGES,
      rest: { isPublic: false, tokenFile: null, geoFile: null },
      peers: expect.objectContaining({ listen: {}, connect: [], outbound: 8, maxInbound: 128 }),
      unsafeRpc: false,
      walletApi: null,
      pages: null,
      mine: null,
      blockIntervalMs: null,
      allowUnsyncedMining: false,
      proofThreads: null,
      prover: "own",
      logLevel: "info",
      masksAddresses: false,
      assumeProofs: false,
      json: false,
    });
    expect(parseFlags("local", [], {})).toMatchObject({ network: "simnet", logLevel: "warn" });
  });

  test("an index is kept when asked for, and by a local network", () => {
    const modeOf = (command: "node" | "local", ...args: string[]) =>
      parseFlags(command, args, {}).index;
    expect(modeOf("node", "--index")).toBe("on");
    expect(modeOf("node", "--rebuild-index")).toBe("rebuild");
    expect(modeOf("local")).toBe("on");
    expect(modeOf("local", "--noindex")).toBe("off");
    expect(parseFlags("node", ["--index", "--index-days=30"], {}).indexDays).toBe(30);
    for (const days of ["0", "-1", "1.5", "36501"]) {
      expect(() => parseFlags("node", [`--index-days=${days}`], {})).toThrow("node/bad-option");
    }
  });

  test("the command line wins over the environment", () => {
    const environment = { SVC_APPDIR: "/e", SVC_LOGLEVEL: "error", SVC_NOGRPC: "1" };
    const flags = parseFlags(
      "node",
      ["--devnet", "-b", "/c", "--httplisten=[::1]:8080"],
      environment,
    );
    expect(flags).toMatchObject({
      network: "devnet",
      appdir: "/c",
      logLevel: "error",
      grpc: null,
      http: { host: "::1", port: 8080 },
    });
    expect(parseFlags("node", ["--rpclisten", "0"], {}).grpc).toEqual({ port: 0 });
    for (const [text, host] of [
      ["0.0.0.0", "0.0.0.0"],
      ["::1", "::1"],
      ["[::]", "::"],
    ] as const) {
      expect(parseFlags("node", [`--rpclisten=${text}`], {}).grpc).toEqual({ host });
    }
    const proofs = parseFlags("local", ["--proof-threads=2"], { SVC_PROVER: "upstream" });
    expect(proofs).toMatchObject({ proofThreads: 2, prover: "upstream" });
  });

  test.each([
    ["--nonsense"],
    ["stray"],
    ["--devnet", "--simnet"],
    ["--profile=x.json", "--testnet"],
    ["--rpclisten=host"],
    ["--rpclisten=1.2.3.4:99999"],
    ["--loglevel=loud"],
    ["--block-interval=0"],
    ["--proof-threads=0"],
    ["--proof-threads=17"],
    ["--prover=guess"],
    ["--block-interval=1.5"],
  ])("%s is refused", (...args) => {
    expect(() => parseFlags("node", args, {})).toThrow("node/bad-option");
  });

  test("an archival node wants note history unless told otherwise", () => {
    const history = (...args: string[]) => parseFlags("node", args, {}).shieldedHistory;
    expect(history("--archival")).toBe(true);
    expect(history("--archival", "--shielded-history=off")).toBe(false);
    expect(history("--shielded-history=on")).toBe(true);
    expect(() => history("--shielded-history=perhaps")).toThrow("node/bad-option");
  });

  test("a switch in the environment is 1 or 0", () => {
    expect(parseFlags("node", [], { SVC_RESET_DB: "0" }).resetDb).toBe(false);
    expect(() => parseFlags("node", [], { SVC_RESET_DB: "yes" })).toThrow("SVC_RESET_DB");
  });

  test("options of the other command are unknown", () => {
    expect(() => parseFlags("local", ["--devnet"], {})).toThrow("node/bad-option");
    expect(() => parseFlags("verify", ["--mine=x"], {})).toThrow("node/bad-option");
    expect(() => parseFlags("node", ["--json"], {})).toThrow("node/bad-option");
  });
});

describe("help text", () => {
  test("help names every option of its command", () => {
    for (const command of ["node", "local", "verify"] as const) {
      const rows = FLAGS.filter((row) => row.commands.includes(command));
      for (const { name } of rows) expect(helpText(command)).toContain(`--${name}`);
    }
  });
});
