import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { asDaaScore } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import {
  bytesOf,
  cheapCore,
  MADE_UNIX,
  openFolder,
  realCore,
  secretOf,
  TOKEN,
} from "./testkit/keysScene.ts";
import { exportBackup, restoreBackup, type RestoreParts } from "./walletBackup.ts";
import type { WalletFolder } from "./walletFolder.ts";
import { asWalletToken } from "./walletToken.ts";

const PASSPHRASE = "eight ch";
const SEED = new Uint8Array(32).fill(1);
const OTHER = asWalletToken("other");

let wallets: WalletFolder;
let parts: RestoreParts;
beforeEach(async () => {
  wallets = await openFolder(join(folderOfTest(), "wallets"), { core: cheapCore() });
  onTestFinished(() => wallets.close());
  parts = { folder: wallets, core: cheapCore(), nowUnix: () => MADE_UNIX, own: () => undefined };
  await wallets.importSeed(TOKEN, new Secret(SEED.slice()), { birthday: asDaaScore(4_711n) });
});

test("a backup has the reference's fields, and gives the wallet back", async () => {
  const passphrase = secretOf(PASSPHRASE);
  const text = await exportBackup(parts, TOKEN, passphrase);
  const { encrypted_seed_hex: blob, ...rest } = JSON.parse(text);
  expect(rest).toEqual({
    magic: "svc-wallet-backup",
    version: 1,
    network: "simnet",
    birthday: 4_711,
    created_unix: MADE_UNIX,
  });
  expect(blob).toHaveLength(2 * (16 + 24 + 32 + 16));
  expect(text).not.toContain(encodeHex(SEED));
  expect(passphrase.erased).toBe(false);
  const keys = await restoreBackup(parts, OTHER, text, passphrase);
  expect(keys.address).toEqual((await wallets.openKeys(TOKEN)).keys.address);
  expect(bytesOf(await wallets.openSeed(OTHER))).toEqual(SEED);
  expect((await wallets.facts(OTHER))?.birthday).toBe(4_711n);
});

test("a backup of the reference is restored", async () => {
  const url = new URL("../../../tests/fixtures/walletd/reference.json", import.meta.url);
  const { backup, secret, rawAddress } = JSON.parse(readFileSync(url, "utf8"));
  const real = { ...parts, core: realCore };
  const keys = await restoreBackup(real, OTHER, JSON.stringify(backup), secretOf(secret));
  expect(keys.address.raw).toBe(rawAddress);
});

test("a backup is never restored over a wallet", async () => {
  const text = await exportBackup(parts, TOKEN, secretOf(PASSPHRASE));
  await wallets.writeScan(TOKEN, Uint8Array.of(1));
  const restoring = restoreBackup(parts, TOKEN, text, secretOf(PASSPHRASE));
  expect(await rejectionCode(restoring)).toBe("wallet/exists");
  expect(await wallets.readScan(TOKEN)).toEqual(Uint8Array.of(1));
});

test("what is no backup, of another network, or under another passphrase is refused", async () => {
  const text = await exportBackup(parts, TOKEN, secretOf(PASSPHRASE));
  const backup = JSON.parse(text);
  const code = (value: unknown, passphrase = PASSPHRASE): Promise<string> => {
    const given = typeof value === "string" ? value : JSON.stringify(value);
    return rejectionCode(restoreBackup(parts, OTHER, given, secretOf(passphrase)), "restored");
  };
  expect(await code(text, "eight cH")).toBe("wallet/wrong-passphrase");
  const changed = backup.encrypted_seed_hex.replace(/..$/, (end: string) =>
    end === "00" ? "01" : "00",
  );
  expect(await code({ ...backup, encrypted_seed_hex: changed })).toBe("wallet/wrong-passphrase");
  expect(await code({ ...backup, network: "devnet" })).toBe("wallet/file-network");
  for (const bad of [
    "",
    "{",
    "[]",
    "x".repeat(WALLETD_LIMITS.backupChars + 1),
    { ...backup, magic: "other" },
    { ...backup, version: 2 },
    { ...backup, birthday: -1 },
    { ...backup, birthday: 2 ** 60 },
    { ...backup, encrypted_seed_hex: "00" },
    { ...backup, created_unix: "now" },
  ]) {
    expect(await code(bad), JSON.stringify(bad).slice(0, 80)).toBe("wallet/bad-backup");
  }
  expect(await wallets.list()).toEqual([TOKEN]);
});

test("a backup is made of a seed, under a passphrase that is long enough", async () => {
  const short = exportBackup(parts, TOKEN, secretOf("seven c"));
  expect(await rejectionCode(short)).toBe("wallet/weak-passphrase");
  // Four characters, though sixteen bytes.
  const few = exportBackup(parts, TOKEN, secretOf("🦊🦊🦊🦊"));
  expect(await rejectionCode(few)).toBe("wallet/weak-passphrase");
  const { keys } = await wallets.openKeys(TOKEN);
  await wallets.watch(OTHER, keys.fvk, { birthday: asDaaScore(0n) });
  const watching = exportBackup(parts, OTHER, secretOf(PASSPHRASE));
  expect(await rejectionCode(watching)).toBe("wallet/watch-only");
  const none = exportBackup(parts, asWalletToken("none"), secretOf(PASSPHRASE));
  expect(await rejectionCode(none)).toBe("wallet/no-wallet");
});
