/** Jobs that last and spend nothing: rescans with their share, cancelled, and over a new start. */
import { expect, it } from "vitest";
import { asChainIndex, asDaaScore, type BlockHash } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import { ModelNode } from "@svc/shared/wallet/testkit/ports.ts";
import type { NodeTip } from "@svc/shared/wallet/state/ports.ts";
import { cursorOf } from "@svc/shared/wallet/state/walletState.ts";
import type { Clock } from "../../platform/time/clock.ts";
import {
  addressOf,
  NO_LOG,
  opened,
  SceneDisk,
  startDaemon,
  textOf,
  type SceneDaemon,
} from "../testkit/spendScene.ts";
import { LastingJobs, type LastingWork } from "./lastingJobs.ts";
import { encodeRescanRequest, rescanWork } from "./rescanWork.ts";

const COIN = 100_000_000n;
const OWN = addressOf(1);
const BLOCKS = 40;
/** Later than the wallet's only coin. */
const LATER = asDaaScore(20n);
const { signal } = new AbortController();

/** A node that may be away, and gives ten blocks at once, each time only when it is let. */
class SlowNode extends ModelNode {
  isAway = false;
  isHeld = false;
  #waiting: (() => void)[] = [];

  override async tip(): Promise<NodeTip> {
    if (this.isAway) throw new SvcError("wallet/node-unreachable", { url: "test" });
    return super.tip();
  }

  override async blocks(after: BlockHash, limit: number) {
    if (this.isHeld) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return super.blocks(after, Math.min(limit, 10));
  }

  /** Gives the next blocks to all who wait. */
  release(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
}

function newDisk(): SceneDisk {
  const model = new ChainModel();
  model.add({ txs: [{ txid: model.txid(), outputs: [{ value: 5n * COIN, recipient: OWN }] }] });
  model.addEmpty(BLOCKS - 1);
  return new SceneDisk(model);
}

const NO_WORK: LastingWork = {
  run: () => Promise.reject(new SvcError("wallet/prove-queue", { seconds: 1 })),
  answerOf: (_, kept) => kept,
  undo: async () => undefined,
};

async function start(disk: SceneDisk) {
  const node = new SlowNode(disk.model);
  const daemon = startDaemon(disk, { node });
  const token = disk.add("alice", OWN);
  const open = await opened(daemon, token);
  const jobs = jobsOf(disk, daemon);
  const stop = async () => {
    await jobs.stop();
    await daemon.service.stop();
    await daemon.lanes.stop();
  };
  return { node, daemon, token, open, jobs, stop };
}

function jobsOf(disk: SceneDisk, daemon: SceneDaemon): LastingJobs {
  const now = (): bigint => disk.sim.nowMs();
  const sleep: Clock["sleep"] = (ms, stop) => disk.sim.sleep(ms, stop);
  const clock: Clock = { nowMs: now, steadyMs: now, bootMs: now, sleep };
  const { store, open: wallets } = daemon;
  const works = { rescan: rescanWork({ wallets, clock }), prove: NO_WORK };
  const newId = () => disk.nextId();
  return new LastingJobs({ store, wallets, works, clock, log: NO_LOG, newId });
}

type Scene = Awaited<ReturnType<typeof start>>;

/** Lets pages come until the wallet has scanned so many blocks, no further. */
async function scanTo({ node, daemon, open }: Scene, blocks: number): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    await daemon.sim.run(1_000);
    if (open.wallet.isBegun && cursorOf(open.state).chainIndex >= BigInt(blocks)) return;
    node.release();
  }
  throw new Error("the scan did not come so far");
}

