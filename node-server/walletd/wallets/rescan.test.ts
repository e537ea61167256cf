/** What a rescan keeps: the snapshot from before it, and all that is known of the wallet, whatever birthday it is given. */
import { describe, expect, it } from "vitest";
import { asDaaScore, type BlockHash } from "@svc/shared/base/brand.ts";
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

/** A node that forgets its old blocks when it is told to, and may give none at all. */
class PrunedNode extends ModelNode {
  firstIndex = 0n;
  givesBlocks = true;
  /** Awaited once before a block to begin at is told. */
  pause: Promise<void> | null = null;

  override async blocks(after: BlockHash, limit: number) {
    if (!this.givesBlocks) throw new SvcError("wallet/node-unreachable", { url: "a test" });
    return super.blocks(after, limit);
  }

  override async start(index: bigint): Promise<StartBlock> {
    const { pause } = this;
    this.pause = null;
    await pause;
    return super.start(index < this.firstIndex ? this.firstIndex : index);
  }
}

/** A wallet with a coin in some blocks of 40. */
async function setUp(coins: readonly number[] = [1, 30]) {
  const model = new ChainModel();
  for (let block = 1; block <= BLOCKS; block += 1) {
    const coin = { txid: model.txid(), outputs: [{ value: COIN, recipient: OWN }] };
    model.add({ txs: coins.includes(block) ? [coin] : [] });
  }
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

  it("is of what is known most: a scan that had not come so far again is not kept beside it", async () => {
    const { disk, node, token, daemon, open } = await setUp();
    node.firstIndex = 20n;
    node.givesBlocks = false;
    for (let time = 0; time < 3; time += 1) await daemon.open.rescan(open, signal);
    expect(disk.keptScans).toHaveLength(1);
    const [older] = disk.keptScans;
    expect(decodeSnapshot(older ?? expect.unreachable()).state.notes).toHaveLength(2);
    // Nor for an owner: he would fill the folder with scans in which there is nothing.
    for (let time = 0; time < 3; time += 1) {
      await daemon.open.rescan(open, signal, { byOwner: true });
    }
    expect(disk.keptScans).toHaveLength(1);
    node.givesBlocks = true;
    await opened(daemon, token);
    await daemon.open.rescan(open, signal, { byOwner: true });
    expect(disk.keptScans).toHaveLength(2);
    await stop(daemon);
  });

  it("of a rescan that nobody asked for has a place of its own", async () => {
    const { daemon, token, open } = await setUp();
    const asked: boolean[] = [];
    const { keepScan } = daemon.folder;
    daemon.folder.keepScan = async (name, how) => {
      asked.push(how?.rotates === true);
      return keepScan(name);
    };
    await daemon.open.rescan(open, signal);
    await opened(daemon, token);
    await daemon.open.rescan(open, signal, { byOwner: true });
    expect(asked).toEqual([true, false]);
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

describe("a rescan of a wallet that is closed meanwhile", () => {
  /** A rescan that waits for the node, and what lets it go on. */
  async function waiting() {
    const scene = await setUp([1]);
    const { promise, resolve } = Promise.withResolvers<void>();
    scene.node.pause = promise;
    const rescan = rejectionCode(scene.daemon.open.rescan(scene.open, signal, { byOwner: true }));
    await scene.daemon.sim.run(1_000);
    expect(scene.node.pause).toBeNull();
    // A full disk: what has happened in the wallet is in no file.
    const { set } = scene.disk.scans;
    scene.disk.scans.set = () => {
      throw new SvcError("wallet/storage", { reason: "ENOSPC" });
    };
    expect(await rejectionCode(scene.daemon.open.drop(scene.token))).toBe("wallet/storage");
    scene.disk.scans.set = set;
    return { ...scene, rescan, goOn: resolve };
  }

  it("writes nothing over the wallet of another key that has come in its place", async () => {
    const { disk, token, daemon, rescan, goOn } = await waiting();
    await daemon.open.whileClosed(token, async () => {
      daemon.store.deleteWallet(token);
      disk.scans.delete(token);
      disk.add("alice", addressOf(2));
    });
    const next = await opened(daemon, token);
    await daemon.writer.save(next);
    const [scan, cursor] = [disk.scans.get(token), daemon.store.cursors.get(token)];
    goOn();
    expect(await rescan).toBe("wallet/opening");
    expect(disk.scans.get(token)).toBe(scan);
    expect(daemon.store.cursors.get(token)).toEqual(cursor);
    expect(disk.keptScans).toHaveLength(0);
    await stop(daemon);
  });

  it("leaves the cursor of the one that was opened again", async () => {
    const { disk, token, daemon, open, rescan, goOn } = await waiting();
    const coin = { txid: disk.model.txid(), outputs: [{ value: COIN, recipient: OWN }] };
    disk.model.add({ txs: [coin] });
    const next = await opened(daemon, token);
    await daemon.writer.save(next);
    const cursor = daemon.store.cursors.get(token);
    goOn();
    expect(await rescan).toBe("wallet/opening");
    expect(daemon.store.cursors.get(token)).toEqual(cursor);
    expect(await rejectionCode(daemon.writer.save(open))).toBe("wallet/opening");
    await daemon.writer.saveDue([open, next]);
    expect(daemon.store.cursors.get(token)).toEqual(cursor);
    await stop(daemon);
  });
});

describe("the birthday of a rescan", () => {
  /** Scans again, and tells the blocks of the notes, the birthday in the file and the block at which the scan began. */
  async function rescanned(scene: Awaited<ReturnType<typeof setUp>>, birthday: bigint | null) {
    const { daemon, disk, token, open } = scene;
    const wish = birthday === null ? null : asDaaScore(birthday);
    daemon.open.rescanLater(open, { byOwner: true, birthday: wish });
    await daemon.sim.run(1_000);
    await opened(daemon, token);
    const { facts } = disk.wallets.get(token) ?? expect.unreachable();
    expect(open.facts.birthday).toBe(facts.birthday);
    const notes = open.state.notes.map(({ chainIndex }) => chainIndex);
    return { notes, birthday: facts.birthday, from: open.state.account.birthday.chainIndex };
  }

  it("is the one that is asked for", async () => {
    const scene = await setUp([30]);
    const daaScore = scene.disk.model.at(21)?.daaScore ?? expect.unreachable();
    expect(await rescanned(scene, daaScore)).toEqual({
      notes: [30n],
      birthday: daaScore,
      from: 20n,
    });
    expect(await rescanned(scene, 0n)).toEqual({ notes: [30n], birthday: 0n, from: 0n });
    await stop(scene.daemon);
  });

  it("hides no coin: it is not later than the oldest that is known", async () => {
    const scene = await setUp([10, 30]);
    const oldest = scene.disk.model.at(10)?.daaScore ?? expect.unreachable();
    for (const birthday of [999_999_999n, null, oldest + 1n, null]) {
      expect(await rescanned(scene, birthday)).toEqual({
        notes: [10n, 30n],
        birthday: oldest,
        from: 8n,
      });
    }
    await stop(scene.daemon);
  });

  it("of a file that names a later one is not believed", async () => {
    const scene = await setUp([1, 30]);
    const { open } = scene;
    open.facts = { ...open.facts, birthday: asDaaScore(35n) };
    expect((await rescanned(scene, null)).notes).toEqual([1n, 30n]);
    await stop(scene.daemon);
  });

  it("lies in no block that is to come: what is received until then is found after a loss of the scan", async () => {
    const scene = await setUp([]);
    const { disk, daemon, token } = scene;
    const { birthday } = await rescanned(scene, 999_999_999n);
    expect(birthday).toBe(disk.model.at(BLOCKS)?.daaScore);
    const coin = { txid: disk.model.txid(), outputs: [{ value: COIN, recipient: OWN }] };
    disk.model.add({ txs: [coin] });
    disk.model.addEmpty(20);
    await daemon.open.drop(token);
    disk.scans.delete(token);
    expect((await opened(daemon, token)).state.notes).toHaveLength(1);
    await stop(daemon);
  });

  it("is not moved on while the wallet is not at the tip, nor where the node had no old blocks", async () => {
    const scene = await setUp([1, 30]);
    const { node, open, daemon, token } = scene;
    node.firstIndex = 20n;
    expect(await rescanned(scene, null)).toMatchObject({ notes: [30n], birthday: 0n });
    expect(await rescanned(scene, 25n)).toMatchObject({ notes: [30n], birthday: 0n });
    node.firstIndex = 0n;
    await daemon.open.rescan(open, signal);
    // Nothing of it is scanned yet.
    await daemon.open.rescan(open, signal, { birthday: asDaaScore(25n) });
    await opened(daemon, token);
    expect(open.state.notes).toHaveLength(2);
    await stop(daemon);
  });

  describe("that cannot be written", () => {
    const failure = new SvcError("wallet/storage", { reason: "ENOSPC" });

    /** A wallet that was scanned from a later birthday than the chain's, and what its file says. */
    async function later() {
      const scene = await setUp([30]);
      const { disk, token } = scene;
      const daaScore = disk.model.at(21)?.daaScore ?? expect.unreachable();
      await rescanned(scene, daaScore);
      const inFile = () => disk.wallets.get(token)?.facts.birthday;
      return { ...scene, daaScore, inFile };
    }

    it("leaves the wallet as it was, where it would be an earlier one", async () => {
      const { daemon, open, daaScore, inFile } = await later();
      const before = open.state;
      daemon.folder.update = async () => {
        throw failure;
      };
      const rescan = daemon.open.rescan(open, signal, { birthday: asDaaScore(0n) });
      expect(await rejectionCode(rescan)).toBe("wallet/storage");
      expect(open.state).toEqual(before);
      expect([open.facts.birthday, inFile()]).toEqual([daaScore, daaScore]);
      await stop(daemon);
    });

    it("leaves the earlier one in the file, where it would be a later one", async () => {
      const scene = await setUp([30]);
      const { disk, token, daemon, open } = scene;
      const { update } = daemon.folder;
      daemon.folder.update = async () => {
        throw failure;
      };
      const birthday = disk.model.at(21)?.daaScore ?? expect.unreachable();
      await daemon.open.rescan(open, signal, { birthday });
      daemon.folder.update = update;
      expect((await opened(daemon, token)).state.account.birthday.chainIndex).toBe(20n);
      expect([open.facts.birthday, disk.wallets.get(token)?.facts.birthday]).toEqual([0n, 0n]);
      await stop(daemon);
    });

    it("with what is scanned stays as it was in the file", async () => {
      const { daemon, open, daaScore, inFile } = await later();
      const { update } = open;
      open.update = () => Promise.reject(new SvcError("store/commit-failed", { reason: "a test" }));
      const rescan = daemon.open.rescan(open, signal, { birthday: asDaaScore(0n) });
      expect(await rejectionCode(rescan)).toBe("store/commit-failed");
      expect([open.facts.birthday, inFile()]).toEqual([daaScore, daaScore]);
      open.update = update;
      await stop(daemon);
    });
  });

  it("is written when the node has answered", async () => {
    const { disk, token, daemon, open, node } = await setUp([30]);
    node.faults.push(new SvcError("wallet/node-unreachable", { url: "a test" }));
    const rescan = daemon.open.rescan(open, signal, { birthday: asDaaScore(20n) });
    expect(await rejectionCode(rescan)).toBe("wallet/node-unreachable");
    expect([open.facts.birthday, disk.wallets.get(token)?.facts.birthday]).toEqual([0n, 0n]);
    await stop(daemon);
  });
});
