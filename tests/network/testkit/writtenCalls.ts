/** Calls of the programs as documents write them: the lines of their code blocks, run in a shell at other ports. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { ProgramRun } from "./programRun.ts";

/** Where documents say that the daemon is. */
const DAEMON = "http://127.0.0.1:8501";
/** Quick, so that coins mature in seconds. */
const BLOCK_MS = 100;

type Variables = Readonly<Record<string, string>>;

/** Lines of the code blocks of a text. */
export function linesIn(text: string): readonly string[] {
  const blocks = text.split("```").filter((_, place) => place % 2 === 1);
  return blocks.flatMap((block) => block.split("\n").filter((line) => line !== ""));
}

/** Lines of the code blocks of a section of the README. */
export function readmeLines(section: string): readonly string[] {
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
  const [, rest = ""] = readme.split(`\n## ${section}\n`);
  const [text = ""] = rest.split("\n## ");
  return linesIn(text);
}

/** A `curl` line for the daemon, or what is `written`, at this address; it fails for a refusal. */
export function atAddress(line: string, address: string, written = DAEMON): string {
  expect(line).toContain(`${written}/`);
  return line.replace(/^curl /, "curl -sS --fail-with-body ").replace(written, address);
}

/** Runs a line in a shell; resolves with what it prints. */
export async function shell(line: string, variables: Variables): Promise<string> {
  const path = `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;
  const env = { ...process.env, ...variables, PATH: path };
  return (await promisify(execFile)("sh", ["-c", line], { env })).stdout;
}

/** The answer of a line, which is a JSON object. */
export async function answered(
  line: string | undefined,
  variables: Variables,
): Promise<Record<string, unknown>> {
  const answer: unknown = JSON.parse(await shell(line ?? "", variables));
  if (typeof answer !== "object" || answer === null) throw new Error(`${line}: no JSON object`);
  return { ...answer };
}

/** A private network in a folder, with its miner, as `npm start` runs it; with further options where some are named. */
export async function startNetwork(folder: string, ...more: readonly string[]) {
  const network = ProgramRun.svc([
    ...["local", `--appdir=${join(folder, "node")}`, `--block-interval=${BLOCK_MS}`],
    ...["--httplisten=127.0.0.1:0", "--rpclisten=127.0.0.1:0"],
    ...more,
  ]);
  const [, http = ""] = await network.text(/^browser API +(\S+)\/v1\/tip$/m);
  const [, grpc = ""] = await network.text(/^gRPC +(\S+)$/m);
  await network.text(/^verifying keys ready/m);
  return { network, http, grpc };
}

/** Lets the network's miner pay this address. */
export async function mineTo(http: string, address: unknown): Promise<void> {
  const response = await fetch(`${http}/local/mine`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ address }),
  });
  expect(response.status).toBe(200);
}
