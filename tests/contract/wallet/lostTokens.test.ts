/** Scoped tokens whose rows nobody can open any more, in a real folder: the doctor names them, and removes them when it is asked to. */
import { expect, test } from "vitest";
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import { openFolder, TOKEN } from "@svc/node-server/walletd/keys/testkit/keysScene.ts";
import { WalletStore } from "@svc/node-server/walletd/store/walletStore.ts";
import { WALLET_STORE_LAYOUT } from "@svc/node-server/walletd/store/walletStoreLayout.ts";
import { examineFolder } from "@svc/node-server/walletd/tools/examineFolder.ts";
import { offlineParts } from "@svc/node-server/walletd/tools/testkit/offlineParts.ts";
import { asSompi } from "@svc/shared/base/brand.ts";
import { hashOf, scopedTokenOf, testSeal } from "./walletStoreFixtures.ts";

/** Runs with the store of a sealed folder. */
async function withStore<T>(path: string, work: (store: WalletStore) => T): Promise<T> {
  const folder = await openFolder(path);
  const store = await WalletStore.open(path, folder.rowSeal());
  try {
    return work(store);
  } finally {
    await store.close();
    folder.close();
  }
}

test("names scoped tokens whose key is gone, and removes them when it is asked to", async () => {
  await inTemporaryFolder(async (path) => {
    const kept = { ...scopedTokenOf(TOKEN), id: "ab".repeat(16) };
    await withStore(path, (store) =>
      store.commit((batch) => store.tokens.put(batch, hashOf(2), kept)),
    );
    const { store: kv } = await openStore(path, WALLET_STORE_LAYOUT);
    const earlier = new WalletStore(kv, testSeal("gone"));
    earlier.commit((batch) => {
      earlier.tokens.put(batch, hashOf(1), scopedTokenOf(TOKEN));
      const charge = { hash: hashOf(1), day: 1n, sompi: asSompi(1n) };
      earlier.charges.set(batch, TOKEN, "job", charge);
    });
    await kv.close();
    expect((await examineFolder(offlineParts(path))).findings).toMatchObject([
      {
        level: "damage",
        about: "database",
        advice: expect.stringContaining("--remove-lost-tokens"),
      },
    ]);
    const removed = await examineFolder(offlineParts(path), { removesLostTokens: true });
    expect(removed.findings).toMatchObject([
      { level: "note", text: "1 scoped tokens that nobody can open any more are removed" },
    ]);
    expect((await examineFolder(offlineParts(path))).findings).toEqual([]);
    await withStore(path, (store) => {
      expect(store.charges.lastDay(hashOf(1))).toBeNull();
      expect([...store.tokens.ofWallet(TOKEN)]).toEqual([kept]);
    });
  });
});
