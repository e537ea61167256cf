/** Feeds and their deliveries in the wallet daemon's store, over the real database. */
import { describe, expect, test } from "vitest";
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { KEYS_END } from "@svc/node-server/storage/kv.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import type { DeliveryRow } from "@svc/node-server/walletd/store/deliveryTable.ts";
import { WalletStore } from "@svc/node-server/walletd/store/walletStore.ts";
import {
  STORE_TABLES,
  WALLET_STORE_LAYOUT,
} from "@svc/node-server/walletd/store/walletStoreLayout.ts";
import { WALLETD_LIMITS } from "@svc/node-server/walletd/walletdLimits.ts";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { deliveryOf, eventOf, hashOf, NOW, withStore } from "./walletStoreFixtures.ts";

const PAUSE_MS = 1_000_000n;
const at = (ms: number) => asTimestampMs(NOW + BigInt(ms));

const add = (store: WalletStore, token: string, ...cursors: readonly number[]) =>
  store.commit((batch) => {
    for (const cursor of cursors) {
      store.deliveries.add(batch, { token, cursor: BigInt(cursor) }, deliveryOf(cursor));
    }
  });

const change = (store: WalletStore, cursor: number, row: Partial<DeliveryRow>) =>
  store.commit((batch) =>
    store.deliveries.change(
      batch,
      { token: "alice", cursor: BigInt(cursor) },
      deliveryOf(cursor, row),
    ),
  );

const due = (store: WalletStore, ms = 0, limit = 10) =>
  store.deliveries.due(at(ms), PAUSE_MS, limit).map(({ token, cursor }) => `${token} ${cursor}`);

describe("deliveries", () => {
  test("of a wallet are due one after the other, those of several beside each other", async () => {
    await withStore(async (store, reopened) => {
      add(store, "alice", 1, 2);
      add(store, "rob-b", 1);
      add(store, "alice", 3);
      expect(due(store)).toEqual(["alice 1", "rob-b 1"]);
      expect(due(store, 0, 1)).toEqual(["alice 1"]);
      change(store, 1, { state: "delivered" });
      const next = await reopened();
      expect(due(next)).toEqual(["alice 2", "rob-b 1"]);
      change(next, 2, { dueMs: at(500), attempts: 1 });
      expect([due(next), due(next, 499), due(next, 500)]).toEqual([
        ["rob-b 1"],
        ["rob-b 1"],
        ["rob-b 1", "alice 2"],
      ]);
      change(next, 2, { state: "dead", attempts: 2 });
      expect(due(next)).toEqual(["alice 3", "rob-b 1"]);
      change(next, 3, { state: "delivered" });
      expect(next.deliveries.nextMs()).toBe(NOW);
      add(next, "alice", 4);
      expect(due(next)).toEqual(["alice 4", "rob-b 1"]);
      expect(next.deliveries.after("alice", 1n, 2).map(({ row }) => row.state)).toEqual([
        "dead",
        "delivered",
      ]);
    });
  });

  test("go out again when somebody asks, and those before them in order stay where they are", async () => {
    await withStore((store) => {
      add(store, "alice", 1, 2, 3);
      change(store, 1, { state: "dead", attempts: 9 });
      const again = (cursor: number) =>
        store.commit((batch) =>
          store.deliveries.again(batch, { token: "alice", cursor: BigInt(cursor) }, at(7)),
        );
      expect([again(1), again(2), again(3), again(4)]).toEqual([true, true, false, false]);
      expect(due(store, 7)).toEqual(["alice 1", "alice 2"]);
      expect(store.deliveries.get({ token: "alice", cursor: 1n })).toMatchObject({
        state: "waiting",
        attempts: 0,
        createdMs: at(7),
      });
      change(store, 1, { state: "delivered" });
      expect(due(store, 7)).toEqual(["alice 2"]);
      change(store, 2, { state: "delivered" });
      expect(due(store, 7)).toEqual(["alice 3"]);
    });
  });

  test("are due when the clock was set back behind all their pauses", async () => {
    await withStore((store) => {
      add(store, "alice", 1);
      change(store, 1, { dueMs: at(Number(PAUSE_MS) + 2) });
      expect([due(store), due(store, 2)]).toEqual([["alice 1"], []]);
    });
  });

  test("go on where an old one is damaged, which is left to the doctor", async () => {
    await inTemporaryFolder(async (folder) => {
      const kept = Number(WALLETD_LIMITS.webhooksKept);
      const open = () => openStore(folder, WALLET_STORE_LAYOUT);
      const store = await WalletStore.open(folder, null);
      add(store, "alice", 1, 2, 3, kept + 2, kept + 3);
      for (const cursor of [1, 2, 3]) change(store, cursor, { state: "delivered" });
      await store.close();
      const { store: kv } = await open();
      const table = STORE_TABLES.deliveries;
      const [first] = kv.range({ table, from: Uint8Array.of(), to: KEYS_END, limit: 1 });
      const { key = Uint8Array.of(), value = Uint8Array.of() } = first ?? {};
      kv.commit([{ table, key, value: value.subarray(0, -1) }]);
      await kv.close();
      const again = await WalletStore.open(folder, null);
      change(again, kept + 2, { state: "delivered" });
      expect(due(again)).toEqual([`alice ${kept + 3}`]);
      expect(again.deliveries.get({ token: "alice", cursor: 2n })).toBeUndefined();
      expect(again.deliveries.get({ token: "alice", cursor: 3n })?.state).toBe("delivered");
      expect(again.flaws()).toMatchObject([{ table: "deliveries" }]);
      await again.close();
    });
  });

  test("of a deleted wallet are gone, and of one that is not there nothing happens", async () => {
    await withStore((store) => {
      add(store, "alice", 1, 2);
      add(store, "rob-b", 1);
      store.deleteWallet("alice");
      change(store, 1, { state: "delivered" });
      expect(due(store)).toEqual(["rob-b 1"]);
      expect(store.deliveries.after("alice", 0n, 9)).toEqual([]);
      add(store, "alice", 1);
      expect(due(store)).toEqual(["alice 1", "rob-b 1"]);
    });
  });
});

