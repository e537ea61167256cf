/** Whose rows a wallet that is opened finds: somebody may have put the file of another key in its place while no daemon ran. */
import { describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import { ownerOf } from "../store/ownerTable.ts";
import { STORE_TABLES } from "../store/walletStoreLayout.ts";
import { nameKey } from "../../storage/rows/storeKeys.ts";
import {
  addressOf,
  FakeProver,
  opened,
  readTransaction,
  SceneDisk,
  startDaemon,
  textOf,
  type SceneDaemon,
} from "../testkit/spendScene.ts";
import { keyOfAddress } from "../testkit/modelKeyScan.ts";

const COIN = 100_000_000n;
const [OWN, OTHER] = [addressOf(1), addressOf(2)];
const PAY = { to: textOf(9), amount: COIN };
const { signal } = new AbortController();

/** A chain with a note for each of two wallets, and the file of the first. */
function setUp() {
  const model = new ChainModel();
  for (const recipient of [OWN, OTHER]) {
    model.add({ txs: [{ txid: model.txid(), outputs: [{ value: 5n * COIN, recipient }] }] });
  }
  model.addEmpty(20);
  const disk = new SceneDisk(model);
  return { disk, token: disk.add("alice", OWN) };
}

async function stop({ service, open, lanes }: SceneDaemon): Promise<void> {
  await service.stop();
  await open.stop();
  await lanes.stop();
}

describe("a file of another key in place of the one that was there", () => {
  const call = { key: "order-1", isAsync: false };

  it("is not opened: put back, the first one has its payments and keys, and its scan", async () => {
    const { disk, token } = setUp();
    const first = startDaemon(disk);
    const paid = await first.service.send(await opened(first, token), PAY, call, signal);
    await stop(first);
    const scan = disk.scans.get(token) ?? expect.unreachable();
    disk.add("alice", OTHER);
    const other = startDaemon(disk);
    await expect(other.open.open(token)).rejects.toThrow("wallet/file-key");
    await stop(other);
    expect(disk.scans.get(token)).toEqual(scan);
    disk.add("alice", OWN);
    const next = startDaemon(disk);
    const open = await opened(next, token);
    expect(open.rowsLost).toBe(false);
    expect(await next.service.send(open, PAY, call, signal)).toEqual(paid);
    expect([...next.store.payments.ofWallet(token)]).toHaveLength(1);
    expect(new Set(disk.node.submitted).size).toBe(1);
    await stop(next);
  });

  it("pays for no job that waits, and the first one does when it is back", async () => {
    const { disk, token } = setUp();
    const prover = new FakeProver(() => disk.model.fresh());
    prover.gate = (_, ended) =>
      new Promise((_resolve, reject) => {
        ended.addEventListener("abort", () => reject(new SvcError("run/aborted", {})));
      });
    const first = startDaemon(disk, { provers: [prover] });
    await first.service.send(await opened(first, token), PAY, { ...call, isAsync: true }, signal);
    await first.sim.run(1_000);
    expect(prover.plans).toHaveLength(1);
    await stop(first);
    expect([...first.store.jobs.ofWallet(token)]).toHaveLength(1);
    disk.add("alice", OTHER);
    const other = startDaemon(disk);
    await other.service.resume();
    await other.sim.run(60_000);
    expect(disk.node.submitted.map(readTransaction)).toEqual([]);
    expect([...other.store.jobs.ofWallet(token)]).toHaveLength(1);
    await stop(other);
    disk.add("alice", OWN);
    const next = startDaemon(disk);
    await next.service.resume();
    await opened(next, token);
    await next.sim.run(60_000);
    expect(new Set(disk.node.submitted).size).toBe(1);
    await stop(next);
  });
});

describe("a row of an owner that is damaged", () => {
  it("keeps no wallet from being opened, and is written again", async () => {
    const { disk, token } = setUp();
    const first = startDaemon(disk);
    const call = { key: "order-1", isAsync: false };
    await first.service.send(await opened(first, token), PAY, call, signal);
    await stop(first);
    const [table, key] = [STORE_TABLES.owners, nameKey(token)];
    const value = disk.kv.get(table, key)?.with(-1, 0) ?? expect.unreachable();
    disk.kv.commit([{ table, key, value }]);
    const next = startDaemon(disk);
    expect(() => next.store.owners.get(token)).toThrow("store/corrupt");
    expect(next.store.flaws()).toMatchObject([{ table: "owners" }]);
    await opened(next, token);
    expect([...next.store.payments.ofWallet(token)]).toHaveLength(1);
    expect(next.store.owners.get(token)).toBe(ownerOf(keyOfAddress(OWN)));
    expect(next.store.flaws()).toEqual([]);
    await stop(next);
  });
});
