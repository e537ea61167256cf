/**
 * The demo with input that cannot work: each mistake has its own code and sentence, and exit status 1. Most cases
 * run in this process; two start the program and check its exit status.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { demoMain } from "../../demo/demoMain.ts";
import { never } from "../node/nodeFixture.ts";

const demo = fileURLToPath(new URL("../../demo/demo.ts", import.meta.url));

type Ended = { readonly status: number | null; readonly out: string; readonly err: string };

/** The demo in this process. */
async function askDemo(...args: readonly string[]): Promise<Ended> {
  const [out, err]: [string[], string[]] = [[], []];
  const outputs = {
    print: (text: string) => void out.push(text),
    say: (text: string) => void err.push(text),
    signal: never,
  };
  const status = await demoMain(args, outputs);
  return { status, out: out.join("\n"), err: err.join("\n") };
}

/** The program. */
function runDemo(...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [demo, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, out, err }));
  });
}

describe("the demo", () => {
  it.each<[string, string, readonly string[]]>([
    ["zero", "amount/zero", ["--amount", "0"]],
    ["a negative amount", "amount/negative", ["--amount", "-1"]],
    ["a negative fraction", "amount/negative", ["--amount=-0.5"]],
    ["nine decimals", "amount/too-many-decimals", ["--amount", "1.123456789"]],
    ["an exponent", "amount/malformed", ["--amount", "1e3"]],
    ["a word", "amount/malformed", ["--amount", "ten"]],
    ["more than 64 bits", "amount/too-large", ["--amount", "184467440737.09551616"]],
    ["513 characters of memo", "wallet/memo-too-long", ["--memo", "x".repeat(513)]],
    ["513 bytes of memo", "wallet/memo-too-long", ["--memo", "€".repeat(171)]],
    ["more than it owns", "wallet/insufficient-funds", ["--amount", "100000000"]],
    ["more than has matured", "wallet/funds-maturing", ["--amount", "700"]],
    ["an unknown option", "node/bad-option", ["--sum", "1"]],
    ["a missing value", "node/bad-option", ["--amount"]],
    ["an unknown prover", "node/bad-option", ["--prover", "guess"]],
    ["no threads", "node/bad-option", ["--proof-threads", "0"]],
    ["two amounts", "node/bad-option", ["--amount", "1", "--amount", "2"]],
  ])("refuses %s with %s", async (_, code, args) => {
    const { status, out, err } = await askDemo("--json", ...args);
    expect(status).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ code, error: expect.stringMatching(/\w{3}/) });
    expect(err).toContain(`[${code}]`);
  });

  it("ends with status 1, the code on its standard output and the sentence on the other", async () => {
    const { status, out, err } = await runDemo("--json", "--amount", "0");
    expect([status, JSON.parse(out)]).toEqual([
      1,
      expect.objectContaining({ code: "amount/zero" }),
    ]);
    expect(err).toContain("[amount/zero]");
  });

  it("explains itself", async () => {
    const { status, out } = await runDemo("--help");
    expect(status).toBe(0);
    expect(out).toContain("--amount");
  });
});
