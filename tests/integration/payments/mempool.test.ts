/** The pool over a real engine, with recorded payments: admission, conflicts, chain events, restart. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EngineHost, NodeEvent } from "@svc/node-server/engine/host/engineHost.ts";
import { WorkRateLimiter } from "@svc/node-server/engine/verify/workRateLimiter.ts";
import type { ProofJob } from "@svc/node-server/engine/calls/engineMessages.ts";
import { Mempool } from "@svc/node-server/mempool/mempool.ts";
import type { PoolChange } from "@svc/node-server/mempool/poolChange.ts";
import { PoolStore, type StoredTransaction } from "@svc/node-server/mempool/poolStore.ts";
import { TemplateService } from "@svc/node-server/mining/templateService.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { META_TABLES } from "@svc/node-server/storage/layout.ts";
import { MemoryKv } from "@svc/node-server/storage/memoryKv.ts";
import { asDaaScore, asNullifier, asTxId } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { MEMPOOL_LIMITS } from "@svc/node-server/mempool/mempoolLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { core, NOW_MS, simnet, startTrustingHost } from "../engine/engineFixture.ts";
import { askFacts } from "@svc/node-server/engine/calls/askFacts.ts";

const fixture = readPaymentFixture();
const trunk = fixture.trunk;
const payment = (name: string) => fixture.payment(name);
const alice = decodeHex(fixture.owners.alice.recipient);

let engine: EngineHost;
let kv: MemoryKv;
let pool: Mempool;
let changes: string[];
let judged: ProofJob[];
let verdict: SvcError | null;
/** Payments whose proofs do not hold. */
let refused: ReadonlySet<string>;
/** Why nothing can be judged. */
let failure: SvcError | null;
/** Verdicts wait for it. */
let held: Promise<void>;
/** Pools in the order in which they were opened. */
const pools: Mempool[] = [];
const addedAtDaa = asDaaScore(5n);
/** DAA score from which bundles have another form, so that no recorded payment can be read in it. */
let formEnds: bigint;

function nameOf(txid: string): string {
  const names = ["first", "plain", "waiting", "later", "second"];
  return names.find((name) => payment(name).txid === txid) ?? txid;
}

/** Names of the payments in the pool's store. */
function storedNames(): string[] {
  const { rows } = new PoolStore(kv, () => {}).page(new Uint8Array(), 100);
  return rows.map((row) => (row instanceof SvcError ? row.code : nameOf(row.txid)));
}

/** One payment of two actions. */
const once = { each: { perSecond: 1, burst: 2 }, all: { perSecond: 100, burst: 100 } };
const onceEach = { headers: once, witnesses: once, proofs: once };

async function openPool(work = new WorkRateLimiter(new ManualClock(NOW_MS))): Promise<Mempool> {
  const opened = new Mempool({
    engine,
    verify: async (job) => {
      judged.push(job);
      await held;
      if (failure !== null) throw failure;
      return refused.has(job.txid) ? new SvcError("shielded/proof-invalid", {}) : verdict;
    },
    identify: (raw) => asTxId(core.transactionId(raw)),
    nullifiersOf: (raw, daaScore) => {
      if (daaScore >= formEnds)
        throw new SvcError("codec/unexpected-end", { needed: "1", remaining: "0" });
      const summary: { nullifiers: string[] } = JSON.parse(
        core.transactionSummary(simnet, raw, daaScore),
      );
      return summary.nullifiers.map(asNullifier);
    },
    work,
    store: new PoolStore(kv, (flush) => setImmediate(flush)),
    log: createLog("silent"),
    mass: { compute: 500_000n, transient: 1_000_000n },
    blockTimeMs: 1000,
  });
  pools.push(opened);
  opened.onChange((change: PoolChange) => {
    changes.push(
      change.type === "added"
        ? `+${nameOf(change.entry.txid)}`
        : `-${nameOf(change.txid)} ${change.reason}`,
    );
  });
  await opened.start();
  await opened.restored;
  return opened;
}

