/** The wallet daemon's store over the real database: what is written is read back, by its own wallet alone. */
import { describe, expect, test } from "vitest";
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { HOST_TABLE, VERSION_KEY } from "@svc/node-server/storage/hostTable.ts";
import type { Kv } from "@svc/node-server/storage/kv.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import type { StoreReader } from "@svc/node-server/storage/rows/storeKeys.ts";
import { WalletStore } from "@svc/node-server/walletd/store/walletStore.ts";
import {
  STORE_TABLES,
  WALLET_STORE_LAYOUT,
} from "@svc/node-server/walletd/store/walletStoreLayout.ts";
import { STORAGE_LIMITS } from "@svc/node-server/storage/storageLimits.ts";
import {
  asBlockHash,
  asBlueScore,
  asChainIndex,
  asHash32,
  asLeafPosition,
  asSompi,
} from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import {
  BODY,
  NOW,
  USE,
  withStore,
  blockOf,
  deliveryOf,
  eventOf,
  hashOf,
  jobOf,
  leavesOf,
  paymentOf,
  scopedTokenOf,
  testSeal,
} from "./walletStoreFixtures.ts";

function errorOf(run: () => unknown): SvcError {
  try {
    run();
  } catch (error) {
    return SvcError.from(error);
  }
  throw new Error("nothing was thrown");
}

describe("a commit", () => {
  test("is numbered, visible when it is over, and there after a start", async () => {
    await withStore(async (store, reopened) => {
      expect(store.sequence).toBe(0n);
      store.commit((batch) => {
        expect(batch.sequence).toBe(1n);
        store.payments.put(batch, "alice", paymentOf("p"));
        expect(store.payments.get("alice", "p")).toBeUndefined();
        expect(store.payments.get("alice", "p", batch)).toEqual(paymentOf("p"));
      });
      expect(store.payments.get("alice", "p")).toEqual(paymentOf("p"));
      expect(store.sequence).toBe(1n);
      const next = await reopened();
      expect(next.sequence).toBe(1n);
      expect(next.payments.get("alice", "p")).toEqual(paymentOf("p"));
    });
  });

  test("that throws, waits, or changes nothing leaves no trace", async () => {
    await withStore((store) => {
      const put = (id: string) =>
        store.commit((batch) => {
          store.payments.put(batch, "alice", paymentOf(id));
          throw new Error("no");
        });
      expect(() => put("p")).toThrow("no");
      expect(() =>
        store.commit(async (batch) => {
          store.payments.put(batch, "alice", paymentOf("p"));
          await Promise.resolve();
        }),
      ).toThrow("a step of a commit waits");
      expect(() => store.commit(() => store.commit(() => 0))).toThrow("a commit within a commit");
      expect(store.commit(() => 7)).toBe(7);
      expect(store.sequence).toBe(0n);
      expect([...store.payments.ofWallet("alice")]).toEqual([]);
    });
  });

  test("takes no batch that is over", async () => {
    await withStore((store) => {
      const kept = store.commit((batch) => batch);
      expect(() => store.payments.put(kept, "alice", paymentOf("p"))).toThrow(
        "a batch is written after its commit",
      );
    });
  });

  test("refuses a row that is too long", async () => {
    await withStore((store) => {
      const raw = "00".repeat(STORAGE_LIMITS.storeRowBytes / 2);
      expect(() =>
        store.commit((batch) => {
          store.payments.put(batch, "alice", paymentOf("p"));
          store.payments.put(batch, "alice", paymentOf("q", { raw }));
        }),
      ).toThrow("store/commit-failed (reason=a row of payments of");
      expect(store.payments.get("alice", "p")).toBeUndefined();
    });
  });

  test("reads its own changes in ranges, with those below it", async () => {
    await withStore((store) => {
      store.commit((batch) => {
        for (const id of ["a", "c", "e"]) store.payments.put(batch, "alice", paymentOf(id));
      });
      store.commit((batch) => {
        store.payments.put(batch, "alice", paymentOf("b"));
        store.payments.put(batch, "alice", paymentOf("c", { raw: null }));
        store.payments.delete(batch, "alice", "e");
        const rows = [...store.payments.ofWallet("alice", batch)];
        expect(rows.map(({ id, raw }) => [id, raw])).toEqual([
          ["a", "00ff"],
          ["b", "00ff"],
          ["c", null],
        ]);
      });
      expect([...store.payments.ofWallet("alice")].map(({ id }) => id)).toEqual(["a", "b", "c"]);
    });
  });
});

