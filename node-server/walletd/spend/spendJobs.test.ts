import { describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import type { Log } from "../../platform/log/log.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import {
  addressOf,
  FAKE_CORE,
  NO_LOG,
  opened,
  readTransaction,
  SceneDisk,
  startDaemon,
  textOf,
  type SceneDaemon,
} from "../testkit/spendScene.ts";
import { APPROVAL_PHASE } from "./tokens/approvals.ts";
import { encodeJobRequest, orderHash, sendOrder } from "./spendOrder.ts";

const COIN = 100_000_000n;
const { signal } = new AbortController();
const OWN = addressOf(1);
const ASYNC = { key: null, isAsync: true };
/** One note a transaction. */
const policy = { maxSpends: 1 };

/** A wallet with four notes of one coin. */
async function setUp({ log = NO_LOG }: { readonly log?: Log } = {}) {
  const model = new ChainModel();
  const outputs = Array.from({ length: 4 }, () => ({ value: COIN, recipient: OWN }));
  model.add({ txs: [{ txid: model.txid(), outputs }] });
  model.addEmpty(20);
  const disk = new SceneDisk(model);
  const token = disk.add("alice", OWN);
  const daemon = startDaemon(disk, { policy, log });
  const open = await opened(daemon, token);
  return { disk, token, daemon, open, service: daemon.service };
}

type Gate = { readonly plans: number; readonly release: () => void };

