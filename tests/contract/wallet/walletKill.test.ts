/**
 * A process killed at each step of its work on a wallet folder: whatever was acknowledged is there, a wallet is whole or is not
 * there, and a change of the secret that was interrupted goes on.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import {
  bytesOf,
  cheapCore,
  openFolder,
  secretOf,
  TEST_NETWORK,
  TOKEN,
} from "@svc/node-server/walletd/keys/testkit/keysScene.ts";
import type { WalletFolder } from "@svc/node-server/walletd/keys/walletFolder.ts";
import { asWalletToken } from "@svc/node-server/walletd/keys/walletToken.ts";
import { WalletStore } from "@svc/node-server/walletd/store/walletStore.ts";
import { changeFolderSecret } from "@svc/node-server/walletd/tools/changeFolderSecret.ts";
import { asDaaScore } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { paymentOf } from "./walletStoreFixtures.ts";

const keeper = fileURLToPath(new URL("walletKeeper.ts", import.meta.url));
const BIRTHDAY = { birthday: asDaaScore(0n) };
const OLD_SEED = new Uint8Array(32).fill(1);
const SCAN = new TextEncoder().encode("first");
/** The second has a wallet and a scan that were kept. */
const TOKENS = [TOKEN, asWalletToken("second")];
/** More steps than any work has. */
const MOST_STEPS = 100;

type End = { readonly killed: boolean; readonly said: string };