it("a rescan tells how far it is, and is done at the tip", async () => {
  const scene = await start(newDisk());
  const { node, open, jobs, token, stop, daemon } = scene;
  const found = open.state;
  node.isHeld = true;
  const id = await jobs.begin(open, "rescan", "{}");
  await scanTo(scene, 10);
  expect(open.state.blocks.length).toBeLessThan(found.blocks.length);
  const view = jobs.view(token, id);
  expect(view).toMatchObject({
    kind: "rescan",
    state: "running",
    phase: "scanning",
    total: BLOCKS,
  });
  expect(view?.done).toBeGreaterThanOrEqual(10);
  expect(view?.done).toBeLessThan(BLOCKS);
  node.isHeld = false;
  node.release();
  await daemon.sim.run(5_000);
  expect(jobs.view(token, id)).toMatchObject({
    state: "done",
    phase: "",
    done: BLOCKS,
    total: BLOCKS,
    body: '{"rescanning":true}',
    error: null,
  });
  expect(open.state).toEqual(found);
  expect((await jobs.cancel(token, id))?.state).toBe("done");
  await stop();
});

it("a cancelled rescan puts back what the wallet knew, and its birthday", async () => {
  const disk = newDisk();
  const scene = await start(disk);
  const { node, open, jobs, token, stop, daemon } = scene;
  await daemon.service.send(
    open,
    { to: textOf(7), amount: COIN },
    { key: null, isAsync: false },
    signal,
  );
  const found = open.state;
  node.isHeld = true;
  const id = await jobs.begin(open, "rescan", encodeRescanRequest(LATER));
  await scanTo(scene, 10);
  expect(disk.wallets.get(token)?.facts.birthday).toBe(disk.model.at(1)?.daaScore);
  const cancelled = jobs.cancel(token, id);
  await daemon.sim.run(1_000);
  node.isHeld = false;
  node.release();
  await daemon.sim.run(1_000);
  expect(await cancelled).toMatchObject({
    state: "cancelled",
    error: { code: "wallet/cancelled" },
  });
  await daemon.sim.run(5_000);
  expect(open.isAtTip).toBe(true);
  expect({ ...open.state, outbox: [] }).toEqual({ ...found, outbox: [] });
  expect(open.state.outbox.map(({ id: one, raw }) => [one, raw])).toEqual(
    found.outbox.map(({ id: one, raw }) => [one, raw]),
  );
  expect(daemon.store.payments.get(token, found.outbox[0]?.id ?? "")).toBeDefined();
  expect([open.facts.birthday, disk.wallets.get(token)?.facts.birthday]).toEqual([0n, 0n]);
  await stop();
});

it("a rescan that waits for the node has changed nothing, and may be given up", async () => {
  const scene = await start(newDisk());
  const { node, open, jobs, token, stop, daemon } = scene;
  const found = open.state;
  node.isAway = true;
  const id = await jobs.begin(open, "rescan", "{}");
  await daemon.sim.run(20_000);
  expect(jobs.view(token, id)).toMatchObject({ state: "running", phase: "waiting" });
  expect(await jobs.cancel(token, id)).toMatchObject({ state: "cancelled" });
  expect(open.state).toBe(found);
  node.isAway = false;
  const again = await jobs.begin(open, "rescan", "{}");
  await daemon.sim.run(10_000);
  expect(jobs.view(token, again)).toMatchObject({ state: "done" });
  await stop();
});

it("a second rescan of a wallet takes the place of the first", async () => {
  const scene = await start(newDisk());
  const { node, open, jobs, token, stop, daemon } = scene;
  node.isAway = true;
  const first = await jobs.begin(open, "rescan", "{}");
  const second = await jobs.begin(open, "rescan", "{}");
  expect([jobs.view(token, first)?.state, jobs.view(token, second)?.state]).toEqual([
    "cancelled",
    "running",
  ]);
  node.isAway = false;
  await daemon.sim.run(40_000);
  expect(jobs.view(token, second)?.state).toBe("done");
  await stop();
});

