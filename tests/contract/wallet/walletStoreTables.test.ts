/** The tables of the wallet daemon's store over the real database, each by its own rules. */
import { describe, expect, test } from "vitest";
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import { requestHash } from "@svc/node-server/walletd/store/idempotencyTable.ts";
import { WalletStore } from "@svc/node-server/walletd/store/walletStore.ts";
import {
  STORE_TABLES,
  WALLET_STORE_LAYOUT,
} from "@svc/node-server/walletd/store/walletStoreLayout.ts";
import { WALLETD_LIMITS } from "@svc/node-server/walletd/walletdLimits.ts";
import { asChainIndex, asLeafPosition, asTimestampMs } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import {
  blockOf,
  BODY,
  eventOf,
  jobOf,
  leavesOf,
  NOW,
  USE,
  withStore,
} from "./walletStoreFixtures.ts";

const later = (ms: bigint) => asTimestampMs(NOW + ms);

describe("an idempotency key", () => {
  test("is fresh once, then the same or another call's", async () => {
    await withStore(async (store, reopened) => {
      const claim = (of: WalletStore, hash = BODY) =>
        of.commit((batch) => of.idempotency.claim(batch, USE, hash, NOW));
      expect(claim(store)).toEqual({ kind: "fresh" });
      const next = await reopened();
      expect(claim(next)).toMatchObject({ kind: "same", row: { answer: null, jobId: null } });
      expect(next.sequence).toBe(1n);
      expect(claim(next, requestHash("send", Uint8Array.of(2)))).toEqual({ kind: "other" });
      expect(requestHash("sen", Uint8Array.of(100, 1))).not.toBe(BODY);
    });
  });

  test("keeps its answer for a day and its payments for ever", async () => {
    await withStore((store) => {
      const { idempotency } = store;
      store.commit((batch) => {
        idempotency.claim(batch, USE, BODY, NOW);
        idempotency.name(batch, USE, { paymentIds: ["p1", "p2"], jobId: "j" });
        idempotency.answer(batch, USE, '{"txid":"…"}', NOW);
      });
      const expire = (ms: bigint) =>
        store.commit((batch) => idempotency.expireAnswers(batch, later(ms)));
      expect(expire(WALLETD_LIMITS.storeAnswerMs - 1n)).toBe(0);
      expect(idempotency.get(USE)?.answer).toBe('{"txid":"…"}');
      expect(expire(WALLETD_LIMITS.storeAnswerMs)).toBe(1);
      expect(expire(WALLETD_LIMITS.storeAnswerMs)).toBe(0);
      expect(idempotency.get(USE)).toEqual({
        bodyHash: BODY,
        paymentIds: ["p1", "p2"],
        jobId: "j",
        answer: null,
        createdMs: NOW,
        answeredMs: NOW,
      });
    });
  });

  test("counts the day from the last answer", async () => {
    await withStore((store) => {
      const { idempotency } = store;
      store.commit((batch) => {
        idempotency.claim(batch, USE, BODY, NOW);
        idempotency.answer(batch, USE, "first", NOW);
        idempotency.answer(batch, USE, "second", later(1_000n));
      });
      const expire = (ms: bigint) =>
        store.commit((batch) => idempotency.expireAnswers(batch, later(ms)));
      expect(expire(WALLETD_LIMITS.storeAnswerMs + 999n)).toBe(0);
      expect(idempotency.get(USE)?.answer).toBe("second");
      expect(expire(WALLETD_LIMITS.storeAnswerMs + 1_000n)).toBe(1);
    });
  });

  test("answers expire some at a time", async () => {
    await withStore((store) => {
      const count = WALLETD_LIMITS.storeExpiredRows + 5;
      store.commit((batch) => {
        for (let number = 0; number < count; number += 1) {
          const use = { token: "alice", key: `k${number}` };
          store.idempotency.claim(batch, use, BODY, NOW);
          store.idempotency.answer(batch, use, "a", NOW);
        }
      });
      const end = later(WALLETD_LIMITS.storeAnswerMs);
      const dropped = () => store.commit((batch) => store.idempotency.expireAnswers(batch, end));
      expect([dropped(), dropped(), dropped()]).toEqual([count - 5, 5, 0]);
    });
  });

  test("that nobody claimed takes no answer; a deleted wallet's may be claimed anew", async () => {
    await withStore((store) => {
      expect(() => store.commit((batch) => store.idempotency.answer(batch, USE, "a", NOW))).toThrow(
        "internal/unexpected",
      );
      const claim = () => store.commit((batch) => store.idempotency.claim(batch, USE, BODY, NOW));
      claim();
      store.commit((batch) => store.idempotency.answer(batch, USE, "a", NOW));
      store.deleteWallet("alice");
      expect(claim()).toEqual({ kind: "fresh" });
      const end = later(WALLETD_LIMITS.storeAnswerMs);
      expect(store.commit((batch) => store.idempotency.expireAnswers(batch, end))).toBe(0);
    });
  });
});