describe("payments", () => {
  const settled = (id: string) =>
    paymentOf(id, {
      raw: null,
      status: {
        state: "settled",
        at: asChainIndex(1n),
        blueScore: asBlueScore(1n),
        previous: null,
      },
    });

  test("are found where they lie, and lie in one place", async () => {
    await withStore(async (store, reopened) => {
      store.commit((batch) => {
        store.payments.put(batch, "alice", paymentOf("p"));
        store.payments.put(batch, "alice", settled("q"));
      });
      expect(store.payments.hasUnsettled("alice")).toBe(true);
      expect(store.payments.hasUnsettled("alic")).toBe(false);
      store.commit((batch) => {
        store.payments.put(batch, "alice", settled("p"));
        store.payments.putAway(batch, "alice", settled("q"));
      });
      const next = await reopened();
      expect(next.payments.hasUnsettled("alice")).toBe(false);
      expect([...next.payments.live("alice")]).toEqual([settled("p")]);
      expect([...next.payments.ofWallet("alice")]).toEqual([settled("p"), settled("q")]);
      expect([...next.payments.ofWallet("alice", undefined, "q")]).toEqual([settled("q")]);
      expect(next.payments.get("alice", "q")).toEqual(settled("q"));
      next.commit((batch) => next.payments.delete(batch, "alice", "q"));
      expect(next.payments.get("alice", "q")).toBeUndefined();
    });
  });
});

describe("wallets", () => {
  test("never see each other's rows, whatever their tokens and ids", async () => {
    await withStore((store) => {
      const tokens = ["a", "aa", "aaa", "b", "\u0001a", "a\u0000", "a".repeat(128), "a".repeat(97)];
      store.commit((batch) => {
        for (const token of tokens) {
          // Ids that would complete one token to another.
          for (const id of ["", "a", "aa", "\u0000", "\uffff"]) {
            store.payments.put(
              batch,
              token,
              paymentOf(id, { raw: Buffer.from(token).toString("hex") }),
            );
          }
          store.idempotency.claim(batch, { token, key: "k" }, BODY, NOW);
          store.events.append(batch, token, eventOf("seen", 1, null));
        }
      });
      for (const token of tokens) {
        const rows = [...store.payments.ofWallet(token)];
        expect(rows.map(({ id }) => id)).toEqual(["", "\u0000", "a", "aa", "\uffff"]);
        expect(new Set(rows.map(({ raw }) => raw))).toEqual(
          new Set([Buffer.from(token).toString("hex")]),
        );
        expect(store.events.after(token, 0n, 10)).toHaveLength(1);
      }
      store.deleteWallet("a");
      expect([...store.payments.ofWallet("a")]).toEqual([]);
      for (const token of tokens.slice(1)) {
        expect([...store.payments.ofWallet(token)]).toHaveLength(5);
        expect(store.idempotency.get({ token, key: "k" })).toBeDefined();
        expect(store.events.head(token)).toBe(1n);
      }
    });
  });

  test("are ten thousand", async () => {
    await withStore(async (store, reopened) => {
      const tokenOf = (number: number) => hashOf(number).slice(32);
      for (let from = 0; from < 10_000; from += 500) {
        store.commit((batch) => {
          for (let number = from; number < from + 500; number += 1) {
            const token = tokenOf(number);
            store.payments.put(batch, token, paymentOf(`p${number}`));
            store.idempotency.claim(batch, { token, key: "k" }, BODY, NOW);
            store.events.append(batch, token, eventOf("credited", number, 1));
            store.jobs.put(batch, jobOf(number, { token }));
            const hash = asBlockHash(hashOf(number));
            const place = { snapshotSequence: batch.sequence, hash, chainIndex: asChainIndex(1n) };
            store.cursors.put(batch, token, place);
          }
        });
      }
      const next = await reopened();
      let count = 0;
      for (const { token, cursor } of next.cursors.all()) {
        expect(token).toBe(tokenOf(count));
        expect(cursor.hash).toBe(hashOf(count));
        count += 1;
      }
      expect(count).toBe(10_000);
      for (const number of [0, 4_999, 9_999]) {
        const token = tokenOf(number);
        expect([...next.payments.ofWallet(token)]).toEqual([paymentOf(`p${number}`)]);
        expect([...next.jobs.ofWallet(token)]).toEqual([jobOf(number, { token })]);
        expect(next.events.after(token, 0n, 10)).toEqual([
          { cursor: 1n, event: eventOf("credited", number, 1) },
        ]);
      }
      expect([...next.jobs.inState("waiting")]).toHaveLength(10_000);
    });
  });

  test("refuse a token that fits no key", async () => {
    await withStore((store) => {
      expect(() => store.payments.get("", "p")).toThrow("internal/unexpected");
      expect(() => store.payments.get("a".repeat(256), "p")).toThrow("internal/unexpected");
    });
  });
});

