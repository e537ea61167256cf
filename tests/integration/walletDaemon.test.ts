/** The wallet daemon over a real node: real scan threads, files and database. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { GrpcNode } from "@svc/node-server/client/grpcNode.ts";
import { RpcNode } from "@svc/node-server/client/rpcNode.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { readMetrics } from "@svc/node-server/platform/testkit/readMetrics.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { DaemonWallets } from "@svc/node-server/walletd/http/daemonWallets.ts";
import { statusHandlers } from "@svc/node-server/walletd/http/statusHandlers.ts";
import { WalletMetrics } from "@svc/node-server/walletd/http/walletMetrics.ts";
import { ScanThreads } from "@svc/node-server/walletd/chain/scanThreads.ts";
import { WalletFolder } from "@svc/node-server/walletd/keys/walletFolder.ts";
import {
  asWalletToken,
  walletLabel,
  type WalletToken,
} from "@svc/node-server/walletd/keys/walletToken.ts";
import { WalletStore } from "@svc/node-server/walletd/store/walletStore.ts";
import { WalletDaemon } from "@svc/node-server/walletd/walletDaemon.ts";
import type { OpenWallet } from "@svc/node-server/walletd/wallets/openWallet.ts";
import { asDaaScore } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { cursorOf, type WalletState } from "@svc/shared/wallet/state/walletState.ts";
import { encodeWalletState } from "@svc/shared/wallet/state/walletStateCodec.ts";
import { WalletKit, walletClock } from "../demo/walletKit.ts";
import { readPaymentFixture } from "../fixtures/payments/paymentFixture.ts";
import { core, simnet } from "./engineFixture.ts";
import { mineOn, never, startTestNode, tipOf } from "./nodeFixture.ts";
import { startParentNode } from "./parentNode.ts";

const fixture = readPaymentFixture();
const { alice, bob } = fixture.owners;
const ALICE = asWalletToken("alice");
const BOB = asWalletToken("bob");
const GENESIS = { birthday: asDaaScore(0n) };

let node: RunningNode;
let folderOfTest: TemporaryFolder;
let path: string;
const running: (() => Promise<void>)[] = [];

beforeEach(async () => {
  folderOfTest = temporaryFolder();
  path = folderOfTest.path;
  node = await startTestNode(null);
  await extend(fixture.trunk.slice(0, fixture.forkIndex));
});
afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop();
  await node.stop();
  folderOfTest.remove();
});

async function extend(blocks: readonly Uint8Array[]): Promise<void> {
  for (const raw of blocks) await node.api.submitBlock(raw, never);
}

function openFolder(): Promise<WalletFolder> {
  const nowUnix = () => 1_700_000_000;
  return WalletFolder.open({ path, network: "simnet", hrp: "svcsim", core, secret: null, nowUnix });
}

/** Where the node is asked, or what a node of the parent network would answer in its place. */
async function addressFor(isParent: boolean): Promise<string> {
  const address = node.grpcAddress ?? "";
  if (!isParent) return address;
  const parent = await startParentNode(address);
  running.push(async () => parent.close());
  return parent.address;
}

/** A daemon on the folder. `stop` ends it in good order; `kill` leaves everything as it lies. */
async function startDaemon(over: { idleMs?: bigint; isParent?: boolean } = {}) {
  const folder = await openFolder();
  const store = await WalletStore.open(path, null);
  const port = new RpcNode(await addressFor(over.isParent === true), {
    core,
    profileJson: simnet,
  });
  const log = createLog("silent");
  const threads = new ScanThreads({ profileJson: simnet, threads: 1, log });
  const metrics = new WalletMetrics(systemClock);
  const scan = metrics.countScans(threads);
  const settings = { lanes: 2, opening: 2, most: 100, idleMs: over.idleMs ?? 1_800_000n };
  const parts = { core, profileJson: simnet, folder, store, scan, log, settings };
  const daemon = new WalletDaemon({ ...parts, node: port, clock: systemClock });
  const endNews = port.onNews(() => daemon.wake());
  daemon.start();
  const end = async (stopping: Promise<void>): Promise<void> => {
    endNews();
    await stopping;
    await threads.stop();
    port.close();
    await store.close();
    folder.close();
  };
  let ended: Promise<void> | null = null;
  const stop = () => (ended ??= end(daemon.stop()));
  // What is not written then is lost: the lanes end, and no wallet is saved.
  const kill = () => (ended ??= end(daemon.lanes.stop()));
  running.push(stop);
  metrics.watch({ daemon, store, proofs: null, webhooks: null });
  return { daemon, folder, store, metrics, stop, kill };
}

