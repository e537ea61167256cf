import { describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { spendability } from "@svc/shared/wallet/plan/spendability.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import {
  addressOf,
  mine,
  opened,
  SceneDisk,
  startDaemon,
  textOf,
  type SceneDaemon,
} from "../testkit/spendScene.ts";

const COIN = 100_000_000n;
const { signal } = new AbortController();
const OWN = addressOf(1);
const SYNC = { key: "k", isAsync: false };
const request = { to: textOf(9), amount: COIN };

async function setUp() {
  const model = new ChainModel();
  model.add({ txs: [{ txid: model.txid(), outputs: [{ value: 5n * COIN, recipient: OWN }] }] });
  model.addEmpty(20);
  const disk = new SceneDisk(model);
  const token = disk.add("alice", OWN);
  const daemon = startDaemon(disk);
  const open = await opened(daemon, token);
  return { disk, token, daemon, open, service: daemon.service };
}

async function stop(daemon: SceneDaemon): Promise<void> {
  await daemon.service.stop();
  await daemon.lanes.stop();
}

describe("rebroadcasts", () => {
  it("hand the same bytes to a node that was away, and again to one that lost them", async () => {
    const { disk, daemon, open, service } = await setUp();
    disk.node.refusal = new SvcError("wallet/node-unreachable", { url: "a test" });
    const reply = await service.send(open, request, SYNC, signal);
    expect(reply.kind).toBe("answer");
    expect(disk.node.submitted).toEqual([]);
    disk.node.refusal = null;
    service.start();
    await daemon.sim.run(5_000);
    expect(disk.node.submitted).toHaveLength(1);
    await daemon.sim.run(WALLET_LIMITS.walletResubmitMs + 5_000);
    expect(disk.node.submitted).toHaveLength(2);
    expect(new Set(disk.node.submitted).size).toBe(1);
    mine(disk, 0, OWN);
    disk.model.addEmpty(3);
    daemon.lanes.wake();
    await daemon.sim.run(300_000);
    expect(disk.node.submitted).toHaveLength(2);
    await stop(daemon);
  });

  it("look after wallets that nobody has opened since the start, and keep them open until the payment is settled", async () => {
    const { disk, daemon, open, service, token } = await setUp();
    disk.node.refusal = new SvcError("wallet/node-unreachable", { url: "a test" });
    await service.send(open, request, SYNC, signal);
    await daemon.writer.save(open);
    await stop(daemon);
    disk.node.refusal = null;
    disk.add("bob", addressOf(2));
    const next = startDaemon(disk);
    await next.service.resume();
    next.service.start();
    await next.sim.run(40_000);
    expect(disk.node.submitted).toHaveLength(1);
    expect(next.open.all.map((wallet) => wallet.token)).toEqual([token]);
    await next.sim.run(120_000);
    await next.open.dropIdle();
    expect(next.open.all).toHaveLength(1);
    mine(disk, 0, OWN);
    disk.model.addEmpty(10);
    next.lanes.wake();
    await next.sim.run(120_000);
    await next.open.dropIdle();
    expect(next.open.all).toHaveLength(0);
    await stop(next);
  });

  it("end when the anchor is too old, and the notes can be spent again", async () => {
    const { disk, daemon, open, service } = await setUp();
    service.start();
    await service.send(open, request, SYNC, signal);
    const standing = () =>
      spendability(open.state, daemon.policy).notes.map((note) => note.standing);
    expect(standing()).toEqual(["reserved"]);
    disk.model.addEmpty(130);
    daemon.lanes.wake();
    await daemon.sim.run(30_000);
    expect(standing()).toEqual(["spendable"]);
    const { length } = disk.node.submitted;
    await daemon.sim.run(300_000);
    expect(disk.node.submitted).toHaveLength(length);
    // The key stands for a payment that may have been made: it spends nothing more.
    const again = await service.send(open, request, SYNC, signal);
    expect(again.kind).toBe("answer");
    await stop(daemon);
  });
});