const FIRST = { token: "alice", cursor: 1n };

type Reads = Readonly<Record<string, { table: number; read: (reader: StoreReader) => unknown }>>;

/** The reads of what follows a feed, and of scoped tokens. */
function feedReads(store: WalletStore): Reads {
  return {
    credits: {
      table: STORE_TABLES.credits,
      read: (from) => [...store.events.standing("alice", 0n, 9n, from)],
    },
    deliveries: {
      table: STORE_TABLES.deliveries,
      read: (from) => store.deliveries.get(FIRST, from),
    },
    tokens: { table: STORE_TABLES.tokens, read: (from) => store.tokens.get(hashOf(7), from) },
    tokens_by_wallet: {
      table: STORE_TABLES.tokensByWallet,
      read: (from) => [...store.tokens.ofWallet("alice", from)],
    },
    charges: {
      table: STORE_TABLES.charges,
      read: (from) => store.charges.lastDay(hashOf(7), from),
    },
    charges_by_id: {
      table: STORE_TABLES.chargesById,
      read: (from) => store.charges.get("alice", "job", from),
    },
  };
}

/** A store with a row in each table, and how each is read with a reader in place of the database. */
function filled(kv: Kv, seal = null as Parameters<typeof testSeal>[0] | null) {
  const store = new WalletStore(kv, seal === null ? null : testSeal(seal));
  store.commit((batch) => {
    store.payments.put(batch, "alice", paymentOf("p"));
    store.idempotency.claim(batch, USE, BODY, NOW);
    store.jobs.put(batch, jobOf(1));
    store.events.append(batch, "alice", eventOf("credited", 1, 5));
    store.deliveries.add(batch, FIRST, deliveryOf(1));
    store.tokens.put(batch, hashOf(7), scopedTokenOf("alice"));
    const charge = { hash: hashOf(7), day: 5n, sompi: asSompi(9n) };
    store.charges.set(batch, "alice", "job", charge);
    store.owners.put(batch, "alice", asHash32(hashOf(3)));
    store.tree.reset(batch, Uint8Array.of(5), asLeafPosition(0n));
    store.tree.append(batch, leavesOf(0, 2));
    store.view.change(batch, { common: null, blocks: [blockOf(1)], most: 5 });
    const hash = asBlockHash(hashOf(1));
    store.cursors.put(batch, "alice", { snapshotSequence: 1n, hash, chainIndex: asChainIndex(1n) });
  });
  const reads: Reads = {
    payments: {
      table: STORE_TABLES.payments,
      read: (from) => store.payments.get("alice", "p", from),
    },
    idempotency: {
      table: STORE_TABLES.idempotency,
      read: (from) => store.idempotency.get(USE, from),
    },
    jobs: { table: STORE_TABLES.jobs, read: (from) => store.jobs.get(jobOf(1).id, from) },
    events: {
      table: STORE_TABLES.events,
      read: (from) => store.events.after("alice", 0n, 1, from),
    },
    event_heads: {
      table: STORE_TABLES.eventHeads,
      read: (from) => store.events.head("alice", from),
    },
    ...feedReads(store),
    tree: { table: STORE_TABLES.tree, read: (from) => [...store.tree.leaves(from)] },
    view: { table: STORE_TABLES.view, read: (from) => store.view.blocks(from) },
    owners: { table: STORE_TABLES.owners, read: (from) => store.owners.get("alice", from) },
    cursors: { table: STORE_TABLES.cursors, read: (from) => store.cursors.get("alice", from) },
  };
  return { store, reads };
}

/** The database with all values of one table changed. */
function damaged(
  kv: Kv,
  damagedTable: number,
  change: (value: Uint8Array) => Uint8Array,
): StoreReader {
  return {
    get(table, key) {
      const value = kv.get(table, key);
      return value === undefined || table !== damagedTable ? value : change(value);
    },
    range: (range) =>
      kv.range(range).map(({ key, value }) => ({
        key,
        value: range.table === damagedTable ? change(value) : value,
      })),
  };
}

