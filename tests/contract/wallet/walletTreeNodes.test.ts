/** Inner nodes of the shared note tree: stored beside their leaves, gone with them, and read at a start instead of hashing. */
import { expect, test } from "vitest";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { storeAllNodes, storeNodes } from "@svc/node-server/walletd/wallets/storeNodes.ts";
import { treeOf } from "@svc/node-server/walletd/wallets/storedPlace.ts";
import { CHUNK_HEIGHT, TreeTable } from "@svc/node-server/walletd/store/treeTable.ts";
import { WalletStore } from "@svc/node-server/walletd/store/walletStore.ts";
import {
  STORE_TABLES,
  WALLET_STORE_LAYOUT,
} from "@svc/node-server/walletd/store/walletStoreLayout.ts";
import { WALLETD_LIMITS } from "@svc/node-server/walletd/walletdLimits.ts";
import { asLeafPosition } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { CoreTree } from "@svc/shared/wallet/state/coreTree.ts";
import { leavesOf, withStore } from "./walletStoreFixtures.ts";

const core = await loadCoreFile();
/** The frontier of an empty tree. */
const EMPTY = new Uint8Array(41);
const CHUNK = 1_024;

/** Counts the leaves that are hashed. */
class CountingTree extends CoreTree {
  hashed = 0;

  override append(cmx: Uint8Array): void {
    this.hashed += cmx.length / 32;
    super.append(cmx);
  }
}

const makeTree = (bytes: Uint8Array) => new CountingTree(core, bytes);

/** A stored tree of so many leaves, and the same one in memory. */
function begun(store: WalletStore, count: number): CoreTree {
  store.commit((batch) => {
    store.tree.reset(batch, EMPTY, asLeafPosition(0n));
    store.tree.append(batch, leavesOf(0, count));
  });
  const tree = makeTree(EMPTY);
  tree.append(leavesOf(0, count));
  return tree;
}

const stored = (store: WalletStore) => [...store.tree.chunks()].map(({ nodes }) => nodes !== null);

test("nodes of complete chunks are read at the next start, and the tree is the same", async () => {
  await withStore(async (store, reopened) => {
    const tree = begun(store, 3 * CHUNK + 5);
    expect(stored(store)).toEqual([false, false, false, false]);
    expect(storeNodes(store, tree)).toBe(true);
    expect(storeNodes(store, tree)).toBe(false);
    const next = await reopened();
    expect(stored(next)).toEqual([true, true, true, false]);
    const again = treeOf(next, makeTree) ?? expect.unreachable();
    expect(again.hashed).toBe(5);
    expect(again.toBytes()).toEqual(tree.toBytes());
  });
});

test("nodes go with the leaves below them, and come again with others", async () => {
  await withStore(async (store) => {
    const tree = begun(store, 3 * CHUNK);
    await storeAllNodes(store, tree);
    const cut = asLeafPosition(BigInt(CHUNK + 1));
    store.commit((batch) => {
      store.tree.truncate(batch, cut);
      store.tree.append(batch, leavesOf(9_000, 2 * CHUNK));
    });
    expect(stored(store)).toEqual([true, false, false, false]);
    // The tree still has the leaves from before: nothing is stored of it.
    await storeAllNodes(store, tree);
    expect(stored(store)).toEqual([true, false, false, false]);
    tree.truncate(cut);
    await storeAllNodes(store, tree);
    expect(stored(store)).toEqual([true, false, false, false]);
    tree.append(leavesOf(9_000, 2 * CHUNK));
    await storeAllNodes(store, tree);
    expect(stored(store)).toEqual([true, true, true, false]);
    expect(treeOf(store, makeTree)?.toBytes()).toEqual(tree.toBytes());
    store.commit((batch) => store.tree.reset(batch, EMPTY, asLeafPosition(0n)));
    store.commit((batch) => store.tree.append(batch, leavesOf(0, CHUNK)));
    expect(stored(store)).toEqual([false]);
  });
});

test("one commit stores the nodes of so many chunks", async () => {
  await withStore(async (store) => {
    const most = WALLETD_LIMITS.treeChunksAtOnce;
    const tree = begun(store, (most + 1) * CHUNK);
    expect(storeNodes(store, tree)).toBe(true);
    expect(stored(store).filter(Boolean)).toHaveLength(most);
    let isHeard = false;
    setImmediate(() => (isHeard = true));
    await storeAllNodes(store, tree);
    // Signals come between two commits.
    expect(isHeard).toBe(true);
    expect(storeNodes(store, tree)).toBe(false);
    expect(stored(store)).not.toContain(false);
  });
});

test("one chunk without nodes before many others has so many of them looked at in a call", async () => {
  await inTemporaryFolder(async (folder) => {
    const { store: kv } = await openStore(folder, WALLET_STORE_LAYOUT);
    const first = new WalletStore(kv, null);
    const tree = begun(first, 12 * CHUNK);
    await storeAllNodes(first, tree);
    const key = Uint8Array.of(0x6e, 0, 0, 0, 0, 0, 0, 0, 0);
    kv.commit([{ table: STORE_TABLES.tree, key, value: null }]);
    const looked: number[] = [];
    const get: typeof kv.get = (table, of) => {
      if (of[0] === 0x6e && of.length === key.length) looked.push(of[8] ?? 0);
      return kv.get(table, of);
    };
    const bounds = { limit: 64, looks: 5 };
    const table = new TreeTable({ get, range: (range) => kv.range(range) });
    expect(table.bareChunks(bounds)).toEqual({ numbers: [0n], isWhole: false });
    expect(looked).toEqual([0, 1, 2, 3, 4]);
    first.commit((batch) => table.putNodes(batch, 0n, tree.subtree(0n, CHUNK_HEIGHT)));
    for (const isWhole of [false, false, true, true]) {
      expect(table.bareChunks(bounds)).toEqual({ numbers: [], isWhole });
    }
    expect(looked.slice(5)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    await first.close();
  });
});

test("damaged nodes are hashed again, told of, and stored anew", async () => {
  await inTemporaryFolder(async (folder) => {
    const { store: kv } = await openStore(folder, WALLET_STORE_LAYOUT);
    const store = new WalletStore(kv, null);
    const tree = begun(store, 2 * CHUNK);
    await storeAllNodes(store, tree);
    const key = Uint8Array.of(0x6e, 0, 0, 0, 0, 0, 0, 0, 1);
    const value = kv.get(STORE_TABLES.tree, key)?.slice() ?? expect.unreachable();
    value[99] = 1;
    kv.commit([{ table: STORE_TABLES.tree, key, value }]);
    expect(store.flaws()).toEqual([{ table: "tree", reason: "inner nodes of chunk 1: sum" }]);
    expect(stored(store)).toEqual([true, false]);
    const again = treeOf(store, makeTree) ?? expect.unreachable();
    expect(again.hashed).toBe(CHUNK);
    expect(again.toBytes()).toEqual(tree.toBytes());
    await store.close();
  });
});

test("a subtree of another length is refused", async () => {
  await withStore((store) => {
    begun(store, CHUNK);
    const half = concatBytes(leavesOf(0, CHUNK), new Uint8Array(32));
    expect(() => store.commit((batch) => store.tree.putNodes(batch, 0n, half))).toThrow(
      "internal/unexpected",
    );
  });
});
