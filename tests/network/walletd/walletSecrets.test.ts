/** What the wallet daemon leaves on the disk of its operator, with a secret and without one, and what it says of it. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, afterEach, expect, test } from "vitest";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { PLAINTEXT_WARNING } from "@svc/node-server/walletd/keys/secretSource.ts";
import { WalletClient } from "@svc/shared/protocol/wallet/walletClient.ts";
import { ProgramRun } from "../testkit/programRun.ts";

const TOKEN = "5a".repeat(16);
const SEED = "0b".repeat(32);
const { signal } = new AbortController();
let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** Files of the folder, with those of its folders. */
function filesOf(path: string): readonly string[] {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
}

/** A daemon without a node takes a seed in and ends; gives what it said of its secret, and the folder's files. */
async function served(more: readonly string[]) {
  const path = join(folder.path, "wallets");
  const daemon = ProgramRun.svc([
    ...["walletd", "--network=simnet", `--wallet-dir=${path}`, "--rpc-server=127.0.0.1:1"],
    ...["--listen=127.0.0.1:0", ...more],
  ]);
  const [, baseUrl = ""] = await daemon.text(/^wallet API +(\S+)/m);
  const client = new WalletClient({ baseUrl, token: TOKEN });
  await client.import({ seed_hex: SEED, birthday: 0n }, { signal });
  daemon.send("SIGTERM");
  const { status, out, err } = await daemon.ended();
  expect(status).toBe(0);
  return { hasWarned: `${out}${err}`.includes(PLAINTEXT_WARNING), files: filesOf(path) };
}

/** Whether a file has the seed in it, as bytes or as text. */
function hasSeed(file: string): boolean {
  const bytes = readFileSync(file);
  return bytes.includes(Buffer.from(SEED, "hex")) || bytes.includes(SEED);
}

test("without a secret the daemon says that seeds are in plaintext, and its files are its owner's alone", async () => {
  const { hasWarned, files } = await served([]);
  expect(hasWarned).toBe(true);
  expect(files.some(hasSeed)).toBe(true);
  for (const file of files) expect([file, statSync(file).mode & 0o077]).toEqual([file, 0]);
});

test("with a secret it says nothing, and no file has the seed", async () => {
  const { hasWarned, files } = await served(["--wallet-secret=a secret of the tests"]);
  expect(hasWarned).toBe(false);
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter(hasSeed)).toEqual([]);
  for (const file of files) expect([file, statSync(file).mode & 0o077]).toEqual([file, 0]);
});