/** Resolves when the wallet has scanned the node's chain to its end. */
async function untilAtTip(daemon: WalletDaemon, token: WalletToken): Promise<OpenWallet> {
  const open = await daemon.wallets.open(token);
  for (;;) {
    const { sink } = await tipOf(node);
    if (open.isAtTip && cursorOf(open.state).hash === sink) return open;
    await Promise.race([changeOf(open), systemClock.sleep(20, never)]);
  }
}

function changeOf(open: OpenWallet): Promise<void> {
  return new Promise((resolve) => {
    const end = open.subscribe(() => {
      end();
      resolve();
    });
  });
}

/** The state of a wallet that is scanned for alone, as the browser does. */
async function alone(seed: string): Promise<string> {
  const prover = { prove: () => Promise.reject(new SvcError("wallet/cancelled", {})) };
  const parts = { core, profileJson: simnet, prover, clock: walletClock(systemClock) };
  const kit = new WalletKit(parts, new Secret(decodeHex(seed)));
  const port = new GrpcNode(node.grpcAddress ?? "");
  try {
    const sync = await kit.open(port, never);
    await sync.catchUp(never);
    return comparable(sync.state);
  } finally {
    await kit.close();
    port.close();
  }
}

function comparable(state: WalletState): string {
  const { account } = state;
  return encodeWalletState({
    ...state,
    account: { ...account, bornOn: null },
    blocks: [cursorOf(state)],
  });
}

function withoutMemos(state: string): string {
  return state.replaceAll(/"memo":"[0-9a-f]*"/gu, '"memo":""').replaceAll('"memoKnown":false,', "");
}

async function importWallets(folder: WalletFolder): Promise<void> {
  await folder.importSeed(ALICE, new Secret(decodeHex(alice.seed)), GENESIS);
  const fvk = core.fullViewingKey(decodeHex(bob.seed));
  await folder.watch(BOB, fvk, GENESIS);
}

