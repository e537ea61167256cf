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
import type { TokenRow } from "@svc/node-server/walletd/store/tokenTable.ts";
import { WalletStore } from "@svc/node-server/walletd/store/walletStore.ts";
import {
  STORE_TABLES,
  WALLET_STORE_LAYOUT,
} from "@svc/node-server/walletd/store/walletStoreLayout.ts";
import { changeFolderSecret } from "@svc/node-server/walletd/tools/changeFolderSecret.ts";
import { asRawAddress } from "@svc/shared/base/brand.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import {
  BODY,
  eventOf,
  hashOf,
  jobOf,
  NOW,
  paymentOf,
  scopedTokenOf,
  testSeal,
  USE,
} from "./walletStoreFixtures.ts";

const RAW = "c0ffee".repeat(30);
const LABEL = "till by the door";
const PAYEE = asRawAddress("1e".repeat(43));

/** What a copy of the disk shows of the private rows: the bytes of a payment, the label and a payee of a token. */
const inClear = (folder: string): readonly boolean[] => {
  const disk = readFileSync(join(folder, "walletd", "data.mdb"));
  return [RAW, LABEL, PAYEE].map((text) => disk.includes(text));
};

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
    store.tokens.put(batch, hashOf(id.length), tokenOf(id));
  });
}

function tokenOf(id: string): TokenRow {
  const row = scopedTokenOf(USE.token);
  const limits = { ...row.limits, payees: [PAYEE] };
  return { ...row, id: hashOf(id.length).slice(32), label: LABEL, limits };
}

function rowsOf(store: WalletStore): unknown {
  const payments = [...store.payments.ofWallet(USE.token)];
  const jobs = [...store.jobs.ofWallet(USE.token)];
  const events = store.events.after(USE.token, 0n, 10);
  const tokens = [...store.tokens.ofWallet(USE.token)];
  return { payments, jobs, events, tokens, key: store.idempotency.get({ ...USE, key: "p" }) };
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
    expect(inClear(folder)).toEqual([false, false, false]);
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
    expect(inClear(folder)).toEqual([true, true, true]);
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
  const forms = await formsOf(folder);
  const found = [...(await sealedTables())].flatMap((table) => forms.get(table) ?? []);
  expect(found.length).toBeGreaterThan(0);
  look(found);
}

/** The forms of the rows of each table that has rows, by its number. */
async function formsOf(folder: string): Promise<ReadonlyMap<number, readonly unknown[]>> {
  const { store } = await openStore(folder, WALLET_STORE_LAYOUT);
  const [from, to, limit] = [Uint8Array.of(), new Uint8Array(90).fill(255), 100];
  const forms = new Map<number, readonly unknown[]>();
  for (const table of Object.values(STORE_TABLES)) {
    const rows = store.range({ table, from, to, limit });
    if (rows.length > 0)
      forms.set(
        table,
        rows.map(({ value }) => value[1]),
      );
  }
  await store.close();
  return forms;
}

/** The tables that a store seals when it is made with a seal, but for the mark beside the number of the last commit. */
async function sealedTables(): Promise<ReadonlySet<number>> {
  return await inTemporaryFolder(async (folder) => {
    const store = await WalletStore.open(folder, testSeal("key"));
    put(store, "p");
    await store.close();
    const sealed = [...(await formsOf(folder))].filter(([, forms]) => forms.includes(1));
    return new Set(sealed.map(([table]) => table).filter((table) => table !== MARKED));
  });
}

const MARKED = STORE_TABLES.sequence;

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
    // The mark, each table, and none that fails.
    expect(commits).toBe(2 + (await sealedTables()).size);
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

test("tokens under a key that is gone are named, and nothing else stops at them", async () => {
  await inTemporaryFolder(async (folder) => {
    await withDaemon(folder, null, (store) => put(store, "p"));
    const { store: kv } = await openStore(folder, WALLET_STORE_LAYOUT);
    const earlier = new WalletStore(kv, testSeal("gone"));
    earlier.commit((batch) => earlier.tokens.put(batch, hashOf(2), tokenOf("pp")));
    await kv.close();
    const named = [{ file: "table tokens of the database", code: "store/corrupt" }];
    expect((await change(folder, null, null)).left).toEqual(named);
    expect((await change(folder, null, "new")).left).toEqual(named);
    await withDaemon(folder, "new", (store) => {
      expect(store.flaws()).toMatchObject([{ table: "tokens" }]);
      expect(store.payments.get(USE.token, "p")).toEqual(paymentOf("p", { raw: RAW }));
      expect(() => [...store.tokens.ofWallet(USE.token)]).toThrow("store/corrupt");
      expect(store.deleteLostTokens()).toBe(1);
      expect(store.flaws()).toEqual([]);
      expect([...store.tokens.ofWallet(USE.token)]).toEqual([tokenOf("p")]);
    });
  });
});
