/** A backup that is restored where another wallet was: real files and a real database. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { asDaaScore, asHash32, asTimestampMs } from "@svc/shared/base/brand.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import {
  cheapCore,
  MADE_UNIX,
  openFolder,
  SECRET_TEXT,
  secretOf,
  TEST_NETWORK,
  TOKEN,
} from "../keys/testkit/keysScene.ts";
import type { WalletFolderParts } from "../keys/walletFolder.ts";
import { asWalletToken } from "../keys/walletToken.ts";
import { WalletStore } from "../store/walletStore.ts";
import { settledPayment } from "../testkit/settledPayment.ts";
import { backupWallet, restoreWallet } from "./backupWallet.ts";

const OTHER = asWalletToken("another");
const HASH = "ab".repeat(32);
const passphrase = secretOf("eight characters");
let path: string;
let text: string;

const parts = (): WalletFolderParts => ({
  ...TEST_NETWORK,
  path,
  core: cheapCore(),
  secret: secretOf(SECRET_TEXT),
  nowUnix: () => MADE_UNIX,
});
const seedOf = (byte: number) => new Secret(new Uint8Array(32).fill(byte));

/** Runs with the database beside the files. */
async function withStore<T>(work: (store: WalletStore) => T): Promise<T> {
  const folder = await openFolder(path);
  const store = await WalletStore.open(path, folder.rowSeal());
  try {
    return work(store);
  } finally {
    await store.close();
    folder.close();
  }
}

/** Rows of the wallet: payments, keys for calls, jobs, scoped tokens. */
const rows = () =>
  withStore((store) => [
    [...store.payments.ofWallet(TOKEN)].length,
    store.idempotency.get({ token: TOKEN, key: "order-1" }) === undefined ? 0 : 1,
    [...store.jobs.ofWallet(TOKEN)].length,
    [...store.tokens.ofWallet(TOKEN)].length,
  ]);

/** A wallet that has paid, and a backup of one of another key. */
beforeEach(async () => {
  path = join(folderOfTest(), "wallets");
  const folder = await openFolder(path);
  await folder.importSeed(TOKEN, seedOf(1), { birthday: asDaaScore(0n) });
  await folder.importSeed(OTHER, seedOf(2), { birthday: asDaaScore(0n) });
  const { keys } = await folder.openKeys(TOKEN);
  folder.close();
  text = await backupWallet(parts(), OTHER, passphrase);
  await withStore((store) => {
    store.own(TOKEN, keys.fvk);
    store.commit((batch) => {
      const nowMs = asTimestampMs(1n);
      store.payments.put(batch, TOKEN, settledPayment(1, true));
      store.idempotency.claim(batch, { token: TOKEN, key: "order-1" }, asHash32(HASH), nowMs);
      const job = { id: "cd".repeat(16), token: TOKEN, kind: "send", request: "{}" } as const;
      const times = { createdMs: nowMs, updatedMs: nowMs };
      const place = { state: "waiting", phase: "", done: 0, total: 0 } as const;
      store.jobs.put(batch, { ...job, ...times, ...place, answer: null, error: null });
      const limits = { daySompi: null, payees: null, approvalAboveSompi: null };
      const open = { expiresMs: null, revokedMs: null, usedMs: null };
      const row = { id: "ef".repeat(16), token: TOKEN, label: "", scope: ["spend"] as const };
      store.tokens.put(batch, HASH, { ...row, limits, createdMs: nowMs, ...open });
    });
  });
  expect(await rows()).toEqual([1, 1, 1, 1]);
});

it("has no payment, key, job and scoped token of the wallet whose file somebody removed", async () => {
  rmSync(join(path, `${TOKEN}.json`));
  await restoreWallet(parts(), TOKEN, { text, passphrase });
  expect(await rows()).toEqual([0, 0, 0, 0]);
});

it("of the same key has them all", async () => {
  const own = await backupWallet(parts(), TOKEN, passphrase);
  rmSync(join(path, `${TOKEN}.json`));
  await restoreWallet(parts(), TOKEN, { text: own, passphrase });
  expect(await rows()).toEqual([1, 1, 1, 1]);
});

it("over a wallet that is there takes nothing from it", async () => {
  const code = rejectionCode(restoreWallet(parts(), TOKEN, { text, passphrase }));
  expect(await code).toBe("wallet/exists");
  expect(await rows()).toEqual([1, 1, 1, 1]);
});

it("needs no database", async () => {
  path = join(folderOfTest(), "others");
  const address = await restoreWallet(parts(), TOKEN, { text, passphrase });
  expect(address).toMatch(new RegExp(`^${TEST_NETWORK.hrp}`));
});
