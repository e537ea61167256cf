/** Wallets that are asked for their status while they are not open. */
import { expect, it } from "vitest";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import { asWalletToken, type WalletToken } from "../keys/walletToken.ts";
import { addressOf, opened, SceneDisk, startDaemon, textOf } from "../testkit/spendScene.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { DaemonWallets } from "./daemonWallets.ts";

function scene(count: number) {
  const model = new ChainModel();
  model.addEmpty(20);
  const disk = new SceneDisk(model);
  const tokens = Array.from({ length: count }, (_, number) =>
    disk.add(`wallet-${number}`, addressOf(number + 1)),
  );
  const daemon = startDaemon(disk, { most: 4 });
  let reads = 0;
  const folder = {
    openKeys: (token: WalletToken) => {
      reads += 1;
      return daemon.folder.openKeys(token);
    },
  };
  const wallets = new DaemonWallets({ daemon: { wallets: daemon.open }, folder });
  const stop = async (): Promise<void> => {
    await daemon.service.stop();
    await daemon.open.stop();
    await daemon.lanes.stop();
  };
  return { disk, daemon, tokens, wallets, reads: () => reads, stop };
}

it("have their file read once, and never where they were open, until it is another one", async () => {
  const { disk, daemon, wallets, reads, stop } = scene(0);
  const [seen, unseen] = [disk.add("seen", addressOf(1)), disk.add("unseen", addressOf(2))];
  await opened(daemon, seen);
  await wallets.glance(seen);
  await daemon.open.drop(seen);
  expect(await wallets.glance(seen)).toMatchObject({ address: textOf(1) });
  expect(reads()).toBe(0);
  for (let time = 0; time < 3; time += 1) {
    expect(await wallets.glance(unseen)).toMatchObject({ address: textOf(2) });
    await daemon.open.drop(unseen);
  }
  expect(reads()).toBe(1);
  await daemon.open.drop(seen);
  disk.add("seen", addressOf(3));
  wallets.forget(seen);
  expect(await wallets.glance(seen)).toMatchObject({ address: textOf(3) });
  expect(await wallets.glance(asWalletToken("nobody"))).toBe(null);
  await stop();
});

it("do not make a long queue of those that are opened for nobody who waits", async () => {
  const most = WALLETD_LIMITS.openingsWaiting;
  const { daemon, tokens, wallets, stop } = scene(2 * most);
  const addresses = await Promise.all(tokens.map((token) => wallets.glance(token)));
  expect(addresses).not.toContain(null);
  for (const token of tokens) wallets.openLater(token);
  expect(daemon.open.opening).toBe(most);
  const [last] = tokens.slice(-1);
  if (last === undefined) throw new Error("there are wallets");
  expect((await wallets.open(last)).token).toBe(last);
  expect(daemon.open.opening).toBe(0);
  await wallets.glance(tokens[0] ?? last);
  expect(daemon.open.opening).toBe(1);
  await stop();
});
