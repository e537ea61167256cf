import { describe, expect, it } from "vitest";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import { IS_FULL } from "../../platform/testkit/testRun.ts";
import type { KvPair, KvRange } from "../../storage/kv.ts";
import { MemoryKv } from "../../storage/memoryKv.ts";
import { STORE_TABLES } from "../store/walletStoreLayout.ts";
import { settledPayment } from "../testkit/settledPayment.ts";
import { addressOf, opened, SceneDisk, startDaemon } from "../testkit/spendScene.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";

const KEPT = WALLETD_LIMITS.spendSettledKept;
const OWN = addressOf(1);

/** Counts the payments that are read. */
class CountingKv extends MemoryKv {
  payments = 0;

  override range(range: KvRange): KvPair[] {
    const pairs = super.range(range);
    if (range.table === STORE_TABLES.payments) this.payments += pairs.length;
    return pairs;
  }
}

function setUp() {
  const model = new ChainModel();
  model.add({ txs: [{ txid: model.txid(), outputs: [{ value: 5n, recipient: OWN }] }] });
  model.addEmpty(20);
  const disk = new SceneDisk(model);
  const token = disk.add("alice", OWN);
  return { disk, token, model };
}

describe("settled payments", () => {
  it("leave an open wallet beyond the bound, the oldest first, and stay in the store", async () => {
    const { disk, token, model } = setUp();
    const daemon = startDaemon(disk, { policy: { recentBlocks: 40 } });
    const open = await opened(daemon, token);
    const payments = Array.from({ length: KEPT + 3 }, (_, number) => settledPayment(number, true));
    await open.update((state) => ({ ...state, outbox: payments }));
    for (let round = 0; round < 3; round += 1) {
      model.addEmpty(WALLETD_LIMITS.forgetEveryBlocks);
      daemon.lanes.wake();
      await daemon.sim.run(10_000);
    }
    expect(open.state.outbox).toHaveLength(KEPT);
    expect(open.state.outbox[0]?.id).toBe(settledPayment(3).id);
    for (const number of [0, 2, 3, KEPT + 2]) {
      const { id } = settledPayment(number);
      expect(daemon.store.payments.get(token, id)).toEqual(settledPayment(number));
    }
    const live = [...daemon.store.payments.live(token)];
    expect(live.map(({ id }) => id)).toEqual(open.state.outbox.map(({ id }) => id));
    await daemon.writer.save(open);
    await daemon.lanes.stop();
    const next = startDaemon(disk);
    const again = await opened(next, token);
    expect(again.state.outbox.map(({ id }) => id)).toEqual(live.map(({ id }) => id));
    await next.lanes.stop();
  });

  it("that an older scan file still has do not come back when they were put away", async () => {
    const { disk, token } = setUp();
    const daemon = startDaemon(disk);
    const open = await opened(daemon, token);
    const [first, second] = [settledPayment(1), settledPayment(2)];
    await open.update((state) => ({ ...state, outbox: [first, second] }));
    await daemon.writer.save(open);
    daemon.store.commit((batch) => daemon.store.payments.putAway(batch, token, first));
    await daemon.lanes.stop();
    const next = startDaemon(disk);
    const again = await opened(next, token);
    expect(again.state.outbox).toEqual([second]);
    await next.lanes.stop();
  });

  it("that were put away cost nothing when a wallet is opened, however many", async () => {
    const { disk, token } = setUp();
    const kv = new CountingKv();
    const daemon = startDaemon(disk, { kv });
    await daemon.writer.save(await opened(daemon, token));
    const count = IS_FULL ? 100_000 : 10_000;
    for (let from = 0; from < count; from += 1_000) {
      daemon.store.commit((batch) => {
        for (let number = from; number < from + 1_000; number += 1) {
          daemon.store.payments.putAway(batch, token, settledPayment(number));
        }
      });
    }
    await daemon.lanes.stop();
    const next = startDaemon(disk, { kv });
    kv.payments = 0;
    const open = await opened(next, token);
    expect(open.state.outbox).toEqual([]);
    expect(next.store.payments.hasUnsettled(token)).toBe(false);
    expect(next.store.payments.get(token, settledPayment(count - 1).id)).toBeDefined();
    expect(kv.payments).toBe(0);
    await next.lanes.stop();
  });
});