describe("jobs", () => {
  const ids = (jobs: Iterable<{ readonly id: string }>) =>
    Array.from(jobs, ({ id }) => Number(`0x${id}`));

  test("are found by id, by wallet and by state, and move with it", async () => {
    await withStore((store) => {
      const { jobs } = store;
      store.commit((batch) => {
        for (const number of [3, 1, 2]) jobs.put(batch, jobOf(number));
        jobs.put(batch, jobOf(4, { token: "bob" }));
      });
      expect(jobs.get(jobOf(1).id)).toEqual(jobOf(1));
      expect(jobs.get("x")).toBeUndefined();
      expect(ids(jobs.ofWallet("alice"))).toEqual([1, 2, 3]);
      expect(ids(jobs.inState("waiting"))).toEqual([1, 2, 3, 4]);
      const error = { code: "wallet/cancelled", data: {} } as const;
      store.commit((batch) => {
        jobs.put(batch, jobOf(1, { state: "failed", error, updatedMs: asTimestampMs(9n) }));
        jobs.put(batch, jobOf(2, { state: "running", done: 2 }));
      });
      expect(ids(jobs.ofWallet("alice"))).toEqual([2, 3, 1]);
      expect(ids(jobs.inState("waiting"))).toEqual([3, 4]);
      expect(ids(jobs.inState("running"))).toEqual([2]);
      expect(jobs.get(jobOf(1).id)).toMatchObject({ state: "failed", error });
    });
  });

  test("that have ended are kept for a week, and only so many", async () => {
    await withStore((store) => {
      const { jobs } = store;
      const most = WALLETD_LIMITS.storeEndedJobs;
      store.commit((batch) => {
        jobs.put(batch, jobOf(0));
        for (let number = 1; number <= most; number += 1) {
          jobs.put(batch, jobOf(number, { state: "done", answer: "a" }));
        }
      });
      expect(ids(jobs.ofWallet("alice"))).toHaveLength(most + 1);
      store.commit((batch) => jobs.put(batch, jobOf(most + 1, { state: "cancelled" })));
      expect(ids(jobs.inState("done"))[0]).toBe(2);
      expect(ids(jobs.ofWallet("alice"))).toHaveLength(most + 1);
      expect(jobs.get(jobOf(1).id)).toBeUndefined();
      const at = (ms: bigint) => asTimestampMs(WALLETD_LIMITS.storeEndedJobMs + ms);
      const expire = (ms: bigint) => store.commit((batch) => jobs.expire(batch, at(ms)));
      expect(expire(5n)).toBe(4);
      expect(expire(5n)).toBe(0);
      expect(expire(10_000n)).toBe(most - 4);
      expect(ids(jobs.ofWallet("alice"))).toEqual([0]);
    });
  });
});