describe("credits that stand", () => {
  const append = (store: WalletStore, ...events: readonly ReturnType<typeof eventOf>[]) =>
    store.commit((batch) => events.map((event) => store.events.append(batch, "alice", event)));
  const standing = (store: WalletStore, above: bigint, upTo: bigint) =>
    [...store.events.standing("alice", above, upTo)].map(({ txid }) => Number(`0x${txid}`));

  test("are found by their blocks and by their outputs, until they are reversed", async () => {
    await withStore(async (store, reopened) => {
      append(store, eventOf("seen", 9, null), eventOf("credited", 2, 6), eventOf("credited", 1, 5));
      append(store, eventOf("credited", 3, 7), eventOf("final", 1, 5));
      const next = await reopened();
      expect(standing(next, 4n, 7n)).toEqual([1, 2, 3]);
      expect(standing(next, 5n, 6n)).toEqual([2]);
      expect(standing(next, 7n, 6n)).toEqual([]);
      expect([next.events.highestCredit("alice"), next.events.highestCredit("bob")]).toEqual([
        7n,
        null,
      ]);
      expect(next.events.creditOf("alice", eventOf("seen", 2, null))?.chainIndex).toBe(6n);
      expect(append(next, eventOf("reversed", 3, 7), eventOf("reversed", 3, 7))).toEqual([
        6n,
        null,
      ]);
      expect(next.events.highestCredit("alice")).toBe(6n);
      expect(next.events.creditOf("alice", eventOf("seen", 3, null))).toBeUndefined();
    });
  });

  test("are what can be reversed, and are forgotten with their wallet", async () => {
    await withStore((store) => {
      expect(append(store, eventOf("reversed", 1, 5))).toEqual([null]);
      append(store, eventOf("credited", 1, 5));
      expect(store.events.at("alice", 1n)?.txid).toBe(hashOf(1));
      expect([store.events.at("alice", 0n), store.events.at("alice", 2n)]).toEqual([
        undefined,
        undefined,
      ]);
      store.deleteWallet("alice");
      expect(store.events.highestCredit("alice")).toBeNull();
      expect(append(store, eventOf("credited", 1, 5))).toEqual([1n]);
    });
  });
});
