import { describe, expect, it } from "vitest";
import { asHash32 } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import { KEYS_END } from "../../storage/kv.ts";
import { MemoryKv } from "../../storage/memoryKv.ts";
import { asWalletToken } from "../keys/walletToken.ts";
import { STORE_TABLES } from "../store/walletStoreLayout.ts";
import {
  addressOf,
  opened,
  SceneDisk,
  startDaemon,
  textOf,
  type SceneDaemon,
} from "../testkit/spendScene.ts";

const COIN = 100_000_000n;
const { signal } = new AbortController();
const OWN = addressOf(1);
const HASH = asHash32("ab".repeat(32));

async function setUp() {
  const model = new ChainModel();
  model.add({ txs: [{ txid: model.txid(), outputs: [{ value: 5n * COIN, recipient: OWN }] }] });
  model.addEmpty(20);
  const disk = new SceneDisk(model);
  const token = disk.add("alice", OWN);
  const daemon = startDaemon(disk);
  const open = await opened(daemon, token);
  return { disk, token, daemon, open };
}

async function stop({ service, open, lanes }: SceneDaemon): Promise<void> {
  await service.stop();
  await open.stop();
  await lanes.stop();
}

/** What a promise rejects with. */
async function rejection(promise: Promise<unknown>): Promise<string | null> {
  return promise.then(
    () => null,
    (thrown: unknown) => SvcError.from(thrown).code,
  );
}

describe("a wallet that is dropped", () => {
  it("is opened again when it is written, and never stands twice for one wallet", async () => {
    const { daemon, token, open } = await setUp();
    const dropping = daemon.open.drop(token);
    const again = daemon.open.open(token);
    await dropping;
    const next = await again;
    expect(next).not.toBe(open);
    expect([open.isClosed, next.isClosed]).toEqual([true, false]);
    expect(daemon.open.all).toEqual([next]);
    expect(next.keys.fvk.some((byte) => byte !== 0)).toBe(true);
    await stop(daemon);
  });

  it("stores nothing any more: who still holds it cannot choose notes twice", async () => {
    const { daemon, token, open } = await setUp();
    await daemon.open.drop(token);
    const request = { to: textOf(9), amount: COIN };
    const call = { key: null, isAsync: false };
    expect(await rejection(daemon.service.send(open, request, call, signal))).not.toBe(null);
    expect(await rejection(open.update((state) => ({ ...state, outbox: [] })))).toBe(
      "wallet/opening",
    );
    expect([...daemon.store.payments.ofWallet(token)]).toEqual([]);
    await stop(daemon);
  });

  it("does not come back to the lanes by a rescan that had begun", async () => {
    const { daemon, disk, token, open } = await setUp();
    let answer: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const { tip } = disk.node;
    Object.assign(disk.node, {
      tip: async () => {
        await asked;
        return tip.call(disk.node);
      },
    });
    const rescan = rejection(daemon.open.rescan(open, signal));
    await daemon.open.drop(token);
    answer();
    expect(await rescan).toBe("wallet/opening");
    await daemon.sim.run(10_000);
    expect(daemon.lanes.isAtTip(open.wallet)).toBe(false);
    await stop(daemon);
  });

  it("lets the others be dropped when it cannot be written, and says so", async () => {
    const { daemon, disk, token } = await setUp();
    const second = disk.add("bob", addressOf(2));
    const other = await opened(daemon, second);
    await daemon.service.stop();
    const full = new SvcError("wallet/storage", { reason: "ENOSPC" });
    const { set } = disk.scans;
    disk.scans.set = (name, bytes) => {
      if (name === token) throw full;
      return set.call(disk.scans, name, bytes);
    };
    expect(await rejection(daemon.open.stop())).toBe("wallet/storage");
    expect(daemon.open.all).toEqual([]);
    expect(other.isClosed).toBe(true);
    expect(disk.scans.has(second)).toBe(true);
    await daemon.lanes.stop();
  });
});