it("a rescan goes on from where it was after a new start", async () => {
  const disk = newDisk();
  const first = await start(disk);
  first.node.isHeld = true;
  const id = await first.jobs.begin(first.open, "rescan", "{}");
  await scanTo(first, 10);
  first.node.isHeld = false;
  const stopping = first.stop();
  first.node.release();
  await stopping;
  await first.daemon.writer.save(first.open);
  expect(cursorOf(first.open.state).chainIndex).toBeLessThan(asChainIndex(BigInt(BLOCKS)));

  const second = await start(disk);
  await second.jobs.resume();
  await second.daemon.sim.run(5_000);
  expect(second.jobs.view(second.token, id)).toMatchObject({ state: "done", total: BLOCKS });
  expect(second.open.state.history).toHaveLength(1);
  await second.stop();
});

it("a rescan that was stored and not begun is begun after a new start, with its birthday", async () => {
  const disk = newDisk();
  const first = await start(disk);
  first.node.isAway = true;
  const id = await first.jobs.begin(first.open, "rescan", encodeRescanRequest(LATER));
  await first.stop();
  expect(disk.wallets.get(first.token)?.facts.birthday).toBe(0n);
  const second = await start(disk);
  const calls = second.node.calls.length;
  await second.jobs.resume();
  await second.daemon.sim.run(10_000);
  expect(second.jobs.view(second.token, id)).toMatchObject({ state: "done" });
  expect(second.node.calls.slice(calls)).toContain("blocks");
  expect(disk.wallets.get(second.token)?.facts.birthday).toBe(disk.model.at(1)?.daaScore);
  await second.stop();
});

it("a rescan of a wallet is not made of another one whose file came in its place", async () => {
  const disk = newDisk();
  const first = await start(disk);
  first.node.isAway = true;
  await first.jobs.begin(first.open, "rescan", encodeRescanRequest(LATER));
  await first.stop();
  disk.add("alice", addressOf(2));
  const daemon = startDaemon(disk);
  const jobs = jobsOf(disk, daemon);
  await jobs.resume();
  await daemon.sim.run(10_000);
  await expect(daemon.open.open(first.token)).rejects.toThrow("wallet/file-key");
  expect(disk.keptScans).toHaveLength(0);
  expect(disk.wallets.get("alice")?.facts.birthday).toBe(0n);
  expect([...daemon.store.jobs.ofWallet(first.token)]).toHaveLength(1);
  await jobs.stop();
  await daemon.service.stop();
  await daemon.lanes.stop();
});

it("a job whose end finds no room is ended as soon as there is some", async () => {
  const { jobs, open, token, stop, daemon } = await start(newDisk());
  const commit = daemon.store.commit.bind(daemon.store);
  let commits = 0;
  daemon.store.commit = (step) => {
    commits += 1;
    if (commits === 2) throw new SvcError("store/commit-failed", { reason: "a test" });
    return commit(step);
  };
  const id = await jobs.begin(open, "prove", "{}");
  await daemon.sim.run(1);
  expect(jobs.view(token, id)).toMatchObject({ state: "running" });
  await daemon.sim.run(WALLETD_LIMITS.spendRetryMs + 1);
  expect(jobs.view(token, id)).toMatchObject({ state: "failed" });
  await stop();
});

it("a job that fails tells why, and belongs to its wallet alone", async () => {
  const { jobs, open, token, stop, daemon } = await start(newDisk());
  const id = await jobs.begin(open, "prove", "{}");
  await daemon.sim.run(1);
  expect(jobs.view(token, id)).toMatchObject({
    state: "failed",
    error: { code: "wallet/prove-queue" },
  });
  for (const other of ["bob", "x"]) {
    const disk = newDisk();
    expect(jobs.view(disk.add(other, OWN), id)).toBeNull();
  }
  expect(jobs.view(token, "x")).toBeNull();
  expect(await jobs.cancel(token, "x")).toBeNull();
  await stop();
  expect(await rejectionCode(jobs.begin(open, "prove", "{}"))).toBe("node/stopping");
});
