import { describe, expect, it } from "vitest";
import { asTxId } from "@svc/shared/base/brand.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import { addressOf, opened, SceneDisk, startDaemon, textOf } from "../testkit/spendScene.ts";
import type { WalletToken } from "../keys/walletToken.ts";

const COIN = 100_000_000n;
const OWNERS = [1, 2, 3];
const never = new AbortController().signal;

/** A disk with wallets, each of which has mined once. */
function diskOf(owners: readonly number[]): { disk: SceneDisk; tokens: readonly WalletToken[] } {
  const model = new ChainModel();
  const disk = new SceneDisk(model);
  const tokens = owners.map((owner) => disk.add(`wallet-${owner}`, addressOf(owner)));
  for (const owner of owners) {
    const outputs = [{ value: 5n * COIN, recipient: addressOf(owner) }];
    model.add({ txs: [{ txid: asTxId(model.fresh()), spends: [], outputs }] });
  }
  model.addEmpty(30);
  return { disk, tokens };
}

describe("snapshots", () => {
  it("of a wallet in which nothing happens stay as they are, however often it is opened", async () => {
    const { disk, tokens } = diskOf([1]);
    const [token] = tokens;
    if (token === undefined) throw new Error("there is a wallet");
    const daemon = startDaemon(disk);
    await opened(daemon, token);
    await daemon.open.drop(token);
    const written = disk.scans.get(token);
    expect(written).toBeDefined();
    disk.model.addEmpty(5);
    const again = await opened(daemon, token);
    await daemon.open.drop(token);
    expect(disk.scans.get(token)).toBe(written);
    // The store knows how far it came.
    const { chainIndex } = daemon.store.cursors.get(token) ?? {};
    expect(chainIndex).toBe(again.state.blocks.at(-1)?.chainIndex);
    expect((await opened(daemon, token)).state.notes).toEqual(again.state.notes);
  });

  it("of a wallet with a payment are written again", async () => {
    const { disk, tokens } = diskOf([1]);
    const [token] = tokens;
    if (token === undefined) throw new Error("there is a wallet");
    const daemon = startDaemon(disk);
    await opened(daemon, token);
    await daemon.open.drop(token);
    const written = disk.scans.get(token);
    const open = await opened(daemon, token);
    const request = { to: textOf(9), amount: COIN };
    await daemon.service.send(open, request, { key: null, isAsync: false }, never);
    await daemon.open.drop(token);
    expect(disk.scans.get(token)).not.toBe(written);
  });

  it("that are due together take two commits, each naming one that no other file of its wallet names", async () => {
    const { disk, tokens } = diskOf(OWNERS);
    const daemon = startDaemon(disk);
    for (const token of tokens) await opened(daemon, token);
    const before = daemon.store.sequence;
    await daemon.writer.saveDue(daemon.open.all);
    const rows = tokens.map((token) => daemon.store.cursors.get(token)?.snapshotSequence);
    expect(rows).toEqual(tokens.map(() => before + 1n));
    expect(daemon.store.sequence).toBe(before + 2n);
    await daemon.writer.saveDue(daemon.open.all);
    expect(daemon.store.sequence).toBe(before + 2n);
  });

  it("of others are written where one fails", async () => {
    const { disk, tokens } = diskOf(OWNERS);
    const daemon = startDaemon(disk);
    for (const token of tokens) await opened(daemon, token);
    const [first = "", ...others] = tokens;
    const set = disk.scans.set.bind(disk.scans);
    disk.scans.set = (token, bytes) => {
      if (token === first) throw new Error("the disk is full");
      return set(token, bytes);
    };
    await daemon.writer.saveDue(daemon.open.all);
    expect([...disk.scans.keys()]).toEqual(others);
    expect(daemon.store.cursors.get(first)?.snapshotSequence).toBe(0n);
    disk.scans.set = set;
    await daemon.writer.saveDue(daemon.open.all);
    expect(disk.scans.has(first)).toBe(true);
  });
});
