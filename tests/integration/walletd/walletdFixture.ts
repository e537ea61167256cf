/** Wallet daemons as the program runs them, over a node of the test, and a clock that makes their pauses short. */
import { OWN_PAGES } from "@svc/node-server/platform/http/accessCheck.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { systemClock, type Clock } from "@svc/node-server/platform/time/clock.ts";
import {
  startWalletd,
  type Walletd,
  type WalletdParts,
} from "@svc/node-server/walletd/startWalletd.ts";
import type { QueuedProver } from "@svc/node-server/walletd/spend/proofQueue.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { WalletClient } from "@svc/shared/protocol/wallet/walletClient.ts";
import { core, simnet } from "../engine/engineFixture.ts";

/** A clock that goes so many times as fast as the machine's. */
export function fastClock(times: number): Clock {
  const beginMs = systemClock.nowMs();
  const fromMs = systemClock.steadyMs();
  const passedMs = (): bigint => (systemClock.steadyMs() - fromMs) * BigInt(times);
  return {
    nowMs: () => beginMs + passedMs(),
    steadyMs: () => fromMs + passedMs(),
    bootMs: () => fromMs + passedMs(),
    sleep: (ms, signal) => systemClock.sleep(ms / times, signal),
  };
}

/** How a daemon of a test is started. */
export type TestWalletd = {
  readonly folder: string;
  /** `host:port` of the node's gRPC API. */
  readonly node: string;
  readonly clock?: Clock;
  /** False for a daemon that holds no seeds. */
  readonly custodial?: boolean;
  /** The credential of the transport; none where it is left out. */
  readonly bearer?: string | null;
  readonly over?: Partial<WalletdParts>;
};

/** For a daemon that makes no payment: it has no tables to make, which takes seconds of every core. */
export function idleProver(): QueuedProver {
  return {
    prove: () => Promise.reject(new SvcError("wallet/cancelled", {})),
    warm: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  };
}

/** Starts a daemon with one thread for each work, without a secret. */
export function startTestWalletd({
  folder: path,
  node,
  clock = systemClock,
  custodial = true,
  bearer = null,
  over,
}: TestWalletd): Promise<Walletd> {
  const nowUnix = () => 1_700_000_000;
  return startWalletd({
    core,
    profileJson: simnet,
    folder: { path, network: "simnet", hrp: "svcsim", core, secret: null, nowUnix },
    node,
    settings: { lanes: 2, opening: 2, most: 100, idleMs: 1_800_000n },
    proofs: { atOnce: 1, threads: 1, cacheFolder: null },
    scanThreads: 1,
    consolidateAbove: null,
    webhook: null,
    server: {
      host: "127.0.0.1",
      port: 0,
      option: "--listen",
      rules: OWN_PAGES,
      credentials: { allowDefaultToken: false, custodial },
      bearer,
      tls: null,
    },
    clock,
    log: createLog("silent"),
    ...over,
  });
}

/** A caller of the daemon, for one wallet. */
export function clientOf({ address }: Walletd, token: string): WalletClient {
  return new WalletClient({ baseUrl: address, token });
}
