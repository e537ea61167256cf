/** Wallets that nobody asks for, in a daemon with a webhook. */
import { expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import { addressOf, NO_LOG, SceneDisk, startDaemon } from "../testkit/spendScene.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { WatchRound } from "./watchRound.ts";

it("are opened and scanned for, whatever is wrong with one of them, and again when they were dropped", async () => {
  const model = new ChainModel();
  model.addEmpty(20);
  const disk = new SceneDisk(model);
  const daemon = startDaemon(disk);
  const tokens = [1, 2, 3].map((wallet) => disk.add(`wallet-${wallet}`, addressOf(wallet)));
  const broken = disk.add("broken", addressOf(4));
  const { open: wallets } = daemon;
  const parts = {
    wallets: {
      get all() {
        return wallets.all;
      },
      most: wallets.most,
      open: (token: WalletToken) => {
        if (token === broken) throw new SvcError("wallet/no-wallet", {});
        return wallets.open(token);
      },
    },
    folder: { list: async () => [broken, ...tokens] },
    clock: {
      sleep: (ms: number, signal: AbortSignal) => disk.sim.sleep(ms, signal),
      steadyMs: () => disk.sim.nowMs(),
    },
    log: NO_LOG,
  };
  const round = new WatchRound(parts);
  round.start();
  round.start();
  await disk.sim.run(10_000);
  const opened = () => new Set(wallets.all.map(({ token }) => token));
  expect(opened()).toEqual(new Set(tokens));
  expect(wallets.all.map(({ isAtTip }) => isAtTip)).toEqual([true, true, true]);

  const [first] = tokens;
  if (first === undefined) throw new Error("there is a wallet");
  await wallets.drop(first);
  model.addEmpty(1);
  await disk.sim.run(WALLETD_LIMITS.watchRestMs + 10_000);
  expect(opened()).toEqual(new Set(tokens));

  await round.stop();
  await wallets.drop(first);
  await disk.sim.run(2 * WALLETD_LIMITS.watchRestMs);
  expect(opened().has(first)).toBe(false);
  await daemon.service.stop();
  await daemon.lanes.stop();
});

it("have their turn where few of them have room in memory, and leave room for those that are asked for", async () => {
  const MOST = 4;
  const model = new ChainModel();
  model.addEmpty(20);
  const disk = new SceneDisk(model);
  const daemon = startDaemon(disk, { most: MOST });
  const tokens = Array.from({ length: 12 }, (_, number) =>
    disk.add(`wallet-${number}`, addressOf(number + 1)),
  );
  const { open: wallets } = daemon;
  const seen = new Set<WalletToken>();
  let most = 0;
  const parts = {
    wallets: {
      get all() {
        return wallets.all;
      },
      most: wallets.most,
      open: async (token: WalletToken) => {
        const open = await wallets.open(token);
        seen.add(token);
        const busy = wallets.all.filter(({ isBusy }) => isBusy).length;
        most = Math.max(most, busy);
        expect(wallets.all.length).toBeLessThanOrEqual(MOST);
        return open;
      },
    },
    folder: { list: async () => tokens },
    clock: {
      sleep: (ms: number, signal: AbortSignal) => disk.sim.sleep(ms, signal),
      steadyMs: () => disk.sim.nowMs(),
    },
    log: NO_LOG,
  };
  const round = new WatchRound(parts);
  round.start();
  await disk.sim.run(60_000);
  expect(seen).toEqual(new Set(tokens));
  expect(most).toBeLessThanOrEqual(MOST / 2);
  await round.stop();
  await daemon.service.stop();
  await wallets.stop();
  await daemon.lanes.stop();
});
