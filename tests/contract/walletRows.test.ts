/** Rows of the real database under the secret of a real wallet folder: who reads them, and what a change of the secret leaves. */
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import type { Kv } from "@svc/node-server/storage/kv.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import {
  cheapCore,
  openFolder,
  secretOf,
  TEST_NETWORK,
} from "@svc/node-server/walletd/keys/testkit/keysScene.ts";
import { openStoreRows, rewriteRows } from "@svc/node-server/walletd/store/storeRows.ts";
import { WalletStore } from "@svc/node-server/walletd/store/walletStore.ts";
import {
  STORE_TABLES,
  WALLET_STORE_LAYOUT,
} from "@svc/node-server/walletd/store/walletStoreLayout.ts";
import { changeFolderSecret } from "@svc/node-server/walletd/tools/changeFolderSecret.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { BODY, eventOf, jobOf, NOW, paymentOf, testSeal, USE } from "./walletStoreFixtures.ts";

const RAW = "c0ffee".repeat(30);

/** What a copy of the disk shows of the private rows. */
const isInClear = (folder: string): boolean =>
  readFileSync(join(folder, "walletd", "data.mdb")).includes(RAW);

/** Runs with the folder and its database as a daemon opens them; a null secret is plaintext. */
async function withDaemon<T>(
  folder: string,
  secret: string | null,
  work: (store: WalletStore) => T | Promise<T>,
): Promise<T> {
  const wallets = await openFolder(folder, { secret: secret === null ? null : secretOf(secret) });
  try {
    const store = await WalletStore.open(folder, wallets.rowSeal());
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  } finally {
    wallets.close();
  }
}

function put(store: WalletStore, id: string): void {
  store.commit((batch) => {
    store.payments.put(batch, USE.token, paymentOf(id, { raw: RAW }));
    store.idempotency.claim(batch, { ...USE, key: id }, BODY, NOW);
    store.jobs.put(batch, jobOf(id.length));
    store.events.append(batch, USE.token, eventOf("seen", id.length, null));
  });
}

function rowsOf(store: WalletStore): unknown {
  const payments = [...store.payments.ofWallet(USE.token)];
  const jobs = [...store.jobs.ofWallet(USE.token)];
  const events = store.events.after(USE.token, 0n, 10);
  return { payments, jobs, events, key: store.idempotency.get({ ...USE, key: "p" }) };
}

const change = (folder: string, from: string | null, to: string | null) =>
  changeFolderSecret({
    path: folder,
    network: TEST_NETWORK.network,
    core: cheapCore(),
    from: from === null ? null : secretOf(from),
    to: to === null ? "plaintext" : secretOf(to),
    signal: new AbortController().signal,
  });

test("rows are sealed from the first one on, and read after a change of the secret as they were", async () => {
  await inTemporaryFolder(async (folder) => {
    const before = await withDaemon(folder, "old", (store) => {
      put(store, "p");
      return rowsOf(store);
    });
    expect(isInClear(folder)).toBe(false);
    expect(await change(folder, "old", "new")).toEqual({ changed: 0, left: [] });
    expect(await rejectionCode(withDaemon(folder, "old", rowsOf))).toBe("wallet/wrong-secret");
    expect(await withDaemon(folder, "new", rowsOf)).toEqual(before);
    await change(folder, "new", null);
    expect(await withDaemon(folder, null, rowsOf)).toEqual(before);
  });
});

test("plain rows are read beside sealed ones, and sealed by a change of the secret", async () => {
  await inTemporaryFolder(async (folder) => {
    await withDaemon(folder, null, (store) => put(store, "p"));
    expect(isInClear(folder)).toBe(true);
    const both = await withDaemon(folder, "first", (store) => {
      put(store, "pp");
      return rowsOf(store);
    });
    await change(folder, "first", "second");
    expect(await withDaemon(folder, "second", rowsOf)).toEqual(both);
    await withOpen(folder, (forms) => expect(new Set(forms)).toEqual(new Set([1])));
    await change(folder, "second", null);
    await withOpen(folder, (forms) => expect(new Set(forms)).toEqual(new Set([0])));
    await change(folder, null, "third");
    await withOpen(folder, (forms) => expect(new Set(forms)).toEqual(new Set([1])));
    expect(await withDaemon(folder, "third", rowsOf)).toEqual(both);
  });
});