/** Holds every proof until it is released or given up. */
function held({ prover }: SceneDaemon): Gate[] {
  const gates: Gate[] = [];
  prover.gate = (_, stop) =>
    new Promise((resolve, reject) => {
      gates.push({ plans: prover.plans.length, release: resolve });
      stop.addEventListener("abort", () => reject(new SvcError("run/aborted", {})));
    });
  return gates;
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

const payees = [5, 6, 7].map((number) => ({ to: textOf(number), amount: COIN / 2n }));

async function begin(scene: Awaited<ReturnType<typeof setUp>>): Promise<string> {
  const reply = await scene.service.sendMany(scene.open, { payees }, ASYNC, signal);
  return reply.kind === "job" ? reply.id : expect.unreachable();
}

async function stop(daemon: SceneDaemon): Promise<void> {
  await daemon.service.stop();
  await daemon.lanes.stop();
}

describe("a job that waits for approval", () => {
  it("is begun by nobody: neither by a start nor by a repetition of its call", async () => {
    const { disk, daemon, service, token, open } = await setUp();
    const request = { to: textOf(9), amount: COIN / 2n };
    const order = sendOrder({ core: FAKE_CORE, hrp: "test", fvk: open.keys.fvk }, request);
    const use = { token, key: "k" };
    const nowMs = daemon.sim.nowMs();
    const { jobs, idempotency } = daemon.store;
    daemon.store.commit((batch) => {
      idempotency.claim(batch, use, orderHash(order), nowMs);
      idempotency.name(batch, use, { jobId: "ab".repeat(16) });
      jobs.put(batch, {
        id: "ab".repeat(16),
        token,
        kind: "send",
        request: encodeJobRequest({ order, key: "k", by: null }),
        phase: APPROVAL_PHASE,
        done: 0,
        total: 0,
        createdMs: nowMs,
        updatedMs: nowMs,
        state: "waiting",
        answer: null,
        error: null,
      });
    });
    await service.resume();
    const again = await service.send(open, request, { key: "k", isAsync: true }, signal);
    expect(again).toEqual({ kind: "job", id: "ab".repeat(16) });
    const waiting = service.send(open, request, { key: "k", isAsync: false }, signal);
    await expect(waiting).rejects.toThrow("wallet/approval-needed");
    await daemon.sim.run(60_000);
    expect(disk.node.submitted).toEqual([]);
    await stop(daemon);
  });
});

describe("a job whose end cannot be stored", () => {
  it("says so, stores it as soon as there is room, and holds no notes then", async () => {
    const scene = await setUp();
    const { disk, daemon, service, token, open } = scene;
    const gates = held(daemon);
    const reply = service.sendMany(open, { payees }, { key: "k", isAsync: false }, signal);
    const refused = reply.catch((thrown: unknown) => SvcError.from(thrown).code);
    await turns();
    const [row] = daemon.store.jobs.ofWallet(token);
    gates[0]?.release();
    await turns();
    const { commit } = daemon.store;
    daemon.store.commit = () => {
      throw new SvcError("store/commit-failed", { reason: "a test" });
    };
    gates[1]?.release();
    expect(await refused).toBe("store/commit-failed");
    daemon.store.commit = commit;
    await daemon.sim.run(10_000);
    const id = row?.id ?? "";
    expect(service.job(token, id)).toMatchObject({ state: "failed", done: 1 });
    expect(open.state.outbox.map((payment) => payment.id)).toEqual([`${id}:0`]);
    expect(disk.node.submitted).toHaveLength(1);
    const again = service.sendMany(open, { payees }, { key: "k", isAsync: false }, signal);
    await expect(again).rejects.toThrow("wallet/partly-sent");
    await stop(daemon);
  });
});

describe("a job", () => {
  it("tells its phase, how far it is, and how long it takes yet", async () => {
    const scene = await setUp();
    const { daemon, service, token } = scene;
    const gates = held(daemon);
    const id = await begin(scene);
    await turns();
    expect(service.job(token, id)).toMatchObject({
      kind: "sendMany",
      state: "running",
      phase: "proving",
      done: 0,
      total: 3,
      secondsLeft: null,
    });
    // Two seconds for two actions; two payments of two actions are left, and half of the first of them is proved.
    await daemon.sim.run(2_000);
    gates[0]?.release();
    await turns();
    expect(service.job(token, id)).toMatchObject({ phase: "proving", done: 1, secondsLeft: 3 });
    gates[1]?.release();
    await turns();
    gates[2]?.release();
    await turns();
    const done = service.job(token, id);
    expect(done).toMatchObject({ state: "done", phase: "", done: 3, total: 3, error: null });
    expect(JSON.parse(done.body ?? "")).toMatchObject({ tx_count: 3, payees: 3 });
    expect(service.job(token, id)).toEqual(done);
    await stop(daemon);
  });

  it("is nobody else's", async () => {
    const scene = await setUp();
    const { daemon, service, disk } = scene;
    const id = await begin(scene);
    const other = disk.add("bob", addressOf(2));
    expect(() => service.job(other, id)).toThrow("wallet/no-job");
    expect(() => service.job(scene.token, "nothing")).toThrow("wallet/no-job");
    await expect(service.cancel(other, id)).rejects.toThrow("wallet/no-job");
    await turns();
    await stop(daemon);
  });

  it("goes on when its caller has gone", async () => {
    const scene = await setUp();
    const { daemon, service, open, disk } = scene;
    const gates = held(daemon);
    const gone = new AbortController();
    const request = { to: textOf(9), amount: COIN / 2n };
    const call = service.send(open, request, { key: "k", isAsync: false }, gone.signal);
    await turns();
    gone.abort();
    await expect(call).rejects.toThrow("run/aborted");
    gates[0]?.release();
    await turns();
    expect(disk.node.submitted).toHaveLength(1);
    const again = await service.send(open, request, { key: "k", isAsync: false }, signal);
    expect(again.kind).toBe("answer");
    await stop(daemon);
  });

  it("goes on when its wallet can be opened, which a start could not", async () => {
    const scene = await setUp();
    const { daemon, disk, token } = scene;
    held(daemon);
    const id = await begin(scene);
    await turns();
    await stop(daemon);
    const next = startDaemon(disk, { policy });
    const { openKeys } = next.folder;
    next.folder.openKeys = async () => {
      throw new SvcError("wallet/storage", { reason: "a test" });
    };
    await next.service.resume();
    expect(next.service.job(token, id)).toMatchObject({ state: "running" });
    await expect(next.service.cancel(token, id)).rejects.toThrow("wallet/opening");
    next.folder.openKeys = openKeys;
    for (let turn = 0; turn < 60 && next.service.job(token, id).state !== "done"; turn += 1) {
      next.lanes.wake();
      await next.sim.run(WALLETD_LIMITS.spendReopenMs);
    }
    expect(next.service.job(token, id)).toMatchObject({ state: "done", done: 3 });
    await stop(next);
  });

  it("ends at the start that finds its wallet gone, and pays nothing when the wallet is back", async () => {
    const scene = await setUp();
    const { daemon, disk, token } = scene;
    held(daemon);
    const id = await begin(scene);
    await turns();
    await stop(daemon);
    const wallet = disk.wallets.get(token) ?? expect.unreachable();
    disk.wallets.delete(token);
    const next = startDaemon(disk, { policy });
    await next.service.resume();
    const error = { code: "wallet/no-wallet" };
    expect(next.service.job(token, id)).toMatchObject({ state: "failed", error });
    expect([...next.store.payments.ofWallet(token)]).toEqual([]);
    disk.wallets.set(token, wallet);
    await opened(next, token);
    await next.sim.run(WALLETD_LIMITS.spendReopenMs);
    expect(disk.node.submitted).toEqual([]);
    await stop(next);
  });

  it("ends at the start that finds its wallet without a seed", async () => {
    const scene = await setUp();
    const { daemon, disk, token } = scene;
    held(daemon);
    const id = await begin(scene);
    await turns();
    await stop(daemon);
    const file = disk.wallets.get(token) ?? expect.unreachable();
    disk.wallets.set(token, { ...file, facts: { ...file.facts, kind: "watch" } });
    const next = startDaemon(disk, { policy });
    await opened(next, token);
    await next.service.resume();
    await turns();
    const error = { code: "wallet/watch-only" };
    expect(next.service.job(token, id)).toMatchObject({ state: "failed", error });
    expect(next.prover.plans).toEqual([]);
    await stop(next);
  });

  it("ends when its wallet was closed behind its back, with its notes free, and is never resumed", async () => {
    const scene = await setUp();
    const { daemon, disk, token, open, service } = scene;
    const gates = held(daemon);
    const id = await begin(scene);
    await turns();
    const file = disk.wallets.get(token) ?? expect.unreachable();
    await daemon.open.whileClosed(token, async () => {
      disk.wallets.set(token, { ...file, facts: { ...file.facts, kind: "watch" } });
    });
    gates[0]?.release();
    await daemon.sim.run(10_000);
    const error = { code: "wallet/opening" };
    expect(service.job(token, id)).toMatchObject({ state: "failed", error });
    expect((await daemon.open.open(token)).state.outbox).toEqual([]);
    expect(() => service.approve(open, id)).toThrow("wallet/opening");
    const late = service.send(open, { to: textOf(9), amount: COIN / 2n }, ASYNC, signal);
    await expect(late).rejects.toThrow("wallet/opening");
    await stop(daemon);
    disk.wallets.set(token, file);
    const next = startDaemon(disk, { policy });
    await next.service.resume();
    await opened(next, token);
    await next.sim.run(10_000);
    expect(disk.node.submitted).toEqual([]);
    await stop(next);
  });

  it("whose closed wallet cannot be opened ends once it can, and the log is told why once", async () => {
    const warnings: unknown[] = [];
    const log: Log = { ...NO_LOG, warn: (fields: unknown) => void warnings.push(fields) };
    const scene = await setUp({ log });
    const { daemon, token, service } = scene;
    const gates = held(daemon);
    const id = await begin(scene);
    await turns();
    const { openKeys } = daemon.folder;
    await daemon.open.whileClosed(token, async () => {
      daemon.folder.openKeys = async () => {
        throw new TypeError("a test");
      };
    });
    gates[0]?.release();
    await daemon.sim.run(5 * WALLETD_LIMITS.spendReopenMs);
    expect(service.job(token, id)).toMatchObject({ state: "running" });
    const told = { job: id, err: { code: "internal/unexpected" } };
    expect(warnings).toMatchObject([told]);
    daemon.folder.openKeys = openKeys;
    await daemon.sim.run(5 * WALLETD_LIMITS.spendReopenMs);
    expect(service.job(token, id)).toMatchObject({ state: "failed" });
    expect((await daemon.open.open(token)).state.outbox).toEqual([]);
    await stop(daemon);
  });

  /** A start with a job, one of whose payments is out, while the wallet waits for its first block. */
  async function notBegun() {
    const scene = await setUp();
    const { daemon, disk, token } = scene;
    const gates = held(daemon);
    const id = await begin(scene);
    await turns();
    gates[0]?.release();
    await turns();
    await stop(daemon);
    disk.scans.delete(token);
    const next = startDaemon(disk, { policy });
    const { promise: found, resolve: release } = Promise.withResolvers<void>();
    const { node } = disk;
    const { start } = node;
    node.start = async (index) => {
      await found;
      return start.call(node, index);
    };
    const open = await next.open.open(token);
    await next.service.resume();
    await turns();
    expect(open.wallet.isBegun).toBe(false);
    return { ...scene, next, id, release };
  }

  it("leaves nothing unsent when it is cancelled while its wallet waits for its first block", async () => {
    const { next, token, id, release } = await notBegun();
    const error = { code: "wallet/partly-sent" };
    expect(await next.service.cancel(token, id)).toMatchObject({ state: "cancelled", error });
    const sent = [`${id}:0`];
    expect([...next.store.payments.ofWallet(token)].map((payment) => payment.id)).toEqual(sent);
    release();
    const open = await opened(next, token);
    expect(open.state.outbox.map((payment) => payment.id)).toEqual(sent);
    await stop(next);
  });

  it("ends over the wallet as it is then when it was closed before its first block", async () => {
    const { next, token, id, release } = await notBegun();
    await next.open.whileClosed(token, async () => undefined);
    await expect(next.service.cancel(token, id)).rejects.toThrow("wallet/opening");
    release();
    await next.sim.run(10_000);
    expect(next.service.job(token, id)).toMatchObject({ state: "cancelled" });
    const { state } = await opened(next, token);
    expect(state.outbox.map((payment) => payment.id)).toEqual([`${id}:0`]);
    await stop(next);
  });

  it("frees its notes when it is cancelled", async () => {
    const scene = await setUp();
    const { daemon, service, token, open, disk } = scene;
    held(daemon);
    const id = await begin(scene);
    await turns();
    const view = await service.cancel(token, id);
    expect(view).toMatchObject({ state: "cancelled", error: { code: "wallet/cancelled" } });
    expect(open.state.outbox).toEqual([]);
    expect([...daemon.store.payments.ofWallet(token)]).toEqual([]);
    expect(disk.node.submitted).toEqual([]);
    expect(await service.cancel(token, id)).toEqual(view);
    await stop(daemon);
  });

  it("says what had been sent when it is cancelled", async () => {
    const scene = await setUp();
    const { daemon, service, token, open } = scene;
    const gates = held(daemon);
    const id = await begin(scene);
    await turns();
    gates[0]?.release();
    await turns();
    const view = await service.cancel(token, id);
    expect(view).toMatchObject({
      state: "cancelled",
      done: 1,
      total: 3,
      error: { code: "wallet/partly-sent", data: { sent: "1", total: "3", sompi: "50000000" } },
    });
    expect(open.state.outbox).toHaveLength(1);
    await stop(daemon);
  });

  it("goes on after a stop, pays the rest and nothing twice", async () => {
    const scene = await setUp();
    const { daemon, disk, token } = scene;
    const gates = held(daemon);
    const id = await begin(scene);
    await turns();
    gates[0]?.release();
    await turns();
    await daemon.writer.save(scene.open);
    await stop(daemon);
    await daemon.open.stop();
    expect(disk.node.submitted).toHaveLength(1);
    const next = startDaemon(disk, { policy });
    await next.service.resume();
    await opened(next, token);
    await next.sim.run(5_000);
    expect(next.service.job(token, id)).toMatchObject({ state: "done", done: 3, total: 3 });
    const paid = disk.node.submitted.flatMap((raw) =>
      readTransaction(raw).outputs.map(({ address }) => Number(`0x${address}`)),
    );
    expect(paid).toEqual([5, 6, 7]);
    await stop(next);
  });

  it("is refused beyond the bound, and nothing of it is stored", async () => {
    const scene = await setUp();
    const { daemon, service, open } = scene;
    held(daemon);
    const limit = WALLETD_LIMITS.spendJobs;
    const request = { to: textOf(9), amount: COIN / 2n };
    const calls = Array.from({ length: limit }, () => service.send(open, request, ASYNC, signal));
    const settled = await Promise.allSettled([
      ...calls,
      service.send(open, request, { key: "k", isAsync: true }, signal),
    ]);
    expect(settled.at(-1)).toMatchObject({ reason: { code: "queue/full" } });
    expect(daemon.store.idempotency.get({ token: "alice", key: "k" })).toBeUndefined();
    expect(settled.slice(0, -1).every(({ status }) => status === "fulfilled")).toBe(true);
    await stop(daemon);
  });
});
