/** What a rescan keeps: the snapshot from before it, and the payments of the wallet. */
import { describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import { ModelNode } from "@svc/shared/wallet/testkit/ports.ts";
import type { StartBlock } from "@svc/shared/wallet/state/ports.ts";
import {
  addressOf,
  opened,
  SceneDisk,
  startDaemon,
  type SceneDaemon,
} from "../testkit/spendScene.ts";
import { graftState } from "../tools/graftState.ts";
import { decodeSnapshot } from "./walletSnapshot.ts";

const COIN = 100_000_000n;
const OWN = addressOf(1);
const BLOCKS = 40;
const { signal } = new AbortController();

/** A node that forgets its old blocks when it is told to. */
class PrunedNode extends ModelNode {
  firstIndex = 0n;

  override async start(index: bigint): Promise<StartBlock> {
    return super.start(index < this.firstIndex ? this.firstIndex : index);
  }
}

/** A wallet with a coin in block 1 and one in block 30 of 40. */
async function setUp() {
  const model = new ChainModel();
  const coin = () => ({
    txs: [{ txid: model.txid(), outputs: [{ value: COIN, recipient: OWN }] }],
  });
  model.add(coin());
  model.addEmpty(28);
  model.add(coin());
  model.addEmpty(BLOCKS - 30);
  const disk = new SceneDisk(model);
  const token = disk.add("alice", OWN);
  const node = new PrunedNode(model);
  const daemon = startDaemon(disk, { node });
  const open = await opened(daemon, token);
  return { disk, node, token, daemon, open };
}

async function stop({ service, open, lanes }: SceneDaemon): Promise<void> {
  await service.stop();
  await open.stop();
  await lanes.stop();
}

describe("the snapshot from before a rescan", () => {
  it("is kept, so that what a pruned node does not find again can be grafted", async () => {
    const { disk, node, token, daemon, open } = await setUp();
    const before = open.state;
    expect(before.notes).toHaveLength(2);
    node.firstIndex = 20n;
    await daemon.open.rescan(open, signal, { byOwner: true });
    await opened(daemon, token);
    await daemon.writer.save(open);
    expect(open.state.notes).toHaveLength(1);
    expect(open.state.account.historyMissing).toBe(true);

    expect(disk.keptScans).toHaveLength(1);
    const older = decodeSnapshot(disk.keptScans[0] ?? expect.unreachable()).state;
    expect(older.notes).toEqual(before.notes);
    const present = decodeSnapshot(disk.scans.get(token) ?? expect.unreachable()).state;
    const { state, restored } = graftState({ older, present, stored: new Set() });
    expect(restored).toMatchObject({ notes: 1, history: 1, birthday: true });
    expect(state.notes).toEqual(before.notes);
    await stop(daemon);
  });

  it("is kept by a rescan that nobody asked for, too", async () => {
    const { disk, daemon, open } = await setUp();
    await daemon.open.replace([open.wallet]);
    await daemon.sim.run(10_000);
    expect(open.isAtTip).toBe(true);
    expect(disk.keptScans).toHaveLength(1);
    await stop(daemon);
  });

  it("is kept once, however often the rescan is tried", async () => {
    const { disk, daemon, open } = await setUp();
    const { update } = open;
    let tries = 0;
    open.update = async (change) => {
      tries += 1;
      if (tries < 4) throw new SvcError("store/commit-failed", { reason: "a test" });
      return update.call(open, change);
    };
    daemon.open.rescanLater(open);
    await daemon.sim.run(60_000);
    expect(tries).toBe(4);
    expect(open.isAtTip).toBe(true);
    expect(disk.keptScans).toHaveLength(1);
    await stop(daemon);
  });

  it("is needed: a rescan changes nothing when it cannot be kept", async () => {
    const { disk, daemon, open } = await setUp();
    const before = open.state;
    Object.assign(disk.keptScans, {
      push: () => {
        throw new SvcError("wallet/storage", { reason: "a test" });
      },
    });
    expect(await rejectionCode(daemon.open.rescan(open, signal))).toBe("wallet/storage");
    expect(open.state).toEqual(before);
    daemon.lanes.wake();
    await daemon.sim.run(5_000);
    expect(open.isAtTip).toBe(true);
    await stop(daemon);
  });
});
