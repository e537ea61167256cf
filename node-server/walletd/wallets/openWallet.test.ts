import { expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import type { WalletState } from "@svc/shared/wallet/state/walletState.ts";
import type { KvChange } from "../../storage/kv.ts";
import { MemoryKv } from "../../storage/memoryKv.ts";
import { settledPayment } from "../testkit/settledPayment.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { addressOf, opened, SceneDisk, startDaemon, textOf } from "../testkit/spendScene.ts";

/** A database whose disk may be full. */
class FullKv extends MemoryKv {
  isFull = false;

  override commit(changes: readonly KvChange[]): void {
    if (this.isFull) throw new SvcError("store/commit-failed", { reason: "the disk is full" });
    super.commit(changes);
  }
}

it("what holds holds without room on the disk, and is stored with the next change", async () => {
  const model = new ChainModel();
  const recipient = addressOf(1);
  model.add({ txs: [{ txid: model.txid(), outputs: [{ value: 500_000_000n, recipient }] }] });
  model.addEmpty(20);
  const disk = new SceneDisk(model);
  const kv = new FullKv();
  const daemon = startDaemon(disk, { kv });
  const open = await opened(daemon, disk.add("alice", recipient));
  const call = { key: null, isAsync: false };
  const { signal } = new AbortController();
  await daemon.service.send(open, { to: textOf(7), amount: 100_000_000n }, call, signal);
  const [payment] = open.state.outbox;
  const id = payment?.id ?? "";
  const forget = (state: WalletState): WalletState => ({ ...state, outbox: [] });

  kv.isFull = true;
  expect(await rejectionCode(open.update(forget))).toBe("store/commit-failed");
  expect(open.state.outbox).toHaveLength(1);
  await open.hold(forget);
  expect(open.state.outbox).toEqual([]);
  expect(daemon.store.payments.get("alice", id)).toBeDefined();

  kv.isFull = false;
  await open.update((state) => state);
  expect(daemon.store.payments.get("alice", id)).toBeUndefined();
  const broken = () => {
    throw new TypeError("a defect");
  };
  await expect(open.hold(broken)).rejects.toThrow("a defect");
  await daemon.service.stop();
  await daemon.lanes.stop();
});

it("a payment that was put away meanwhile stays in the store", async () => {
  const model = new ChainModel();
  const recipient = addressOf(1);
  model.add({ txs: [{ txid: model.txid(), outputs: [{ value: 5n, recipient }] }] });
  model.addEmpty(20);
  const disk = new SceneDisk(model);
  const kv = new FullKv();
  const daemon = startDaemon(disk, { kv, policy: { recentBlocks: 40 } });
  const open = await opened(daemon, disk.add("alice", recipient));
  const count = WALLETD_LIMITS.spendSettledKept + 1;
  const payments = Array.from({ length: count }, (_, number) => settledPayment(number, true));
  await open.update((state) => ({ ...state, outbox: payments }));
  kv.isFull = true;
  const touched = ({ outbox }: WalletState) =>
    outbox.map((one, at) => (at === 5 ? { ...one } : one));
  await open.hold((state) => ({ ...state, outbox: touched(state) }));
  kv.isFull = false;
  for (let round = 0; round < 3; round += 1) {
    model.addEmpty(WALLETD_LIMITS.forgetEveryBlocks);
    daemon.lanes.wake();
    await daemon.sim.run(10_000);
  }
  expect(open.state.outbox).toHaveLength(count - 1);
  const { id } = settledPayment(0);
  expect(daemon.store.payments.get("alice", id)).toBeDefined();
  await open.update((state) => ({ ...state, outbox: [...state.outbox] }));
  expect(daemon.store.payments.get("alice", id)).toEqual(settledPayment(0));
  await daemon.lanes.stop();
});