/** The forms of all private rows: 1 for a sealed one. */
async function withOpen(folder: string, look: (forms: readonly unknown[]) => void): Promise<void> {
  const { store } = await openStore(folder, WALLET_STORE_LAYOUT);
  const tables = ["payments", "idempotency", "jobs", "events"] as const;
  const [from, to, limit] = [Uint8Array.of(), new Uint8Array(50).fill(255), 100];
  const pairs = tables.flatMap((name) =>
    store.range({ table: STORE_TABLES[name], from, to, limit }),
  );
  await store.close();
  expect(pairs).toHaveLength(8);
  look(pairs.map(({ value }) => value[1]));
}

test("a database whose key was lost is neither read nor written, and opens with the header that belongs to it", async () => {
  await inTemporaryFolder(async (folder) => {
    const header = join(folder, ".sealing.json");
    const before = await withDaemon(folder, "old", (store) => {
      put(store, "p");
      return rowsOf(store);
    });
    cpSync(header, join(folder, "kept"));
    rmSync(header);
    expect(await rejectionCode(withDaemon(folder, "old", rowsOf))).toBe("wallet/rows-sealed");
    expect(await rejectionCode(change(folder, "old", "new"))).toBe("wallet/rows-sealed");
    rmSync(header);
    expect(await rejectionCode(withDaemon(folder, null, rowsOf))).toBe("wallet/no-secret");
    cpSync(join(folder, "kept"), header);
    expect(await withDaemon(folder, "old", rowsOf)).toEqual(before);
  });
});

test.each([
  ["sealed", null, testSeal("key")],
  ["plain", testSeal("key"), null],
])("rows that are made %s go on after a failure at each commit", async (_, from, to) => {
  await inTemporaryFolder(async (root) => {
    let commits = 0;
    for (let isWhole = false; !isWhole; commits += 1) {
      const folder = join(root, `${commits}`);
      const store = await WalletStore.open(folder, from);
      put(store, "p");
      put(store, "pp");
      const before = rowsOf(store);
      await store.close();
      const { store: kv } = await openStore(folder, WALLET_STORE_LAYOUT);
      let left = commits;
      const failing: Kv = {
        get: (table, key) => kv.get(table, key),
        range: (range) => kv.range(range),
        snapshot: () => kv.snapshot(),
        close: () => kv.close(),
        commit: (changes) => {
          if (left === 0) throw new Error("the power is gone");
          left -= 1;
          kv.commit(changes);
        },
      };
      try {
        rewriteRows(failing, { from, to });
        isWhole = true;
      } catch (error) {
        expect(error).toMatchObject({ message: "the power is gone" });
      }
      await kv.close();
      const rows = await openStoreRows(folder, { from, to });
      expect(rows?.rewrite()).toEqual([]);
      await rows?.close();
      const after = await WalletStore.open(folder, to);
      expect(rowsOf(after)).toEqual(before);
      await after.close();
      await withOpen(folder, (forms) => expect(new Set(forms)).toEqual(new Set([to ? 1 : 0])));
    }
    // The mark, and each table.
    expect(commits).toBe(6);
  });
});

test("a row that was damaged is left as it is, and the rest changes", async () => {
  await inTemporaryFolder(async (folder) => {
    await withDaemon(folder, "old", (store) => {
      for (const id of ["p", "pp"]) put(store, id);
    });
    const { store } = await openStore(folder, WALLET_STORE_LAYOUT);
    const range = { table: STORE_TABLES.payments, from: Uint8Array.of(), limit: 1 };
    const [pair] = store.range({ ...range, to: new Uint8Array(50).fill(255) });
    const { key = Uint8Array.of(), value = Uint8Array.of() } = pair ?? {};
    store.commit([{ table: STORE_TABLES.payments, key, value: value.subarray(0, -1) }]);
    await store.close();
    const { left } = await change(folder, "old", null);
    expect(left).toEqual([{ file: "table payments of the database", code: "store/corrupt" }]);
    await withDaemon(folder, null, (store) => {
      expect(store.payments.get(USE.token, "pp")).toEqual(paymentOf("pp", { raw: RAW }));
      expect(() => store.payments.get(USE.token, "p")).toThrow("store/corrupt");
    });
  });
});
