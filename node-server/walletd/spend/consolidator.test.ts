import { describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { unspentNotes } from "@svc/shared/wallet/state/walletState.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import {
  addressOf,
  mine,
  opened,
  readTransaction,
  SceneDisk,
  startDaemon,
  textOf,
  type SceneDaemon,
} from "../testkit/spendScene.ts";

const COIN = 100_000_000n;
const { signal } = new AbortController();
const OWN = addressOf(1);
const SYNC = { key: null, isAsync: false };

/** A wallet with ten notes of one coin, which are too many, and a daemon that merges three at a time. */
async function setUp(kind: "seed" | "watch" = "seed", name = "alice") {
  const model = new ChainModel();
  const outputs = Array.from({ length: 10 }, () => ({ value: COIN, recipient: OWN }));
  model.add({ txs: [{ txid: model.txid(), outputs }] });
  model.addEmpty(20);
  const disk = new SceneDisk(model);
  const token = disk.add(name, OWN, kind);
  const daemon = startDaemon(disk, { policy: { maxSpends: 3 }, consolidateAbove: 7 });
  const open = await opened(daemon, token);
  return { disk, token, daemon, open, service: daemon.service };
}

async function stop(daemon: SceneDaemon): Promise<void> {
  await daemon.service.stop();
  await daemon.lanes.stop();
}

const spentBy = (raw: string | undefined): readonly string[] =>
  readTransaction(raw ?? "").spends.map(({ position }) => position);

describe("background consolidation", () => {
  it("merges the oldest notes, one merge after the other with a rest between, until they are few", async () => {
    const { disk, daemon, open, service } = await setUp();
    service.start();
    await daemon.sim.run(WALLETD_LIMITS.consolidateLookMs);
    expect(disk.node.submitted.map(spentBy)).toEqual([["0", "1", "2"]]);
    await daemon.sim.run(Number(WALLETD_LIMITS.consolidateEveryMs) / 2);
    expect(disk.node.submitted).toHaveLength(1);
    mine(disk, 0, OWN);
    disk.model.addEmpty(20);
    await opened(daemon, open.token);
    await daemon.sim.run(Number(WALLETD_LIMITS.consolidateEveryMs));
    expect(new Set(disk.node.submitted).size).toBe(2);
    mine(disk, 1, OWN);
    disk.model.addEmpty(20);
    await opened(daemon, open.token);
    expect(unspentNotes(open.state)).toHaveLength(6);
    const { length } = disk.node.submitted;
    await daemon.sim.run(600_000);
    expect(disk.node.submitted).toHaveLength(length);
    await stop(daemon);
  });

  it("leaves wallets alone that only watch", async () => {
    const { disk, daemon, service } = await setUp("watch");
    service.start();
    await daemon.sim.run(600_000);
    expect(disk.node.submitted).toEqual([]);
    await stop(daemon);
  });

  it("makes way for a payment at once, with all its notes", async () => {
    const { disk, daemon, open, service } = await setUp();
    daemon.prover.gate = (plan, gone) =>
      plan.spends.some(({ position }) => position === "0") && daemon.prover.plans.length === 1
        ? new Promise((_, reject) => {
            gone.addEventListener("abort", () => reject(new SvcError("run/aborted", {})));
          })
        : Promise.resolve();
    service.start();
    await daemon.sim.run(WALLETD_LIMITS.consolidateLookMs);
    expect(daemon.prover.plans).toHaveLength(1);
    expect(open.isBusy).toBe(true);
    const payees = [{ to: textOf(9), amount: 9n * COIN }];
    await service.sendMany(open, { payees }, SYNC, signal);
    expect(disk.node.submitted.length).toBeGreaterThan(2);
    const spent = disk.node.submitted.flatMap(spentBy);
    expect(new Set(spent).size).toBe(spent.length);
    expect(spent).toContain("0");
    expect(open.state.outbox.some(({ id }) => id.startsWith("merge"))).toBe(false);
    await stop(daemon);
  });

  it("stands down while others wait for a proof, and does not while another wallet pays", async () => {
    const { disk, daemon, service } = await setUp();
    const other = await opened(daemon, disk.add("bob", addressOf(2)));
    const waits: (() => void)[] = [];
    daemon.prover.gate = () => new Promise((resolve) => void waits.push(resolve));
    const [plan] = [{ spends: [], outputs: [], fee: "0" }];
    const wait = new AbortController();
    const ports = [1, 2].map(() =>
      daemon.proofs.proverFor(other.token).prove(plan as never, () => undefined, wait.signal),
    );
    service.start();
    await daemon.sim.run(60_000);
    expect(daemon.prover.plans).toHaveLength(1);
    for (const proof of ports) proof.catch(() => undefined);
    wait.abort();
    daemon.prover.gate = async () => undefined;
    for (const end of waits) end();
    await daemon.sim.run(WALLETD_LIMITS.consolidateLookMs * 2);
    expect(disk.node.submitted.map(spentBy)).toEqual([["0", "1", "2"]]);
    await stop(daemon);
  });

  it("rests longer after a merge that failed, and frees its notes", async () => {
    const { daemon, open, service } = await setUp();
    daemon.prover.gate = async () => {
      throw new SvcError("prove/failed", { reason: "a test" });
    };
    service.start();
    await daemon.sim.run(Number(WALLETD_LIMITS.consolidateIdleMs) - 10_000);
    expect(daemon.prover.plans).toHaveLength(1);
    expect(open.state.outbox).toEqual([]);
    await daemon.sim.run(20_000);
    expect(daemon.prover.plans).toHaveLength(2);
    await stop(daemon);
  });
});
