/** Warm-ups over the server: callers who wait have a bounded number of places, which they give back when they leave. */
import { expect, it, onTestFinished } from "vitest";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { WalletClient } from "@svc/shared/protocol/wallet/walletClient.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import { ModelNode } from "@svc/shared/wallet/testkit/ports.ts";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { openFolder, TEST_NETWORK } from "../keys/testkit/keysScene.ts";
import { WalletStore } from "../store/walletStore.ts";
import { NO_LOG } from "../testkit/spendScene.ts";
import { TOKEN, WalletServerFixture } from "../testkit/walletServerFixture.ts";
import { WalletDaemon } from "../walletDaemon.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { DaemonWallets } from "./daemonWallets.ts";
import { statusHandlers } from "./statusHandlers.ts";

const core = await loadCoreFile();
const profileJson = core.builtInProfile(TEST_NETWORK.network);

it("one caller too many is answered at once, until another one has left", async () => {
  const folder = await openFolder(folderOfTest());
  const store = await WalletStore.open(null, null);
  const clock = new ManualClock(0n);
  const log = NO_LOG;
  const settings = { lanes: 1, opening: 1, most: 10, idleMs: 60_000n };
  const scan = { scan: () => Promise.reject(new SvcError("run/aborted", {})) };
  const node = new ModelNode(new ChainModel());
  const base = { core, profileJson, folder, store, clock, log };
  const daemon = new WalletDaemon({ ...base, node, scan, settings });
  const parts = { ...base, daemon };
  const { warmChainTree } = statusHandlers(parts, new DaemonWallets(parts));
  let [begun, ended] = [0, 0];
  const fixture = await WalletServerFixture.start({
    handlers: {
      warmChainTree: (call) => {
        begun += 1;
        return warmChainTree(call).finally(() => (ended += 1));
      },
    },
  });
  onTestFinished(async () => {
    await fixture.stop();
    await daemon.stop();
    await store.close();
    folder.close();
  });
  const client = new WalletClient({ baseUrl: fixture.server.address, token: TOKEN });
  const { signal } = new AbortController();
  const most = WALLETD_LIMITS.warmWaiting;
  const leave = Array.from({ length: most }, () => new AbortController());
  const waiting = leave.map((one) => rejectionCode(client.warmChainTree({ signal: one.signal })));
  await expect.poll(() => begun).toBe(most);
  expect(await client.warmChainTree({ signal })).toMatchObject({ caught_up: false, seconds: 0 });
  expect([begun, ended]).toEqual([most + 1, 1]);
  leave[0]?.abort();
  await waiting[0];
  await expect.poll(() => ended).toBe(2);
  const next = new AbortController();
  const last = rejectionCode(client.warmChainTree({ signal: next.signal }));
  await expect.poll(() => begun).toBe(most + 2);
  expect(ended).toBe(2);
  for (const one of [...leave, next]) one.abort();
  await Promise.all([...waiting, last]);
  await expect.poll(() => ended).toBe(most + 2);
});
