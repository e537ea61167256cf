import { describe, expect, it } from "vitest";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { parseReceiptFlags, receiptHelpText } from "./receiptFlags.ts";

const NODE = "--node=http://127.0.0.1:16812";

describe("options of svc receipt", () => {
  it("checks a file or a text, with a node or without", () => {
    expect(parseReceiptFlags(["check", "bob.receipt"], {})).toEqual({
      action: "check",
      receipt: "bob.receipt",
      node: null,
      challenge: null,
      bits: null,
      network: { name: "mainnet" },
      json: false,
    });
    const more = [NODE, "--challenge=order 7", "--bits=1d00ffff", "--testnet", "--json"];
    expect(parseReceiptFlags(["check", "ur:svc-receipt/aeae", ...more], {})).toMatchObject({
      receipt: "ur:svc-receipt/aeae",
      node: "http://127.0.0.1:16812",
      challenge: "order 7",
      bits: 0x1d00_ffff,
      network: { name: "testnet-10" },
      json: true,
    });
  });

  it("makes one of a note and a node", () => {
    expect(parseReceiptFlags(["make", "--note=-", NODE, "--out=bob.receipt"], {})).toEqual({
      action: "make",
      note: "-",
      node: "http://127.0.0.1:16812",
      out: "bob.receipt",
      challenge: null,
      network: { name: "mainnet" },
      json: false,
    });
  });

  it.each([
    [["mend"]],
    [["check", "--json"]],
    [["check", "file", "another"]],
    [["check", "file", "--bits=0x1"]],
    [["check", "file", "--simnet", "--testnet"]],
    [["make", "--note=file"]],
    [["make", NODE]],
    [["make", "file", NODE]],
  ])("refuses %j", (args) => {
    expect(codeOf(() => parseReceiptFlags(args, {}))).toBe("node/bad-option");
  });

  it.each([[[]], [["--help"]], [["check", "--help"]], [["check", "file", "-h"]], [["make", "-h"]]])(
    "helps for %j",
    (args) => {
      expect(parseReceiptFlags(args, {})).toBe(null);
      expect(receiptHelpText()).toMatch(/svc receipt check FILE[^]*svc receipt make/);
    },
  );
});