describe("a feed", () => {
  const append = (store: WalletStore, ...events: readonly ReturnType<typeof eventOf>[]) =>
    store.commit((batch) => events.map((event) => store.events.append(batch, "alice", event)));

  test("counts up, and takes what happened once", async () => {
    await withStore(async (store, reopened) => {
      const [seen, credited] = [eventOf("seen", 1, null), eventOf("credited", 1, 5)];
      expect(append(store, seen, credited, seen)).toEqual([1n, 2n, null]);
      const next = await reopened();
      expect(append(next, credited, eventOf("credited", 2, 5))).toEqual([null, 3n]);
      expect(next.events.after("alice", 0n, 100).map(({ cursor }) => cursor)).toEqual([1n, 2n, 3n]);
      expect(next.events.after("alice", 2n, 100)).toEqual([
        { cursor: 3n, event: eventOf("credited", 2, 5) },
      ]);
      expect(next.events.after("alice", 0n, 2)).toHaveLength(2);
      expect(next.events.after("alice", 3n, 100)).toEqual([]);
      expect(next.events.after("alice", 0xffff_ffff_ffff_ffffn, 100)).toEqual([]);
      expect(next.events.after("bob", 0n, 100)).toEqual([]);
    });
  });

  test("tells a credit again that was reversed, when its block comes back", async () => {
    await withStore((store) => {
      const [credited, reversed] = [eventOf("credited", 1, 5), eventOf("reversed", 1, 5)];
      expect(append(store, credited, reversed, reversed)).toEqual([1n, 2n, null]);
      expect(append(store, eventOf("credited", 1, 6))).toEqual([3n]);
      expect(append(store, eventOf("reversed", 1, 6), credited, credited)).toEqual([4n, 5n, null]);
      expect(append(store, reversed)).toEqual([6n]);
    });
  });

  test("is given a page at a time, however much is asked for", async () => {
    await withStore((store) => {
      const count = WALLETD_LIMITS.storeEventPage + 5;
      append(store, ...Array.from({ length: count }, (_, number) => eventOf("seen", number, null)));
      expect(store.events.after("alice", 0n, 1e9)).toHaveLength(count - 5);
      expect(store.events.after("alice", BigInt(count - 5), 1e9)).toHaveLength(5);
      expect(store.events.after("alice", 0n, -1)).toHaveLength(1);
    });
  });
});