describe("a wallet daemon", () => {
  it("scans for all its wallets at once, each as if it were alone", async () => {
    const { daemon, folder } = await startDaemon();
    await importWallets(folder);
    const [first, second] = await Promise.all([untilAtTip(daemon, ALICE), untilAtTip(daemon, BOB)]);
    expect(first.state.notes.length).toBeGreaterThan(0);
    expect(comparable(first.state)).toBe(await alone(alice.seed));
    expect(comparable(second.state)).toBe(await alone(bob.seed));
    await extend(fixture.trunk.slice(fixture.forkIndex));
    await mineOn(node, decodeHex(bob.recipient));
    await untilAtTip(daemon, ALICE);
    await untilAtTip(daemon, BOB);
    expect(comparable(first.state)).toBe(await alone(alice.seed));
    expect(comparable(second.state)).toBe(await alone(bob.seed));
  });

  it("follows a reorganisation", async () => {
    const { daemon, folder } = await startDaemon();
    await importWallets(folder);
    await extend(fixture.trunk.slice(fixture.forkIndex));
    await untilAtTip(daemon, ALICE);
    const { sink } = await tipOf(node);
    await extend(fixture.branch);
    expect((await tipOf(node)).sink).not.toBe(sink);
    const open = await untilAtTip(daemon, ALICE);
    expect(comparable(open.state)).toBe(await alone(alice.seed));
  });

  it.each(["stop", "kill"] as const)("goes on after a %s", async (end) => {
    const first = await startDaemon();
    await importWallets(first.folder);
    await untilAtTip(first.daemon, ALICE);
    await untilAtTip(first.daemon, BOB);
    await first[end]();
    await extend(fixture.trunk.slice(fixture.forkIndex));
    const second = await startDaemon();
    const open = await untilAtTip(second.daemon, ALICE);
    expect(comparable(open.state)).toBe(await alone(alice.seed));
    const watched = await untilAtTip(second.daemon, BOB);
    expect(comparable(watched.state)).toBe(await alone(bob.seed));
    expect(watched.rowsLost).toBe(false);
  });

  it("scans at a node of the parent network all but the memos, and goes on at one of this program", async () => {
    await extend(fixture.trunk.slice(fixture.forkIndex));
    const first = await startDaemon({ isParent: true });
    await importWallets(first.folder);
    await untilAtTip(first.daemon, ALICE);
    const { state } = await untilAtTip(first.daemon, BOB);
    expect(state.history).toMatchObject([{ kind: "received", memo: "", memoKnown: false }]);
    expect(withoutMemos(comparable(state))).toBe(withoutMemos(await alone(bob.seed)));
    await first.stop();
    await mineOn(node, decodeHex(bob.recipient));
    await mineOn(node, decodeHex(bob.recipient));
    const second = await startDaemon();
    const watched = await untilAtTip(second.daemon, BOB);
    expect(watched.state.history[0]).toMatchObject({ memoKnown: false });
    expect(withoutMemos(comparable(watched.state))).toBe(withoutMemos(await alone(bob.seed)));
    await second.daemon.wallets.rescan(watched, never);
    await untilAtTip(second.daemon, BOB);
    expect(comparable(watched.state)).toBe(await alone(bob.seed));
  });

  it("does not spend from a wallet whose database somebody put back", async () => {
    const first = await startDaemon();
    await importWallets(first.folder);
    await untilAtTip(first.daemon, ALICE);
    await first.stop();
    rmSync(join(path, "walletd"), { recursive: true });
    const second = await startDaemon();
    const open = await untilAtTip(second.daemon, ALICE);
    expect(open.rowsLost).toBe(true);
    expect(open.fault?.code).toBe("wallet/rows-lost");
  });

  it("scans a wallet again that it has dropped, from where it stood", async () => {
    const { daemon, folder } = await startDaemon();
    await importWallets(folder);
    await untilAtTip(daemon, ALICE);
    await daemon.wallets.drop(ALICE);
    expect(daemon.wallets.peek(ALICE)).toBe(null);
    await extend(fixture.trunk.slice(fixture.forkIndex));
    const open = await untilAtTip(daemon, ALICE);
    expect(comparable(open.state)).toBe(await alone(alice.seed));
  });

  it("scans again from the birthday when it is asked to, and keeps the payments", async () => {
    const { daemon, folder } = await startDaemon();
    await importWallets(folder);
    const open = await untilAtTip(daemon, ALICE);
    await daemon.wallets.rescan(open, never);
    await untilAtTip(daemon, ALICE);
    expect(comparable(open.state)).toBe(await alone(alice.seed));
  });

  it("opens wallets without a node, and finds it when it comes", async () => {
    const first = await startDaemon();
    await importWallets(first.folder);
    await untilAtTip(first.daemon, ALICE);
    await first.stop();
    await node.stop();
    const second = await startDaemon();
    const open = await second.daemon.wallets.open(ALICE);
    expect(open.state.notes.length).toBeGreaterThan(0);
    expect(open.isAtTip).toBe(true);
    expect(second.daemon.tip).toBe(null);
  });

  it("tells a monitor how far it is, and of no wallet by name", async () => {
    const { daemon, folder, store, metrics } = await startDaemon();
    await importWallets(folder);
    const { state } = await untilAtTip(daemon, ALICE);
    await untilAtTip(daemon, BOB);
    const text = metrics.text();
    const told = new Map(readMetrics(text).map(({ name, value }) => [name, value]));
    const { chainIndex } = cursorOf(state);
    expect(told.get("svc_walletd_scan_blocks_total")).toBeGreaterThanOrEqual(Number(chainIndex));
    expect(told.get("svc_walletd_notes")).toBeGreaterThan(0);
    expect(told.get("svc_walletd_store_sequence")).toBeGreaterThan(0);
    expect(Object.fromEntries(told)).toMatchObject({
      svc_walletd_wallets_open: 2,
      svc_walletd_wallets_behind: 0,
      svc_walletd_lane_blocks_behind: 0,
      svc_walletd_lane_faulty: 0,
    });
    const parts = { core, profileJson: simnet, folder, store, daemon, clock: systemClock };
    const call = {
      token: null,
      scoped: null,
      params: {},
      query: {},
      body: null,
      idempotencyKey: null,
    };
    const { ready } = statusHandlers(parts, new DaemonWallets(parts));
    const readiness = await ready({ ...call, signal: never });
    expect(readiness).toMatchObject({
      ready: true,
      wallets: [ALICE, BOB].map((token) => ({ wallet: walletLabel(token), synced: true })),
    });
    for (const secret of [ALICE, BOB, alice.recipient, "svcsim"]) {
      expect(text).not.toContain(secret);
      expect(JSON.stringify(readiness)).not.toContain(secret);
    }
  });
});