describe("damage", () => {
  test("of any byte is found, and told with its table", async () => {
    await inTemporaryFolder(async (folder) => {
      const { store: kv } = await openStore(folder, WALLET_STORE_LAYOUT);
      const { store, reads } = filled(kv);
      for (const [table, { table: number, read }] of Object.entries(reads)) {
        const whole = read(kv);
        expect(whole).toBeTruthy();
        const length = rowsOf(kv, number)[0]?.length ?? 0;
        const changes = Array.from(
          { length },
          (_, at) => (value: Uint8Array) =>
            value.map((byte, index) => (index === at ? byte ^ 0x20 : byte)),
        );
        const cuts = [0, 1, 9, 10, length - 1].map(
          (end) => (value: Uint8Array) => value.slice(0, end),
        );
        for (const change of [...changes, ...cuts]) {
          const error = errorOf(() => read(damaged(kv, number, change)));
          expect(error).toMatchObject({ code: "store/corrupt", data: { table } });
          expect(error.data["reason"]).not.toBe("");
        }
      }
      await store.close();
    });
  });

  test("is a row of another place, or of another version", async () => {
    await inTemporaryFolder(async (folder) => {
      const { store: kv } = await openStore(folder, WALLET_STORE_LAYOUT);
      const { store } = filled(kv);
      const { payments } = STORE_TABLES;
      const [row] = rowsOf(kv, payments);
      const key = (token: string, id: string) =>
        concatBytes(Uint8Array.of(token.length), new TextEncoder().encode(`${token}\u0001${id}`));
      kv.commit([{ table: payments, key: key("mallory", "p"), value: row ?? null }]);
      expect(() => store.payments.get("mallory", "p")).toThrow(
        "store/corrupt (table=payments, reason=sum)",
      );
      const next = damaged(kv, payments, (value) => Uint8Array.of(2, ...value.slice(1)));
      expect(() => store.payments.get("alice", "p", next)).toThrow(
        "store/corrupt (table=payments, reason=unknown version)",
      );
      await store.close();
    });
  });

  test("of an index is found", async () => {
    await inTemporaryFolder(async (folder) => {
      const { store: kv } = await openStore(folder, WALLET_STORE_LAYOUT);
      const { store } = filled(kv);
      kv.commit([
        { table: STORE_TABLES.jobs, key: Uint8Array.of(...new Uint8Array(15), 1), value: null },
      ]);
      expect(() => [...store.jobs.ofWallet("alice")]).toThrow(
        "store/corrupt (table=jobs, reason=no job",
      );
      await store.close();
    });
  });

  test("by another version of the layout is refused, and nothing is written", async () => {
    await inTemporaryFolder(async (folder) => {
      const { store: kv } = await openStore(folder, WALLET_STORE_LAYOUT);
      kv.commit([{ table: HOST_TABLE, key: VERSION_KEY, value: Uint8Array.of(2, 0, 0, 0) }]);
      await kv.close();
      await expect(WalletStore.open(folder, null)).rejects.toThrow(
        "store/version (expected=1, found=2)",
      );
      await expect(WalletStore.open(folder, null)).rejects.toThrow("store/version");
    });
  });
});

describe("a seal", () => {
  const PRIVATE = ["payments", "idempotency", "jobs", "events", "tokens"];

  test("hides what is private, and is needed to read it", async () => {
    await inTemporaryFolder(async (folder) => {
      const { store: kv } = await openStore(folder, WALLET_STORE_LAYOUT);
      const { reads } = filled(kv, "secret");
      const plain = new WalletStore(kv, null);
      const wrong = new WalletStore(kv, testSeal("another"));
      for (const [table, { table: number, read }] of Object.entries(reads)) {
        expect(read(kv)).toBeTruthy();
        const texts = rowsOf(kv, number).map((row) => Buffer.from(row).toString("latin1"));
        if (PRIVATE.includes(table)) expect(texts.join("")).not.toContain("createdMs");
      }
      expect(() => plain.payments.get("alice", "p")).toThrow("wallet/locked");
      expect(() => wrong.payments.get("alice", "p")).toThrow("store/corrupt (table=payments");
      await kv.close();
    });
  });

  test("that is given later reads what was written without it", async () => {
    await inTemporaryFolder(async (folder) => {
      const { store: kv } = await openStore(folder, WALLET_STORE_LAYOUT);
      filled(kv);
      const sealed = new WalletStore(kv, testSeal("secret"));
      expect(sealed.payments.get("alice", "p")).toEqual(paymentOf("p"));
      await kv.close();
    });
  });
});

function rowsOf(kv: Kv, table: number): Uint8Array[] {
  const to = new Uint8Array(64).fill(0xff);
  return kv.range({ table, from: Uint8Array.of(), to, limit: 10 }).map(({ value }) => value);
}