async function insert(blocks: readonly Uint8Array[]): Promise<void> {
  for (const raw of blocks) {
    expect((await engine.insertBlock(raw, NOW_MS)).kind).toBe("accepted");
  }
  await pool.settled();
}

beforeEach(async () => {
  engine = await startTrustingHost(null);
  kv = new MemoryKv();
  [changes, judged, verdict, failure] = [[], [], null, null];
  [refused, held] = [new Set(), Promise.resolve()];
  formEnds = 1n << 63n;
  pool = await openPool();
  await insert(trunk.slice(0, fixture.forkIndex));
});

afterEach(async () => {
  await pool.stop();
  await engine.stop();
});

describe("admission", () => {
  test("a payment is judged once and waits with its fee and size", async () => {
    const { raw, txid, fee } = payment("waiting");
    const [a, b] = await Promise.all([pool.submit(raw), pool.submit(raw)]);
    expect([a, b]).toEqual([txid, txid]);
    expect(judged.length).toBe(1);
    const [entry] = pool.entries();
    expect(entry).toMatchObject({ txid, fee, raw });
    expect(entry?.nullifiers).toContain(payment("waiting").nullifier);
    await expect(pool.submit(raw)).rejects.toThrow("mempool/duplicate");
    expect(changes).toEqual(["+waiting"]);
  });

  test("the second spender of a note is refused, also when both are judged at the same time", async () => {
    const both = [pool.submit(payment("first").raw), pool.submit(payment("second").raw)];
    const settled = await Promise.allSettled(both);
    expect(settled.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(pool.size).toBe(1);
    const loser = pool.get(payment("first").txid) === undefined ? "first" : "second";
    await expect(pool.submit(payment(loser).raw)).rejects.toThrow("mempool/nullifier-conflict");
    expect(storedNames()).toHaveLength(1);
  });

  test("a refused proof leaves nothing behind", async () => {
    verdict = new SvcError("tx/invalid-proof", { reason: "no" });
    await expect(pool.submit(payment("waiting").raw)).rejects.toThrow("tx/invalid-proof");
    expect(pool.size).toBe(0);
    verdict = null;
    await pool.submit(payment("waiting").raw);
    expect(judged.length).toBe(2);
  });

  test("one source has only so many proofs judged; others and the node itself have theirs", async () => {
    await pool.stop();
    pool = await openPool(new WorkRateLimiter(new ManualClock(NOW_MS), onceEach));
    verdict = new SvcError("tx/invalid-proof", { reason: "no" });
    const { raw } = payment("waiting");
    await expect(pool.submit(raw, "a")).rejects.toThrow("tx/invalid-proof");
    await expect(pool.submit(raw, "a")).rejects.toThrow("queue/too-fast");
    await expect(pool.submit(raw, "b")).rejects.toThrow("tx/invalid-proof");
    await expect(pool.submit(raw)).rejects.toThrow("tx/invalid-proof");
    expect(judged.length).toBe(3);
  });

  test("bytes that are no transaction have their own error", async () => {
    const { raw } = payment("waiting");
    await expect(pool.submit(raw.subarray(0, 50))).rejects.toThrow("codec/unexpected-end");
    await expect(pool.submit(Uint8Array.of(...raw, 0))).rejects.toThrow("codec/trailing-bytes");
  });
});

describe("chain events", () => {
  test("an applied payment leaves, its conflict is told apart, both are refused afterwards", async () => {
    await pool.submit(payment("plain").raw);
    await pool.submit(payment("waiting").raw);
    await insert(trunk.slice(fixture.forkIndex));
    expect(changes).toEqual(["+plain", "+waiting", "-plain applied"]);
    await expect(pool.submit(payment("plain").raw)).rejects.toThrow("mempool/already-applied");
  });

  test("a payment whose note a block spends otherwise leaves as a conflict", async () => {
    await pool.submit(payment("second").raw);
    await insert(fixture.branch);
    expect(changes).toEqual(["+second", "-second conflict"]);
    await expect(pool.submit(payment("second").raw)).rejects.toThrow("tx/nullifier-spent");
  });

  test("a payment that is merged after the form of bundles changed is read in its own form", async () => {
    await pool.submit(payment("second").raw);
    const carrier: { daaScore: string } = JSON.parse(await engine.ask("tip", []));
    // The first block of the branch carries the payment, at virtual's score; the next one merges it.
    formEnds = BigInt(carrier.daaScore) + 1n;
    await insert(fixture.branch);
    expect(changes).toEqual(["+second", "-second conflict"]);
  });

  test("a payment that cannot be read keeps nothing else from happening", async () => {
    await pool.submit(payment("waiting").raw);
    await insert(trunk.slice(fixture.forkIndex));
    formEnds = 0n;
    const revision = pool.revision;
    await insert(fixture.branch);
    expect(pool.revision).toBeGreaterThan(revision);
    // The payment of the block that left the chain may come back: it is no longer remembered as applied.
    await expect(pool.submit(payment("plain").raw)).rejects.not.toThrow("mempool/already-applied");
  });

  test("a payment whose block leaves the chain is not lost: the new chain merges it", async () => {
    await insert(trunk.slice(fixture.forkIndex));
    await insert(fixture.branch);
    const tip: { sink: string } = JSON.parse(await engine.ask("tip", []));
    const before: { applied: unknown[] } = JSON.parse(
      (await engine.ask("chainFacts", [tip.sink])) ?? "",
    );
    expect(before.applied).toEqual([]);
    const templates = new TemplateService({
      engine,
      pool,
      clock: new ManualClock(NOW_MS),
      version: "t",
    });
    const merging = await templates.build({ payScript: alice, extraData: new Uint8Array() });
    await insert([merging]);
    const { hash }: { hash: string } = JSON.parse(core.computeHashes(merging));
    const after: { applied: { txid: string }[] } = JSON.parse(
      (await engine.ask("chainFacts", [hash])) ?? "",
    );
    expect(after.applied.map(({ txid }) => nameOf(txid))).toEqual(["plain"]);
    await expect(pool.submit(payment("plain").raw)).rejects.toThrow("mempool/already-applied");
    expect(pool.size).toBe(0);
  });
});

describe("templates", () => {
  test("a template carries waiting payments; what it refuses is held back until the chain moves", async () => {
    const templates = new TemplateService({
      engine,
      pool,
      clock: new ManualClock(NOW_MS),
      version: "t",
    });
    const wish = { payScript: alice, extraData: new Uint8Array() };
    const empty = await templates.build(wish);
    await pool.submit(payment("waiting").raw);
    await pool.submit(payment("later").raw);
    const full = await templates.build(wish);
    expect(txidsOf(empty).length).toBe(1);
    expect(txidsOf(full).slice(1).toSorted()).toEqual(
      [payment("waiting").txid, payment("later").txid].toSorted(),
    );
    expect(await templates.build(wish)).toBe(full);
    await insert([full]);
    // Both wait to be merged: their notes count as spent for the block after.
    expect(txidsOf(await templates.build(wish)).length).toBe(1);
    expect(pool.size).toBe(2);
    await insert([await templates.build(wish)]);
    expect(pool.size).toBe(0);
    expect(changes.slice(2).toSorted()).toEqual(["-later applied", "-waiting applied"]);
  });

  test("another pay address has its own template", async () => {
    const templates = new TemplateService({
      engine,
      pool,
      clock: new ManualClock(NOW_MS),
      version: "t",
    });
    const bob = decodeHex(fixture.owners.bob.recipient);
    const extraData = new Uint8Array();
    const mine = await templates.build({ payScript: alice, extraData });
    expect(await templates.build({ payScript: bob, extraData })).not.toEqual(mine);
    await expect(templates.build({ payScript: new Uint8Array(43), extraData })).rejects.toThrow(
      /template|coinbase/,
    );
  });
});

describe("a chain that moves faster than the pool can follow", () => {
  test("is not queued without a bound: what waits is judged on its end, and followed from there", async () => {
    await pool.stop();
    let tell: (event: NodeEvent) => void = () => {};
    const { onEvent } = engine;
    engine.onEvent = (listener) => {
      tell = listener;
      return () => {};
    };
    pool = await openPool();
    engine.onEvent = onEvent;
    const { txid, raw } = payment("waiting");
    await pool.submit(raw);
    const tip = await askFacts(engine, "tip", []);
    const { sink, sinkBlueScore, daaScore, tips, chainIndex: index } = tip;
    const moved = (applied: readonly string[]): NodeEvent => {
      const block = { hash: sink, index, blueScore: sinkBlueScore, daaScore, dropped: [] };
      const added = [{ ...block, applied: applied.map(asTxId) }];
      const place = { sink, sinkBlueScore, daaScore, tips: [...tips] };
      return { type: "virtualChanged", removed: [], added, ...place, last: true };
    };
    for (let count = 0; count < MEMPOOL_LIMITS.mempoolEventsWaiting; count += 1) tell(moved([]));
    // Nobody remembers what these said: the engine does not say that it is applied.
    for (let count = 0; count < 10; count += 1) tell(moved([txid]));
    await pool.settled();
    expect(changes).toEqual(["+waiting"]);
    tell(moved([txid]));
    await pool.settled();
    expect(changes).toEqual(["+waiting", "-waiting applied"]);
  });
});

describe("an engine that comes back", () => {
  test("with another chain: what does not apply there leaves, nothing counts as applied", async () => {
    await insert(trunk.slice(fixture.forkIndex));
    await expect(pool.submit(payment("plain").raw)).rejects.toThrow("mempool/already-applied");
    await pool.submit(payment("later").raw);
    // Nothing was on disk: the engine begins at genesis.
    await engine.replace(async () => {});
    await pool.settled();
    expect(pool.size).toBe(0);
    expect(changes).toEqual(["+later", "-later invalid"]);
    await insert(trunk.slice(0, fixture.forkIndex));
    expect(await pool.submit(payment("plain").raw)).toBe(payment("plain").txid);
  });

  test("with the same chain: what waits is still known to hold", async () => {
    await onDisk(async () => {
      const revision = pool.revision;
      await engine.replace(async () => {});
      await pool.settled();
      expect(pool.revision).toBeGreaterThan(revision);
      expect(changes).toEqual(["+waiting"]);
      const check = await engine.checkTransaction(payment("waiting").raw);
      expect(check.verdict).toBe("known");
      expect(judged.length).toBe(1);
    });
  });

  test("past a change of form: what waits is judged again in its new form", async () => {
    await onDisk(async () => {
      const { checkTransaction } = engine;
      engine.checkTransaction = async (raw) => {
        const check = await checkTransaction.call(engine, raw);
        return { ...check, format: 1 - check.format, verdict: "needed" };
      };
      verdict = new SvcError("tx/invalid-proof", { reason: "no" });
      await engine.replace(async () => {});
      await pool.settled();
      await pool.stop();
      expect(changes).toEqual(["+waiting", "-waiting invalid"]);
      expect(judged.map(({ format }) => format)).toEqual([1, 0]);
    });
  });
});

/** With a store that outlives its engine, and a payment that waits. */
async function onDisk(work: () => Promise<void>): Promise<void> {
  const folder = temporaryFolder();
  await pool.stop();
  await engine.stop();
  engine = await startTrustingHost(folder.path);
  pool = await openPool();
  await insert(trunk.slice(0, fixture.forkIndex));
  await pool.submit(payment("waiting").raw);
  await work();
  await pool.stop();
  await engine.stop();
  folder.remove();
}

describe("restart", () => {
  test("acknowledged payments are there again once they have been judged again", async () => {
    await pool.submit(payment("waiting").raw);
    await pool.submit(payment("plain").raw);
    await restartEngine();
    pool = await openPool();
    expect(pool.size).toBe(2);
    expect(judged.map(({ txid }) => nameOf(txid)).toSorted()).toEqual(
      ["waiting", "plain", "waiting", "plain"].toSorted(),
    );
    expect(storedNames()).toHaveLength(2);
  });

  test("a stored payment whose proof does not hold is dropped, and no block is believed for it", async () => {
    await pool.submit(payment("waiting").raw);
    await restartEngine();
    // Whoever can write the file puts a payment there that nobody has judged.
    const { raw, txid } = payment("later");
    await store({ txid, format: 1, addedAtDaa, raw });
    refused = new Set([txid]);
    pool = await openPool();
    expect(pool.entries().map((entry) => nameOf(entry.txid))).toEqual(["waiting"]);
    expect(storedNames()).toEqual(["waiting"]);
    expect((await engine.checkTransaction(raw)).verdict).toBe("needed");
  });

  test("a payment stored under another id is dropped unseen", async () => {
    await restartEngine();
    const { raw } = payment("later");
    const { txid } = payment("plain");
    await store({ txid, format: 1, addedAtDaa, raw });
    pool = await openPool();
    expect([pool.size, storedNames(), judged.length]).toEqual([0, [], 0]);
    expect((await engine.checkTransaction(payment("plain").raw)).verdict).toBe("needed");
  });

  test("a row that cannot be read keeps no other from coming back, and stays", async () => {
    await pool.submit(payment("waiting").raw);
    await restartEngine();
    kv.commit([
      { table: META_TABLES.pool, key: new Uint8Array(32), value: Uint8Array.of(9, 9, 9) },
    ]);
    pool = await openPool();
    expect(pool.entries().map((entry) => nameOf(entry.txid))).toEqual(["waiting"]);
    expect(storedNames().toSorted()).toEqual(["store/corrupt", "waiting"]);
  });

  test.each([
    new SvcError("node/stopping", {}),
    new SvcError("internal/unexpected", { message: "no memory" }),
    new SvcError("prove/assets-damaged", { reason: "gone" }),
    new SvcError("engine/panic", { message: "a defect" }),
    new SvcError("store/corrupt", { table: "segments", reason: "a record of the chain" }),
  ])("what could not be judged waits for the next start: $code", async (cause) => {
    await pool.submit(payment("waiting").raw);
    await restartEngine();
    failure = cause;
    pool = await openPool();
    expect([pool.size, storedNames()]).toEqual([0, ["waiting"]]);
    await restartEngine();
    failure = null;
    pool = await openPool();
    expect([pool.size, storedNames()]).toEqual([1, ["waiting"]]);
  });

  test("one that a peer brought meanwhile is not judged twice, and stays on disk", async () => {
    await pool.submit(payment("waiting").raw);
    await restartEngine();
    const opened = Promise.withResolvers<void>();
    held = opened.promise;
    const opening = openPool();
    while (judged.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const brought = pools.at(-1)?.submit(payment("waiting").raw, "peer");
    opened.resolve();
    pool = await opening;
    expect(await brought).toBe(payment("waiting").txid);
    expect([pool.size, judged.length, storedNames()]).toEqual([1, 2, ["waiting"]]);
  });

  test("what was applied meanwhile is not taken back", async () => {
    await pool.submit(payment("plain").raw);
    await pool.submit(payment("later").raw);
    await restartEngine();
    for (const raw of trunk.slice(fixture.forkIndex)) await engine.insertBlock(raw, NOW_MS);
    pool = await openPool();
    expect(pool.entries().map(({ txid }) => nameOf(txid))).toEqual(["later"]);
    expect(storedNames()).toEqual(["later"]);
  });
});

/** Ends the pool; the engine is another one afterwards, with the same blocks and nothing in memory. */
async function restartEngine(): Promise<void> {
  await pool.stop();
  await engine.stop();
  engine = await startTrustingHost(null);
  for (const raw of trunk.slice(0, fixture.forkIndex)) await engine.insertBlock(raw, NOW_MS);
}

/** Writes a row as a node writes it. */
function store(row: StoredTransaction): Promise<void> {
  return new PoolStore(kv, (flush) => setImmediate(flush)).put(row);
}

function txidsOf(block: Uint8Array): string[] {
  const hashes: { txids: string[] } = JSON.parse(core.computeHashes(block));
  return hashes.txids;
}
