/**
 * The README's section about payments from a server, run as it stands there: the daemon beside a private network, then its lines in
 * their order, at other ports and in another folder.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { PATIENCE_MS } from "./networkSizes.ts";
import { untilSo } from "./nodeProcess.ts";
import { ProgramRun } from "./programRun.ts";

const SECTION = "Accept and send payments from your server";
const DAEMON = "http://127.0.0.1:8501";
const TOKEN_LINE = /^TOKEN=/;
/** Quick, so that coins mature in seconds. */
const BLOCK_MS = 100;

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** Lines of the code blocks of the section. */
function linesOf(section: string): readonly string[] {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const [, rest = ""] = readme.split(`\n## ${section}\n`);
  const [text = ""] = rest.split("\n## ");
  const blocks = text.split("```").filter((_, place) => place % 2 === 1);
  return blocks.flatMap((block) => block.split("\n").filter((line) => line !== ""));
}

/** Runs a line in a shell; resolves with what it prints. */
async function shell(line: string, variables: Readonly<Record<string, string>>): Promise<string> {
  const path = `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;
  const env = { ...process.env, ...variables, PATH: path };
  return (await promisify(execFile)("sh", ["-c", line], { env })).stdout;
}

/** The line's answer, which is JSON. */
async function answered(
  line: string | undefined,
  variables: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const answer: unknown = JSON.parse(await shell(line ?? "", variables));
  if (typeof answer !== "object" || answer === null) throw new Error(`${line}: ${answer}`);
  return { ...answer };
}

async function mineTo(node: string, address: unknown): Promise<void> {
  const response = await fetch(`${node}/local/mine`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ address }),
  });
  expect(response.status).toBe(200);
}

/** The program of the section's first line, beside a network. */
async function startBoth(command: string) {
  const network = ProgramRun.svc([
    ...["local", `--appdir=${join(folder.path, "node")}`, `--block-interval=${BLOCK_MS}`],
    ...["--httplisten=127.0.0.1:0", "--rpclisten=127.0.0.1:0"],
  ]);
  const [, http = ""] = await network.text(/^browser API +(\S+)\/v1\/tip$/m);
  const [, grpc = ""] = await network.text(/^gRPC +(\S+)$/m);
  await network.text(/^verifying keys ready/m);
  const [npx, svc, ...args] = command.split(" ");
  expect([npx, svc, args[0]]).toEqual(["npx", "svc", "walletd"]);
  const daemon = ProgramRun.svc([
    ...args,
    ...["--rpc-server", grpc, "--listen", "127.0.0.1:0"],
    ...["--wallet-dir", join(folder.path, "wallets")],
  ]);
  const [, address = ""] = await daemon.text(/^wallet API +(\S+)/m);
  return { network, daemon, http, address };
}

test("a server accepts and sends payments by the lines of the README", async () => {
  const [command = "", ...lines] = linesOf(SECTION);
  const { network, daemon, http, address } = await startBoth(command);
  const token = lines.find((line) => TOKEN_LINE.test(line)) ?? "";
  const calls = lines.filter((line) => line.startsWith("curl "));
  expect([calls.length, lines.length]).toEqual([5, 6]);
  const [create, own, events, status, send] = calls.map((line) => {
    expect(line).toContain(`${DAEMON}/`);
    return line.replace("curl ", "curl -sS --fail-with-body ").replace(DAEMON, address);
  });

  const TOKEN = (await shell(`${token}; echo "$TOKEN"`, {})).trim();
  expect(TOKEN).toMatch(/^[0-9a-f]{32}$/);
  const made = await answered(create, { TOKEN });
  expect(made).toMatchObject({
    network: "simnet",
    seed_hex: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const paid = (await answered(own, { TOKEN }))["address"];
  expect(paid).not.toBe(made["address"]);
  // The miner stands for the customer.
  await mineTo(http, paid);
  await untilSo(async () => {
    const feed = JSON.stringify(await answered(events, { TOKEN }));
    return feed.includes('"kind":"credited"') && feed.includes('"kind":"final"');
  }, PATIENCE_MS);
  const feed = await answered(events, { TOKEN });
  expect(feed["events"]).toContainEqual(expect.objectContaining({ recipient: paid }));

  await untilSo(async () => {
    const { spend_ready: isReady, spendable_sompi: spendable } = await answered(status, { TOKEN });
    return isReady === true && BigInt(String(spendable)) > 200_000_000n;
  }, PATIENCE_MS);
  const PAYEE = String(made["address"]);
  const sent = await answered(send, { TOKEN, PAYEE });
  expect(sent).toMatchObject({ amount_sompi: "150000000", tx_count: 1 });
  expect(await answered(send, { TOKEN, PAYEE })).toEqual(sent);

  for (const program of [daemon, network]) {
    program.send("SIGTERM");
    expect((await program.ended()).status).toBe(0);
  }
});
