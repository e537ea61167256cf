/** Warm-ups over a model chain: what they wait for, how long, and how many at once. */
import { expect, it } from "vitest";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { ModelNode } from "@svc/shared/wallet/testkit/ports.ts";
import { ChainModel, freshWallet } from "@svc/shared/wallet/testkit/chainModel.ts";
import type { NodeTip } from "@svc/shared/wallet/state/ports.ts";
import { askTip } from "@svc/shared/wallet/sync/walletSync.ts";
import { addressOf, SceneDisk, startDaemon } from "../testkit/spendScene.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { WarmUp, type WarmUpParts } from "./warmUp.ts";

const BLOCKS = 20;
const never = new AbortController().signal;

/** A node that never says where its tip is: no wallet gets warm. */
class AwayNode extends ModelNode {
  override tip(): Promise<never> {
    return Promise.reject(new SvcError("wallet/node-unreachable", { url: "a test" }));
  }
}

function scene({ most = 100, isAway = false } = {}) {
  const model = new ChainModel();
  model.addEmpty(BLOCKS);
  const disk = new SceneDisk(model);
  const token = disk.add("wallet", addressOf(1));
  const node = isAway ? new AwayNode(model) : disk.node;
  const { open, lanes, policy, service } = startDaemon(disk, { most, node });
  const parts: WarmUpParts = {
    lanes,
    wallets: open,
    tip: () => open.all[0]?.tip ?? null,
    policy,
    clock: {
      sleep: (ms, signal) => disk.sim.sleep(ms, signal),
      steadyMs: () => disk.sim.nowMs(),
    },
  };
  const stop = async (): Promise<void> => {
    await service.stop();
    await lanes.stop();
  };
  return { model, disk, token, open, lanes, parts, stop };
}

it("a wallet is opened, and waited for until it can pay", async () => {
  const { disk, token, parts, stop } = scene();
  const warm = new WarmUp(parts).wallet(token, never);
  await disk.sim.run(10_000);
  expect(await warm).toMatchObject({ ready: true, notes: 0 });
  await stop();
});

it("the shared tree is waited for until it has what the node has", async () => {
  const { disk, lanes, parts, stop } = scene();
  const asked = askTip(disk.node, freshWallet().account, never);
  const before = lanes.main.tip;
  const warmUp = new WarmUp({ ...parts, tip: () => told });
  let told: NodeTip | null = null;
  const warm = warmUp.tree(never);
  await disk.sim.run(1_000);
  told = await asked;
  await disk.sim.run(10_000);
  expect(told.sinkBlueScore).toBeGreaterThan(before.blueScore);
  expect(lanes.main.tip.blueScore).toBe(told.sinkBlueScore);
  expect(await warm).toMatchObject({
    leavesBefore: before.leafEnd,
    leavesAfter: told.treeSize,
    caughtUp: true,
  });
  expect(await warmUp.tree(never)).toMatchObject({ caughtUp: true, steps: 0, seconds: 0 });
  await stop();
});

it("nobody waits longer than the bound", async () => {
  const { disk, parts, stop } = scene();
  const away = new WarmUp({ ...parts, tip: () => null });
  const tree = away.tree(never);
  await disk.sim.run(WALLETD_LIMITS.warmMs + 10_000);
  expect(await tree).toMatchObject({ caughtUp: false, seconds: WALLETD_LIMITS.warmMs / 1_000 });
  await stop();
});

it("more callers than may wait are answered at once, and one that leaves waits no more", async () => {
  const { disk, parts, stop } = scene();
  const away = new WarmUp({ ...parts, tip: () => null });
  const left = new AbortController();
  const waiting = Array.from({ length: WALLETD_LIMITS.warmWaiting }, () =>
    rejectionCode(away.tree(left.signal)),
  );
  expect(await away.tree(never)).toMatchObject({ caughtUp: false, seconds: 0 });
  left.abort();
  await disk.sim.run(1_000);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["run/aborted"]));
  await stop();
});

it("a wallet that is dropped is waited for no longer", async () => {
  const { disk, token, open, parts, stop } = scene();
  const warm = new WarmUp(parts).wallet(token, never);
  const opened = await open.open(token);
  expect(opened.isAtTip).toBe(false);
  await open.drop(token);
  await disk.sim.run(WALLETD_LIMITS.warmMs + 10_000);
  expect(await warm).toMatchObject({ ready: false, seconds: 0 });
  await stop();
});

it("a caller counts while his wallet is being opened, and may leave", async () => {
  const { parts, token, stop } = scene();
  const wallets = { most: 64, open: () => new Promise<never>(() => undefined) };
  const warmUp = new WarmUp({ ...parts, wallets, tip: () => null });
  const left = new AbortController();
  const waiting = Array.from({ length: WALLETD_LIMITS.warmWaiting }, () =>
    rejectionCode(warmUp.wallet(token, left.signal)),
  );
  expect(await warmUp.tree(never)).toMatchObject({ caughtUp: false, seconds: 0 });
  left.abort();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["run/aborted"]));
  await stop();
});

it("wallets that are waited for leave most places in memory to those that somebody pays from", async () => {
  const most = 8;
  const { disk, open, parts, stop } = scene({ most, isAway: true });
  const tokens = Array.from({ length: 2 * most }, (_, number) =>
    disk.add(`wallet-${number}`, addressOf(number + 1)),
  );
  const warmUp = new WarmUp(parts);
  const left = new AbortController();
  const ends: string[] = [];
  const warming = tokens.map(async (token) => {
    ends.push(await rejectionCode(warmUp.wallet(token, left.signal)));
  });
  await disk.sim.run(10_000);
  expect(open.all.filter(({ isBusy }) => isBusy)).toHaveLength(most / 4);
  expect(open.all).toHaveLength(most);
  expect(ends).toHaveLength(tokens.length - most / 4);
  left.abort();
  await disk.sim.run(1_000);
  await Promise.all(warming);
  expect(open.all.filter(({ isBusy }) => isBusy)).toEqual([]);
  await stop();
});