describe("work on the files of a wallet", () => {
  it("is done while nobody opens it, so that what is opened then is what it left", async () => {
    const { daemon, disk, token, open } = await setUp();
    const order: string[] = [];
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const work = daemon.open.whileClosed(token, async () => {
      order.push("begun");
      await gate;
      disk.scans.delete(token);
      disk.add("alice", addressOf(2));
      daemon.store.deleteWallet(token);
      order.push("replaced");
    });
    const next = daemon.open.open(token).then((found) => {
      order.push("opened");
      return found;
    });
    await daemon.sim.run(5_000);
    expect(order).toEqual(["begun"]);
    go();
    await work;
    expect((await next).keys.address.raw).toBe(addressOf(2));
    expect(order).toEqual(["begun", "replaced", "opened"]);
    expect(open.isClosed).toBe(true);
    await stop(daemon);
  });
});

describe("a database that somebody put back", () => {
  /** The disk after a payment, beside the database of before it, whose numbers have come further since. */
  async function putBack() {
    const { daemon, disk, token } = await setUp();
    await daemon.open.drop(token);
    const older = copyOf(disk);
    const open = await opened(daemon, token);
    const call = { key: "k", isAsync: false };
    await daemon.service.send(open, { to: textOf(9), amount: COIN }, call, signal);
    await stop(daemon);
    const next = startDaemon(disk, { kv: older });
    const { store, sim } = next;
    for (let commit = 0; commit < 100; commit += 1) {
      const use = { token: "another", key: String(commit) };
      store.commit((batch) => store.idempotency.claim(batch, use, HASH, sim.nowMs()));
    }
    return { daemon: next, token };
  }

  function copyOf({ kv }: SceneDisk): MemoryKv {
    const copy = new MemoryKv();
    for (const table of Object.values(STORE_TABLES)) {
      const pairs = kv.range({ table, from: new Uint8Array(), to: KEYS_END, limit: 10_000 });
      copy.commit(pairs.map((pair) => ({ ...pair, table })));
    }
    return copy;
  }

  it("spends nothing, however many commits it has made since", async () => {
    const { daemon, token } = await putBack();
    const open = await opened(daemon, token);
    expect([open.rowsLost, open.fault?.code]).toEqual([true, "wallet/rows-lost"]);
    await stop(daemon);
  });

  it("is accepted by a rescan that the owner asks for, and by no other", async () => {
    const { daemon, token } = await putBack();
    const open = await opened(daemon, token);
    daemon.open.rescanLater(open);
    await daemon.sim.run(10_000);
    expect(open.rowsLost).toBe(true);
    daemon.open.rescanLater(open, { byOwner: true });
    await daemon.sim.run(10_000);
    expect([open.rowsLost, open.fault]).toEqual([false, null]);
    await daemon.open.drop(token);
    expect((await opened(daemon, token)).rowsLost).toBe(false);
    await stop(daemon);
  });
});

describe("a rescan", () => {
  it("that cannot be stored leaves the wallet where it was", async () => {
    const { daemon, open } = await setUp();
    const { commit } = daemon.store;
    daemon.store.commit = () => {
      throw new SvcError("store/commit-failed", { reason: "a test" });
    };
    // A payment under way is what a restart changes in the store.
    expect(
      await rejection(daemon.open.rescan(open, signal).then(() => open.update((state) => state))),
    ).toBe("store/commit-failed");
    daemon.store.commit = commit;
    await daemon.sim.run(10_000);
    expect(open.isAtTip).toBe(true);
    expect(open.state.notes).toHaveLength(1);
    await stop(daemon);
  });

  it("that is asked for again and again while the node is away is made once", async () => {
    const { daemon, disk, open } = await setUp();
    let restarts = 0;
    const end = open.subscribe(({ blocks }) => {
      if (blocks.length === 1) restarts += 1;
    });
    const away = new SvcError("wallet/node-unreachable", { url: "a test" });
    disk.node.faults.push(...Array.from({ length: 3 }, () => away));
    for (let time = 0; time < 100; time += 1) daemon.open.rescanLater(open);
    await daemon.sim.run(60_000);
    expect(open.isAtTip).toBe(true);
    expect(open.state.notes).toHaveLength(1);
    expect(restarts).toBeGreaterThan(0);
    expect(restarts).toBeLessThan(5);
    end();
    await stop(daemon);
  });
});

