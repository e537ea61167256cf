import { describe, expect, it } from "vitest";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { disclosureHelpText, parseDisclosureFlags } from "./disclosureFlags.ts";

const HASH = "ab".repeat(32);
const PROOF = "--proof=p.json";
const NODE = ["--rpc-server=127.0.0.1:16810", `--block=${HASH}`];

describe("options of verify-disclosure", () => {
  it("takes the payment from a file, from a node, or from both", () => {
    expect(parseDisclosureFlags([PROOF, "--transaction=t"], {})).toEqual({
      proof: "p.json",
      transaction: "t",
      daaScore: null,
      node: null,
      network: { name: "mainnet" },
      json: false,
    });
    expect(parseDisclosureFlags([PROOF, ...NODE, "--testnet", "--daa-score=7"], {})).toMatchObject({
      transaction: null,
      daaScore: 7n,
      node: { address: "127.0.0.1:16810", block: HASH },
      network: { name: "testnet-10" },
    });
  });

  it.each([
    [[]],
    [[PROOF]],
    [["--transaction=t"]],
    [[PROOF, "--transaction=t", `--block=${HASH}`]],
    [[PROOF, "--rpc-server=127.0.0.1:1"]],
    [[PROOF, "--rpc-server=127.0.0.1:1", "--block=12"]],
    [[PROOF, "--transaction=t", "--daa-score=-1"]],
    [[PROOF, "--transaction=t", "--daa-score=18446744073709551616"]],
    [[PROOF, "--transaction=t", "--testnet", "--simnet"]],
    [[PROOF, "--transaction=t", "--profile=x", "--simnet"]],
  ])("refuses %j", (args) => {
    expect(codeOf(() => parseDisclosureFlags(args, {}))).toBe("node/bad-option");
  });

  it("says what it takes and how it ends", () => {
    expect(parseDisclosureFlags(["--help"], {})).toBe(null);
    expect(disclosureHelpText()).toMatch(/--proof=FILE[^]*Exit status: 0 when/);
  });
});