async function keep(...args: readonly string[]): Promise<End> {
  const child = spawn(process.execPath, [keeper, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const said = await text(child.stdout);
  const [code, signal] = await exited;
  expect([0, "SIGKILL"]).toContain(signal ?? code);
  return { killed: signal !== null, said };
}

/** Does the work in a copy of a folder for each step that it is killed before, until it ends; returns the number of steps. */
async function atEachStep(
  before: (folder: string) => Promise<void>,
  work: (folder: string, spared: string) => Promise<End>,
  after: (folder: string, end: End) => Promise<void>,
): Promise<number> {
  return inTemporaryFolder(async (root) => {
    await before(join(root, "before"));
    for (let spared = 0; spared < MOST_STEPS; spared += 1) {
      const folder = join(root, `${spared}`);
      if (existsSync(join(root, "before")))
        cpSync(join(root, "before"), folder, { recursive: true });
      const end = await work(folder, `${spared}`);
      await after(folder, end);
      expect(readdirSync(folder).filter((name) => name.endsWith(".new"))).toEqual([]);
      if (!end.killed) return spared;
    }
    throw new Error("the work has no end");
  });
}

async function fill(folder: string, secret: Secret | null): Promise<void> {
  const wallets = await openFolder(folder, { secret });
  for (const token of TOKENS) {
    await wallets.importSeed(token, new Secret(OLD_SEED.slice()), BIRTHDAY);
    await wallets.writeScan(token, SCAN);
  }
  const [, second = TOKEN] = TOKENS;
  await wallets.importSeed(second, new Secret(OLD_SEED.slice()), { ...BIRTHDAY, replace: true });
  await wallets.writeScan(second, SCAN);
  const store = await WalletStore.open(folder, wallets.rowSeal());
  store.commit((batch) => store.payments.put(batch, TOKEN, paymentOf("p")));
  await store.close();
  wallets.close();
}

const seedOf = async (wallets: WalletFolder): Promise<string> =>
  encodeHex(bytesOf(await wallets.openSeed(TOKEN)));

test("create: no wallet or the whole one, and the one whose seed was answered", async () => {
  const steps = await atEachStep(
    async () => {},
    (folder, spared) => keep(folder, "create", spared, "secret"),
    async (folder, { said }) => {
      const wallets = await openFolder(folder, { secret: secretOf("secret") });
      const isThere = (await wallets.facts(TOKEN)) !== null;
      if (said !== "") expect(await seedOf(wallets)).toBe(said);
      else if (isThere) expect(await seedOf(wallets)).toHaveLength(64);
      else await wallets.create(TOKEN, BIRTHDAY);
      expect(await wallets.list()).toEqual([TOKEN]);
      wallets.close();
    },
  );
  expect(steps).toBeGreaterThan(5);
});

test("replace: the old wallet with its scan, or the new one with the old one beside it", async () => {
  const old = encodeHex(OLD_SEED);
  const steps = await atEachStep(
    (folder) => fill(folder, secretOf("secret")),
    (folder, spared) => keep(folder, "replace", spared, "secret"),
    async (folder, { said }) => {
      const wallets = await openFolder(folder, { secret: secretOf("secret") });
      const seed = await seedOf(wallets);
      if (said !== "") expect(seed).toBe(said);
      const scan = await wallets.readScan(TOKEN);
      const aside = join(folder, `${TOKEN}.scan.bak`);
      if (scan === null) expect(existsSync(aside)).toBe(true);
      else expect([scan, seed]).toEqual([SCAN, old]);
      if (seed !== old) {
        cpSync(join(folder, `${TOKEN}.json.bak`), join(folder, `${TOKEN}.json`));
        cpSync(aside, join(folder, `${TOKEN}.scan`));
        expect(await seedOf(wallets)).toBe(old);
        expect(await wallets.readScan(TOKEN)).toEqual(SCAN);
      }
      wallets.close();
    },
  );
  expect(steps).toBeGreaterThan(10);
});

test("a scan: the last one or the one before", async () => {
  const steps = await atEachStep(
    (folder) => fill(folder, secretOf("secret")),
    (folder, spared) => keep(folder, "scan", spared, "secret"),
    async (folder, { said }) => {
      const wallets = await openFolder(folder, { secret: secretOf("secret") });
      const found = new TextDecoder().decode((await wallets.readScan(TOKEN)) ?? undefined);
      expect(said === "" ? ["first", "second"] : ["second"]).toContain(found);
      wallets.close();
    },
  );
  expect(steps).toBeGreaterThan(2);
});

test.each([
  ["from one secret to another", "old", "new"],
  ["from plaintext", "", "new"],
  ["to plaintext", "old", ""],
])("a change of the secret %s goes on", async (_, from, to) => {
  const secret = (text: string): Secret | null => (text === "" ? null : secretOf(text));
  const change = (folder: string) =>
    changeFolderSecret({
      path: folder,
      network: TEST_NETWORK.network,
      core: cheapCore(),
      from: secret(from),
      to: secret(to) ?? "plaintext",
      signal: new AbortController().signal,
    });
  const steps = await atEachStep(
    (folder) => fill(folder, secret(from)),
    (folder, spared) => keep(folder, "change", spared, from, to),
    async (folder, { said }) => {
      try {
        expect((await change(folder)).left).toEqual([]);
      } catch (error) {
        // It was done: the old secret is not the folder's any more.
        expect(SvcError.is(error, "wallet/wrong-secret", "wallet/no-secret")).toBe(true);
      }
      if (said === "") expect(existsSync(join(folder, ".sealing.json"))).toBe(true);
      const wallets = await openFolder(folder, { secret: secret(to) });
      for (const token of TOKENS) {
        expect(bytesOf(await wallets.openSeed(token))).toEqual(OLD_SEED);
        expect(await wallets.readScan(token)).toEqual(SCAN);
      }
      const [, second = TOKEN] = TOKENS;
      for (const kind of ["json", "scan"]) {
        cpSync(join(folder, `${second}.${kind}.bak`), join(folder, `${second}.${kind}`));
      }
      expect(await wallets.readScan(second)).toEqual(SCAN);
      const store = await WalletStore.open(folder, wallets.rowSeal());
      expect(store.payments.get(TOKEN, "p")).toEqual(paymentOf("p"));
      await store.close();
      wallets.close();
    },
  );
  expect(steps).toBeGreaterThan(10);
});