describe("the bound of wallets in memory", () => {
  const MOST = 4;

  /** A daemon with many wallets, and the most of them that were ever in memory. */
  function crowd(count: number) {
    const model = new ChainModel();
    model.addEmpty(20);
    const disk = new SceneDisk(model);
    const tokens = Array.from({ length: count }, (_, number) =>
      disk.add(`wallet-${number}`, addressOf(number + 1)),
    );
    const daemon = startDaemon(disk, { most: MOST });
    let most = 0;
    const look = (): void => {
      most = Math.max(most, daemon.open.all.length);
    };
    const openAll = (names = tokens) =>
      Promise.all(
        names.map(async (token) => {
          const open = await daemon.open.open(token);
          look();
          return open;
        }),
      );
    return { daemon, disk, tokens, openAll, mostOpen: () => most };
  }

  it("holds while many are opened at once, and each of them is opened", async () => {
    const { daemon, tokens, openAll, mostOpen } = crowd(40);
    const opened = await openAll();
    expect(opened.map(({ token }) => token)).toEqual(tokens);
    expect(mostOpen()).toBe(MOST);
    expect(daemon.open.all).toHaveLength(MOST);
    expect(daemon.open.crowded).toBe(tokens.length - MOST);
    await openAll();
    expect(mostOpen()).toBe(MOST);
    await stop(daemon);
  });

  it("lets the wallet go that was asked for longest ago", async () => {
    const { daemon, tokens, openAll } = crowd(MOST + 1);
    const [first, second, ...others] = tokens;
    if (first === undefined || second === undefined) throw new Error("there are wallets");
    await openAll(tokens.slice(0, MOST));
    daemon.open.peek(first);
    await openAll(tokens.slice(MOST));
    expect(new Set(daemon.open.all.map(({ token }) => token))).toEqual(new Set([first, ...others]));
    await stop(daemon);
  });

  it("is passed by the busy wallets alone, none of which goes", async () => {
    const { daemon, tokens, openAll, mostOpen } = crowd(40);
    const leaves: (() => void)[] = [];
    const busy = tokens.slice(0, MOST + 2);
    for (const token of busy) leaves.push((await daemon.open.open(token)).use());
    await openAll(tokens.slice(busy.length));
    expect(mostOpen()).toBe(busy.length + 1);
    const open = new Set(daemon.open.all.map(({ token }) => token));
    expect(busy.filter((token) => !open.has(token))).toEqual([]);
    for (const leave of leaves) leave();
    await daemon.open.dropIdle();
    expect(daemon.open.all).toHaveLength(MOST);
    await stop(daemon);
  });

  it("drops nobody for a token that has no wallet", async () => {
    const { daemon, tokens, openAll } = crowd(MOST);
    await openAll();
    const nobody = asWalletToken("nobody");
    expect(await rejection(daemon.open.open(nobody))).toBe("wallet/no-wallet");
    expect(new Set(daemon.open.all.map(({ token }) => token))).toEqual(new Set(tokens));
    await stop(daemon);
  });

  it("holds where a wallet that goes cannot be written, and where one cannot be read", async () => {
    const { daemon, disk, tokens, openAll, mostOpen } = crowd(12);
    for (const token of tokens.slice(0, MOST)) await opened(daemon, token);
    const { set, get } = disk.scans;
    disk.scans.set = () => {
      throw new SvcError("wallet/storage", { reason: "ENOSPC" });
    };
    await openAll(tokens.slice(MOST));
    disk.scans.set = set;
    disk.scans.get = () => {
      throw new SvcError("wallet/storage", { reason: "EIO" });
    };
    for (const token of tokens.slice(0, MOST)) {
      expect(await rejection(daemon.open.open(token))).toBe("wallet/storage");
    }
    disk.scans.get = get;
    await openAll();
    expect(mostOpen()).toBe(MOST);
    await stop(daemon);
  });

  it("keeps a wallet whose rescan waits for the node", async () => {
    const { daemon, disk, tokens, openAll } = crowd(12);
    const [first, ...others] = tokens;
    if (first === undefined) throw new Error("there are wallets");
    const open = await opened(daemon, first);
    const away = new SvcError("wallet/node-unreachable", { url: "a test" });
    disk.node.faults.push(...Array.from({ length: 3 }, () => away));
    daemon.open.rescanLater(open, { byOwner: true });
    await openAll(others);
    expect(open.isClosed).toBe(false);
    await daemon.sim.run(60_000);
    expect(open.isBusy).toBe(false);
    await openAll(others);
    expect(open.isClosed).toBe(true);
    await stop(daemon);
  });
});