describe("the shared tree", () => {
  const leaves = (store: WalletStore) => concatBytes(...store.tree.leaves());

  test("is appended to, cut, and begun anew", async () => {
    await withStore(async (store, reopened) => {
      expect(store.tree.head()).toBeNull();
      const base = Uint8Array.of(1, 2, 3);
      const baseSize = asLeafPosition(1_000n);
      store.commit((batch) => {
        store.tree.reset(batch, base, baseSize);
        store.tree.append(batch, leavesOf(1_000, 10));
        store.tree.append(batch, leavesOf(1_010, 3_000));
      });
      store.commit((batch) => store.tree.append(batch, leavesOf(4_010, 1)));
      const next = await reopened();
      expect(next.tree.head()).toEqual({ size: 4_011n, baseSize, base });
      expect(leaves(next)).toEqual(leavesOf(1_000, 3_011));
      for (const size of [4_011, 4_010, 3_072, 3_071, 1_024, 1_001]) {
        next.commit((batch) => next.tree.truncate(batch, asLeafPosition(BigInt(size))));
        expect(leaves(next)).toEqual(leavesOf(1_000, size - 1_000));
      }
      next.commit((batch) => {
        next.tree.truncate(batch, baseSize);
        next.tree.append(batch, leavesOf(1_000, 2_000));
        next.tree.truncate(batch, asLeafPosition(1_500n));
        next.tree.append(batch, leavesOf(1_500, 1_000));
      });
      expect(leaves(next)).toEqual(leavesOf(1_000, 1_500));
      next.commit((batch) => next.tree.reset(batch, base, asLeafPosition(2_048n)));
      expect(leaves(next)).toEqual(Uint8Array.of());
      next.commit((batch) => next.tree.append(batch, leavesOf(2_048, 2)));
      expect(leaves(next)).toEqual(leavesOf(2_048, 2));
    });
  });

  test("is the model's after any row of changes", async () => {
    await withStore((store) => {
      let size = 700;
      store.commit((batch) => store.tree.reset(batch, Uint8Array.of(), asLeafPosition(700n)));
      for (let step = 0; step < 40; step += 1) {
        const grown = (step * 397) % 1_500;
        const cut = Math.max(700, size + grown - ((step * 911) % 2_000));
        store.commit((batch) => {
          store.tree.append(batch, leavesOf(size, grown));
          store.tree.truncate(batch, asLeafPosition(BigInt(cut)));
        });
        size = cut;
        expect(leaves(store)).toEqual(leavesOf(700, size - 700));
      }
    });
  });

  test("refuses what cannot be", async () => {
    await withStore((store) => {
      const tries: readonly ((batch: Parameters<typeof store.tree.append>[0]) => void)[] = [
        (batch) => store.tree.append(batch, leavesOf(0, 1)),
        (batch) => {
          store.tree.reset(batch, Uint8Array.of(), asLeafPosition(5n));
          store.tree.truncate(batch, asLeafPosition(4n));
        },
        (batch) => {
          store.tree.reset(batch, Uint8Array.of(), asLeafPosition(5n));
          store.tree.truncate(batch, asLeafPosition(6n));
        },
        (batch) => {
          store.tree.reset(batch, Uint8Array.of(), asLeafPosition(5n));
          store.tree.append(batch, new Uint8Array(33));
        },
      ];
      for (const step of tries) expect(() => store.commit(step)).toThrow("internal/unexpected");
      expect(store.tree.head()).toBeNull();
    });
  });

  test("misses a chunk that is gone", async () => {
    await inTemporaryFolder(async (folder) => {
      const { store: kv } = await openStore(folder, WALLET_STORE_LAYOUT);
      const store = new WalletStore(kv, null);
      store.commit((batch) => {
        store.tree.reset(batch, Uint8Array.of(), asLeafPosition(0n));
        store.tree.append(batch, leavesOf(0, 3_000));
      });
      const key = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1);
      kv.commit([{ table: STORE_TABLES.tree, key, value: null }]);
      expect(() => leaves(store)).toThrow(
        "store/corrupt (table=tree, reason=leaf 1024 is missing)",
      );
      await store.close();
    });
  });
});

describe("the shared view", () => {
  test("follows the chain, and remembers so many blocks", async () => {
    await withStore(async (store, reopened) => {
      const change = (
        of: WalletStore,
        common: number | null,
        blocks: readonly ReturnType<typeof blockOf>[],
      ) =>
        of.commit((batch) =>
          of.view.change(batch, {
            common: common === null ? null : asChainIndex(BigInt(common)),
            blocks,
            most: 5,
          }),
        );
      const range = (from: number, to: number, branch = 0) =>
        Array.from({ length: to - from + 1 }, (_, offset) => blockOf(from + offset, branch));
      expect(store.view.blocks()).toEqual([]);
      change(store, null, range(10, 12));
      change(store, 12, range(13, 16));
      const next = await reopened();
      expect(next.view.blocks()).toEqual(range(12, 16));
      change(next, 13, range(14, 15, 1));
      expect(next.view.blocks()).toEqual([...range(12, 13), ...range(14, 15, 1)]);
      change(next, 15, range(16, 30, 1));
      expect(next.view.blocks()).toEqual(range(26, 30, 1));
      change(next, 28, []);
      expect(next.view.blocks()).toEqual(range(26, 28, 1));
      change(next, null, range(500_000, 500_001));
      expect(next.view.blocks()).toEqual(range(500_000, 500_001));
    });
  });
});
